// Code generated from openapi.json by scripts/client-go.ts; DO NOT EDIT.

package countersign

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"

	"github.com/countersign/countersign/clients/go/api"
)

// ReadServiceStatus is the operation "How the service is".
func (c *Client) ReadServiceStatus(ctx context.Context, options ...CallOption) (api.ServiceStatus, error) {
	var data api.ServiceStatus
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/observability/status", nil, nil, options}, &data)
	return data, err
}

// ListAPIKeys is the operation "List API keys".
func (c *Client) ListAPIKeys(ctx context.Context, params *api.ListAPIKeysParams) iter.Seq2[api.APIKey, error] {
	return pages[api.APIKey](ctx, c, "/api/v1/workspaces/{workspace_id}/api-keys", params)
}

// CreateAPIKey is the operation "Create an API key".
func (c *Client) CreateAPIKey(ctx context.Context, body api.CreateAPIKeyBody, options ...CallOption) (*api.APIKey, *api.AuthorityChange, error) {
	return either[api.APIKey, api.AuthorityChange](ctx, c, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/api-keys", nil, body, options})
}

// ReadOwnAPIKey is the operation "Read the key that signs this request".
func (c *Client) ReadOwnAPIKey(ctx context.Context, options ...CallOption) (api.APIKey, error) {
	var data api.APIKey
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/api-keys/self", nil, nil, options}, &data)
	return data, err
}

// ChangeAPIKey is the operation "Change an API key".
func (c *Client) ChangeAPIKey(ctx context.Context, apiKeyID string, body api.ChangeAPIKeyBody, options ...CallOption) (*api.APIKey, *api.AuthorityChange, error) {
	return either[api.APIKey, api.AuthorityChange](ctx, c, call{http.MethodPatch, "/api/v1/api-keys/" + url.PathEscape(apiKeyID), nil, body, options})
}

// RevokeAPIKey is the operation "Revoke an API key".
func (c *Client) RevokeAPIKey(ctx context.Context, apiKeyID string, options ...CallOption) (api.APIKey, error) {
	var data api.APIKey
	_, err := c.call(ctx, call{http.MethodDelete, "/api/v1/api-keys/" + url.PathEscape(apiKeyID), nil, nil, options}, &data)
	return data, err
}

// RotateAPIKey is the operation "Give an API key a new secret".
func (c *Client) RotateAPIKey(ctx context.Context, apiKeyID string, body api.SecretOverlapBody, options ...CallOption) (*api.APIKey, *api.AuthorityChange, error) {
	return either[api.APIKey, api.AuthorityChange](ctx, c, call{http.MethodPost, "/api/v1/api-keys/" + url.PathEscape(apiKeyID) + "/rotate", nil, body, options})
}

// TakeSecret is the operation "Take the secret of a key of your own".
func (c *Client) TakeSecret(ctx context.Context, apiKeyID string, body api.SecretOverlapBody, options ...CallOption) (api.APIKey, error) {
	var data api.APIKey
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/api-keys/" + url.PathEscape(apiKeyID) + "/take-secret", nil, body, options}, &data)
	return data, err
}

// ListUsers is the operation "List users".
func (c *Client) ListUsers(ctx context.Context, params *api.ListUsersParams) iter.Seq2[api.User, error] {
	return pages[api.User](ctx, c, "/api/v1/workspaces/{workspace_id}/users", params)
}

// CreateUser is the operation "Create a user".
func (c *Client) CreateUser(ctx context.Context, body api.CreateUserBody, options ...CallOption) (*api.User, *api.AuthorityChange, error) {
	return either[api.User, api.AuthorityChange](ctx, c, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/users", nil, body, options})
}

// ChangeUser is the operation "Change a user".
func (c *Client) ChangeUser(ctx context.Context, userID string, body api.ChangeUserBody, options ...CallOption) (*api.User, *api.AuthorityChange, error) {
	return either[api.User, api.AuthorityChange](ctx, c, call{http.MethodPatch, "/api/v1/users/" + url.PathEscape(userID), nil, body, options})
}

// SetRoles is the operation "Give a user roles".
func (c *Client) SetRoles(ctx context.Context, userID string, body api.RolesBody, options ...CallOption) (*api.GivenRoles, *api.AuthorityChange, error) {
	return either[api.GivenRoles, api.AuthorityChange](ctx, c, call{http.MethodPut, "/api/v1/users/" + url.PathEscape(userID) + "/roles", nil, body, options})
}

// ListPasskeys is the operation "List the passkeys of a user".
func (c *Client) ListPasskeys(ctx context.Context, userID string, options ...CallOption) ([]api.Passkey, error) {
	var data []api.Passkey
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/users/" + url.PathEscape(userID) + "/passkeys", nil, nil, options}, &data)
	return data, err
}

// RemovePasskey is the operation "Remove a passkey".
func (c *Client) RemovePasskey(ctx context.Context, passkeyID string, options ...CallOption) (api.Passkey, error) {
	var data api.Passkey
	_, err := c.call(ctx, call{http.MethodDelete, "/api/v1/passkeys/" + url.PathEscape(passkeyID), nil, nil, options}, &data)
	return data, err
}

// SignOutUser is the operation "End every session of a user".
func (c *Client) SignOutUser(ctx context.Context, userID string, options ...CallOption) (api.EndedSessions, error) {
	var data api.EndedSessions
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/users/" + url.PathEscape(userID) + "/sign-out", nil, nil, options}, &data)
	return data, err
}

// CreateEnrolmentLink is the operation "Make a link to enrol a passkey".
func (c *Client) CreateEnrolmentLink(ctx context.Context, userID string, body api.EnrolmentLinkBody, options ...CallOption) (api.EnrolmentLink, error) {
	var data api.EnrolmentLink
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/users/" + url.PathEscape(userID) + "/enrolment-links", nil, body, options}, &data)
	return data, err
}

// ReadApprovalEvidence is the operation "Read what proves an approval".
func (c *Client) ReadApprovalEvidence(ctx context.Context, subjectID string, options ...CallOption) (api.ApprovalEvidence, error) {
	var data api.ApprovalEvidence
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/approvals/" + url.PathEscape(subjectID) + "/evidence", nil, nil, options}, &data)
	return data, err
}

// ListChanges is the operation "List changes of users, keys and freezes".
func (c *Client) ListChanges(ctx context.Context, params *api.ListChangesParams) iter.Seq2[api.AuthorityChange, error] {
	return pages[api.AuthorityChange](ctx, c, "/api/v1/workspaces/{workspace_id}/changes", params)
}

// ReadChange is the operation "Read a change of users, keys or freezes".
func (c *Client) ReadChange(ctx context.Context, changeID string, options ...CallOption) (api.AuthorityChange, error) {
	var data api.AuthorityChange
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/changes/" + url.PathEscape(changeID), nil, nil, options}, &data)
	return data, err
}

// FreezeWithdrawals is the operation "Freeze withdrawals".
func (c *Client) FreezeWithdrawals(ctx context.Context, body *api.ReasonBody, options ...CallOption) (api.WithdrawalsFreeze, error) {
	var data api.WithdrawalsFreeze
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/withdrawals/freeze", nil, body, options}, &data)
	return data, err
}

// UnfreezeWithdrawals is the operation "Unfreeze withdrawals".
func (c *Client) UnfreezeWithdrawals(ctx context.Context, body *api.ReasonBody, options ...CallOption) (*api.WithdrawalsFreeze, *api.AuthorityChange, error) {
	return either[api.WithdrawalsFreeze, api.AuthorityChange](ctx, c, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze", nil, body, options})
}

// ListAssets is the operation "List supported assets".
func (c *Client) ListAssets(ctx context.Context, params *api.ListAssetsParams) iter.Seq2[api.Asset, error] {
	return pages[api.Asset](ctx, c, "/api/v1/assets", params)
}

// ReadAsset is the operation "Read an asset".
func (c *Client) ReadAsset(ctx context.Context, assetID string, options ...CallOption) (api.Asset, error) {
	var data api.Asset
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/assets/" + url.PathEscape(assetID), nil, nil, options}, &data)
	return data, err
}

// ListNetworks is the operation "List networks".
func (c *Client) ListNetworks(ctx context.Context, params *api.ListNetworksParams) iter.Seq2[api.Network, error] {
	return pages[api.Network](ctx, c, "/api/v1/networks", params)
}

// ReadNetwork is the operation "Read a network".
func (c *Client) ReadNetwork(ctx context.Context, networkID string, options ...CallOption) (api.Network, error) {
	var data api.Network
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/networks/" + url.PathEscape(networkID), nil, nil, options}, &data)
	return data, err
}

// ReadFees is the operation "Read the fees of a network".
func (c *Client) ReadFees(ctx context.Context, networkID string, options ...CallOption) (api.NetworkFees, error) {
	var data api.NetworkFees
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/networks/" + url.PathEscape(networkID) + "/fees", nil, nil, options}, &data)
	return data, err
}

// RescanTransaction is the operation "Look again at a transaction".
func (c *Client) RescanTransaction(ctx context.Context, body api.TransactionRescan, options ...CallOption) (api.TransactionRescan, error) {
	var data api.TransactionRescan
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/networks/rescan-transaction", nil, body, options}, &data)
	return data, err
}

// CreateWallet is the operation "Create a wallet".
func (c *Client) CreateWallet(ctx context.Context, body api.CreateWalletBody, options ...CallOption) (api.WalletCreation, error) {
	var data api.WalletCreation
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets", nil, body, options}, &data)
	return data, err
}

// ReadWalletCreation is the operation "Follow the creation of a wallet".
func (c *Client) ReadWalletCreation(ctx context.Context, walletID string, options ...CallOption) (api.WalletCreation, error) {
	var data api.WalletCreation
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/wallets/creation-status/" + url.PathEscape(walletID), nil, nil, options}, &data)
	return data, err
}

// ListWallets is the operation "List wallets".
func (c *Client) ListWallets(ctx context.Context, params *api.ListWalletsParams) iter.Seq2[api.Wallet, error] {
	return pages[api.Wallet](ctx, c, "/api/v1/workspaces/{workspace_id}/wallets", params)
}

// ReadWallet is the operation "Read a wallet".
func (c *Client) ReadWallet(ctx context.Context, walletID string, options ...CallOption) (api.Wallet, error) {
	var data api.Wallet
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/wallets/" + url.PathEscape(walletID), nil, nil, options}, &data)
	return data, err
}

// ChangeWallet is the operation "Change the name, the purpose or the metadata of a wallet".
func (c *Client) ChangeWallet(ctx context.Context, walletID string, body api.ChangeWalletBody, options ...CallOption) (api.Wallet, error) {
	var data api.Wallet
	_, err := c.call(ctx, call{http.MethodPatch, "/api/v1/wallets/" + url.PathEscape(walletID), nil, body, options}, &data)
	return data, err
}

// FreezeWallet is the operation "Freeze a wallet".
func (c *Client) FreezeWallet(ctx context.Context, walletID string, body *api.ReasonBody, options ...CallOption) (api.Wallet, error) {
	var data api.Wallet
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/freeze", nil, body, options}, &data)
	return data, err
}

// UnfreezeWallet is the operation "Unfreeze a wallet".
func (c *Client) UnfreezeWallet(ctx context.Context, walletID string, body *api.ReasonBody, options ...CallOption) (*api.Wallet, *api.AuthorityChange, error) {
	return either[api.Wallet, api.AuthorityChange](ctx, c, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/unfreeze", nil, body, options})
}

// ArchiveWallet is the operation "Archive a wallet".
func (c *Client) ArchiveWallet(ctx context.Context, walletID string, body *api.ReasonBody, options ...CallOption) (api.Wallet, error) {
	var data api.Wallet
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/archive", nil, body, options}, &data)
	return data, err
}

// ReadDepositAddress is the operation "Read where a wallet receives".
func (c *Client) ReadDepositAddress(ctx context.Context, walletID string, params *api.ReadDepositAddressParams, options ...CallOption) (api.DepositAddress, error) {
	var data api.DepositAddress
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/wallets/" + url.PathEscape(walletID) + "/deposit-address", params, nil, options}, &data)
	return data, err
}

// ReadAddress is the operation "Read the deposit address of a chain family (SDK alias)".
func (c *Client) ReadAddress(ctx context.Context, walletID string, params *api.ReadAddressParams, options ...CallOption) (api.DepositAddress, error) {
	var data api.DepositAddress
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/wallets/" + url.PathEscape(walletID) + "/address", params, nil, options}, &data)
	return data, err
}

// ReadWalletDetail is the operation "Read a wallet (SDK alias)".
func (c *Client) ReadWalletDetail(ctx context.Context, walletID string, params *api.ReadWalletDetailParams, options ...CallOption) (api.WalletDetail, error) {
	var data api.WalletDetail
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/web3/wallet-detail/" + url.PathEscape(walletID), params, nil, options}, &data)
	return data, err
}

// ReadOwnWalletDetail is the operation "Read the wallet of the key (SDK alias)".
func (c *Client) ReadOwnWalletDetail(ctx context.Context, params *api.ReadOwnWalletDetailParams, options ...CallOption) (api.WalletDetail, error) {
	var data api.WalletDetail
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/web3/wallet-detail", params, nil, options}, &data)
	return data, err
}

// AttachAsset is the operation "Attach an asset to a wallet".
func (c *Client) AttachAsset(ctx context.Context, walletID string, body api.AttachAssetBody, options ...CallOption) (api.WalletAsset, error) {
	var data api.WalletAsset
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/assets", nil, body, options}, &data)
	return data, err
}

// ListWalletAssets is the operation "List the assets attached to a wallet".
func (c *Client) ListWalletAssets(ctx context.Context, walletID string, params *api.ListWalletAssetsParams) iter.Seq2[api.WalletAsset, error] {
	return pages[api.WalletAsset](ctx, c, "/api/v1/wallets/"+url.PathEscape(walletID)+"/assets", params)
}

// ChangeWalletAsset is the operation "Disable an asset of a wallet, or enable it again".
func (c *Client) ChangeWalletAsset(ctx context.Context, walletID string, assetID string, body api.ChangeWalletAssetBody, options ...CallOption) (api.WalletAsset, error) {
	var data api.WalletAsset
	_, err := c.call(ctx, call{http.MethodPatch, "/api/v1/wallets/" + url.PathEscape(walletID) + "/assets/" + url.PathEscape(assetID), nil, body, options}, &data)
	return data, err
}

// ListWalletBalances is the operation "List the balances of a wallet".
func (c *Client) ListWalletBalances(ctx context.Context, walletID string, params *api.ListWalletBalancesParams) iter.Seq2[api.Balance, error] {
	return pages[api.Balance](ctx, c, "/api/v1/wallets/"+url.PathEscape(walletID)+"/balances", params)
}

// ListBalances is the operation "List the balances of a workspace".
func (c *Client) ListBalances(ctx context.Context, params *api.ListBalancesParams) iter.Seq2[api.Balance, error] {
	return pages[api.Balance](ctx, c, "/api/v1/workspaces/{workspace_id}/balances", params)
}

// ListTransactions is the operation "List transactions".
func (c *Client) ListTransactions(ctx context.Context, params *api.ListTransactionsParams) iter.Seq2[api.Transaction, error] {
	return pages[api.Transaction](ctx, c, "/api/v1/workspaces/{workspace_id}/transactions", params)
}

// ExportTransactions is the operation "Export transactions as CSV".
func (c *Client) ExportTransactions(ctx context.Context, params *api.ExportTransactionsParams) (io.ReadCloser, error) {
	return c.file(ctx, "/api/v1/workspaces/{workspace_id}/transactions/export", params)
}

// ReadTransaction is the operation "Read a transaction".
func (c *Client) ReadTransaction(ctx context.Context, transactionID string, options ...CallOption) (api.Transaction, error) {
	var data api.Transaction
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/transactions/" + url.PathEscape(transactionID), nil, nil, options}, &data)
	return data, err
}

// ReadTransactionStatus is the operation "Follow a withdrawal or a signature (SDK alias)".
func (c *Client) ReadTransactionStatus(ctx context.Context, walletID string, transactionID string, options ...CallOption) (api.TransactionStatus, error) {
	var data api.TransactionStatus
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/" + url.PathEscape(transactionID), nil, nil, options}, &data)
	return data, err
}

// CountWithdrawals is the operation "Count withdrawals".
func (c *Client) CountWithdrawals(ctx context.Context, params *api.CountWithdrawalsParams, options ...CallOption) (int64, error) {
	var data int64
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/withdrawals/count", params, nil, options}, &data)
	return data, err
}

// RequestWithdrawal is the operation "Request a withdrawal".
func (c *Client) RequestWithdrawal(ctx context.Context, walletID string, body api.RequestWithdrawalBody, options ...CallOption) (api.RequestWithdrawalData, error) {
	var data api.RequestWithdrawalData
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/request-withdrawal", nil, body, options}, &data)
	return data, err
}

// EstimateWithdrawal is the operation "Estimate a withdrawal".
func (c *Client) EstimateWithdrawal(ctx context.Context, walletID string, body api.EstimateWithdrawalBody, options ...CallOption) (api.WithdrawalEstimate, error) {
	var data api.WithdrawalEstimate
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/wallets/" + url.PathEscape(walletID) + "/withdrawals/estimate", nil, body, options}, &data)
	return data, err
}

// ListWithdrawals is the operation "List withdrawals".
func (c *Client) ListWithdrawals(ctx context.Context, params *api.ListWithdrawalsParams) iter.Seq2[api.Withdrawal, error] {
	return pages[api.Withdrawal](ctx, c, "/api/v1/workspaces/{workspace_id}/withdrawals", params)
}

// ReadWithdrawal is the operation "Read a withdrawal".
func (c *Client) ReadWithdrawal(ctx context.Context, withdrawalID string, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID), nil, nil, options}, &data)
	return data, err
}

// ReadWithdrawalHistory is the operation "Read the history of a withdrawal".
func (c *Client) ReadWithdrawalHistory(ctx context.Context, withdrawalID string, options ...CallOption) ([]api.WithdrawalHistoryEntry, error) {
	var data []api.WithdrawalHistoryEntry
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/history", nil, nil, options}, &data)
	return data, err
}

// CancelWithdrawal is the operation "Cancel a withdrawal".
func (c *Client) CancelWithdrawal(ctx context.Context, withdrawalID string, body *api.ReasonBody, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/cancel", nil, body, options}, &data)
	return data, err
}

// DropWithdrawal is the operation "Drop a withdrawal".
func (c *Client) DropWithdrawal(ctx context.Context, withdrawalID string, body *api.ReasonBody, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/drop", nil, body, options}, &data)
	return data, err
}

// SpeedUpWithdrawal is the operation "Speed up a withdrawal".
func (c *Client) SpeedUpWithdrawal(ctx context.Context, withdrawalID string, body *api.SpeedUpWithdrawalBody, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/speed-up", nil, body, options}, &data)
	return data, err
}

// SignAny is the operation "Sign a digest, a message, typed data or a transaction (SDK alias)".
func (c *Client) SignAny(ctx context.Context, walletID string, body api.SignAnyBody, options ...CallOption) (api.SignOutcome, error) {
	var data api.SignOutcome
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/" + url.PathEscape(walletID) + "/sign", nil, body, options}, &data)
	return data, err
}

// Sign is the operation "Sign a digest, a message or typed data, or sign and broadcast a transaction".
func (c *Client) Sign(ctx context.Context, walletID string, body api.SignBody, options ...CallOption) (api.SignOutcome, error) {
	var data api.SignOutcome
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/signRaw", nil, body, options}, &data)
	return data, err
}

// SignMessage is the operation "Sign a message (EIP-191, or off-chain on Solana)".
func (c *Client) SignMessage(ctx context.Context, walletID string, body api.SignMessageBody, options ...CallOption) (api.AcceptedSigning, error) {
	var data api.AcceptedSigning
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/signMessage", nil, body, options}, &data)
	return data, err
}

// SignTyped is the operation "Sign typed data (EIP-712)".
func (c *Client) SignTyped(ctx context.Context, walletID string, body api.SignTypedBody, options ...CallOption) (api.AcceptedSigning, error) {
	var data api.AcceptedSigning
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/signTyped", nil, body, options}, &data)
	return data, err
}

// SignTransaction is the operation "Sign a transaction".
func (c *Client) SignTransaction(ctx context.Context, walletID string, body api.SignTransactionBody, options ...CallOption) (api.AcceptedSigning, error) {
	var data api.AcceptedSigning
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/signTransaction", nil, body, options}, &data)
	return data, err
}

// SignBatch is the operation "Sign a batch".
func (c *Client) SignBatch(ctx context.Context, walletID string, body api.SignBatchBody, options ...CallOption) (api.BatchResults, error) {
	var data api.BatchResults
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/web3/transaction/" + url.PathEscape(walletID) + "/signBatch", nil, body, options}, &data)
	return data, err
}

// ListSigningRequests is the operation "List signing operations".
func (c *Client) ListSigningRequests(ctx context.Context, params *api.ListSigningRequestsParams) iter.Seq2[api.SigningRequest, error] {
	return pages[api.SigningRequest](ctx, c, "/api/v1/workspaces/{workspace_id}/signing-requests", params)
}

// CancelSigningRequest is the operation "Cancel a signing operation".
func (c *Client) CancelSigningRequest(ctx context.Context, signingID string, body *api.ReasonBody, options ...CallOption) (api.SigningRequest, error) {
	var data api.SigningRequest
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/signing-requests/" + url.PathEscape(signingID) + "/cancel", nil, body, options}, &data)
	return data, err
}

// ReadSigningRequest is the operation "Read a signing operation".
func (c *Client) ReadSigningRequest(ctx context.Context, signingID string, options ...CallOption) (api.SigningRequest, error) {
	var data api.SigningRequest
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/signing-requests/" + url.PathEscape(signingID), nil, nil, options}, &data)
	return data, err
}

// ReadSigningStatus is the operation "Read a signing operation (SDK alias)".
func (c *Client) ReadSigningStatus(ctx context.Context, walletID string, signingID string, options ...CallOption) (api.SigningAlias, error) {
	var data api.SigningAlias
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/web3/" + url.PathEscape(walletID) + "/sign/" + url.PathEscape(signingID), nil, nil, options}, &data)
	return data, err
}

// ReadPolicy is the operation "Read the policy".
func (c *Client) ReadPolicy(ctx context.Context, options ...CallOption) (api.Policy, error) {
	var data api.Policy
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/policy", nil, nil, options}, &data)
	return data, err
}

// SetPolicy is the operation "Set the policy".
func (c *Client) SetPolicy(ctx context.Context, body api.PolicyDocument, options ...CallOption) (api.Policy, error) {
	var data api.Policy
	_, err := c.call(ctx, call{http.MethodPut, "/api/v1/workspaces/{workspace_id}/policy", nil, body, options}, &data)
	return data, err
}

// ListPolicyVersions is the operation "List every version of the policy".
func (c *Client) ListPolicyVersions(ctx context.Context, params *api.ListPolicyVersionsParams) iter.Seq2[api.PolicyVersion, error] {
	return pages[api.PolicyVersion](ctx, c, "/api/v1/workspaces/{workspace_id}/policy/history", params)
}

// SimulatePolicy is the operation "Try the policy".
func (c *Client) SimulatePolicy(ctx context.Context, body api.SimulatePolicyBody, options ...CallOption) (api.PolicySimulation, error) {
	var data api.PolicySimulation
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/policy/simulate", nil, body, options}, &data)
	return data, err
}

// ListAddressBook is the operation "List the address book".
func (c *Client) ListAddressBook(ctx context.Context, params *api.ListAddressBookParams) iter.Seq2[api.AddressBookEntry, error] {
	return pages[api.AddressBookEntry](ctx, c, "/api/v1/workspaces/{workspace_id}/address-book", params)
}

// AddAddress is the operation "Add to the address book".
func (c *Client) AddAddress(ctx context.Context, body api.AddAddressBody, options ...CallOption) (api.AddressBookEntry, error) {
	var data api.AddressBookEntry
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/address-book", nil, body, options}, &data)
	return data, err
}

// RemoveAddress is the operation "Remove from the address book".
func (c *Client) RemoveAddress(ctx context.Context, addressBookID string, options ...CallOption) (api.AddressBookEntry, error) {
	var data api.AddressBookEntry
	_, err := c.call(ctx, call{http.MethodDelete, "/api/v1/workspaces/{workspace_id}/address-book/" + url.PathEscape(addressBookID), nil, nil, options}, &data)
	return data, err
}

// ApproveWithdrawal is the operation "Approve a withdrawal".
func (c *Client) ApproveWithdrawal(ctx context.Context, withdrawalID string, body *api.ApproveBody, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/approve", nil, body, options}, &data)
	return data, err
}

// ApproveSigningRequest is the operation "Approve a signing operation".
func (c *Client) ApproveSigningRequest(ctx context.Context, signingID string, body *api.ApproveBody, options ...CallOption) (api.SigningRequest, error) {
	var data api.SigningRequest
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/signing-requests/" + url.PathEscape(signingID) + "/approve", nil, body, options}, &data)
	return data, err
}

// ApprovePolicy is the operation "Approve a change of the policy".
func (c *Client) ApprovePolicy(ctx context.Context, body api.ApproveDigestBody, options ...CallOption) (api.Policy, error) {
	var data api.Policy
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/policy/approve", nil, body, options}, &data)
	return data, err
}

// ApproveAddress is the operation "Approve an addition to the address book".
func (c *Client) ApproveAddress(ctx context.Context, addressBookID string, body *api.ApproveBody, options ...CallOption) (api.AddressBookEntry, error) {
	var data api.AddressBookEntry
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/address-book/" + url.PathEscape(addressBookID) + "/approve", nil, body, options}, &data)
	return data, err
}

// ApproveChange is the operation "Approve a change of users, keys or freezes".
func (c *Client) ApproveChange(ctx context.Context, changeID string, body *api.ApproveBody, options ...CallOption) (api.AuthorityChange, error) {
	var data api.AuthorityChange
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/changes/" + url.PathEscape(changeID) + "/approve", nil, body, options}, &data)
	return data, err
}

// RejectWithdrawal is the operation "Reject a withdrawal".
func (c *Client) RejectWithdrawal(ctx context.Context, withdrawalID string, body *api.RejectBody, options ...CallOption) (api.Withdrawal, error) {
	var data api.Withdrawal
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/withdrawals/" + url.PathEscape(withdrawalID) + "/reject", nil, body, options}, &data)
	return data, err
}

// RejectSigningRequest is the operation "Reject a signing operation".
func (c *Client) RejectSigningRequest(ctx context.Context, signingID string, body *api.RejectBody, options ...CallOption) (api.SigningRequest, error) {
	var data api.SigningRequest
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/signing-requests/" + url.PathEscape(signingID) + "/reject", nil, body, options}, &data)
	return data, err
}

// RejectPolicy is the operation "Reject a change of the policy".
func (c *Client) RejectPolicy(ctx context.Context, body api.RejectDigestBody, options ...CallOption) (api.Policy, error) {
	var data api.Policy
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/policy/reject", nil, body, options}, &data)
	return data, err
}

// RejectAddress is the operation "Reject an addition to the address book".
func (c *Client) RejectAddress(ctx context.Context, addressBookID string, body *api.RejectBody, options ...CallOption) (api.AddressBookEntry, error) {
	var data api.AddressBookEntry
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/address-book/" + url.PathEscape(addressBookID) + "/reject", nil, body, options}, &data)
	return data, err
}

// RejectChange is the operation "Reject a change of users, keys or freezes".
func (c *Client) RejectChange(ctx context.Context, changeID string, body *api.RejectBody, options ...CallOption) (api.AuthorityChange, error) {
	var data api.AuthorityChange
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/changes/" + url.PathEscape(changeID) + "/reject", nil, body, options}, &data)
	return data, err
}

// ListEvents is the operation "Follow the events".
func (c *Client) ListEvents(ctx context.Context, params *api.ListEventsParams, options ...CallOption) ([]api.Event, error) {
	var data []api.Event
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/events", params, nil, options}, &data)
	return data, err
}

// ListWebhooks is the operation "List webhooks".
func (c *Client) ListWebhooks(ctx context.Context, params *api.ListWebhooksParams) iter.Seq2[api.Webhook, error] {
	return pages[api.Webhook](ctx, c, "/api/v1/workspaces/{workspace_id}/webhooks", params)
}

// CreateWebhook is the operation "Create a webhook".
func (c *Client) CreateWebhook(ctx context.Context, body api.CreateWebhookBody, options ...CallOption) (api.Webhook, error) {
	var data api.Webhook
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/webhooks", nil, body, options}, &data)
	return data, err
}

// ReadWebhookKey is the operation "Read the key that verifies `v1a` signatures".
func (c *Client) ReadWebhookKey(ctx context.Context, options ...CallOption) (api.ReadWebhookKeyData, error) {
	var data api.ReadWebhookKeyData
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/webhook-verification-key", nil, nil, options}, &data)
	return data, err
}

// ReadWebhook is the operation "Read a webhook".
func (c *Client) ReadWebhook(ctx context.Context, webhookID string, options ...CallOption) (api.Webhook, error) {
	var data api.Webhook
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/webhooks/" + url.PathEscape(webhookID), nil, nil, options}, &data)
	return data, err
}

// ChangeWebhook is the operation "Change a webhook".
func (c *Client) ChangeWebhook(ctx context.Context, webhookID string, body api.ChangeWebhookBody, options ...CallOption) (api.Webhook, error) {
	var data api.Webhook
	_, err := c.call(ctx, call{http.MethodPatch, "/api/v1/webhooks/" + url.PathEscape(webhookID), nil, body, options}, &data)
	return data, err
}

// DeleteWebhook is the operation "Delete a webhook".
func (c *Client) DeleteWebhook(ctx context.Context, webhookID string, options ...CallOption) (api.Webhook, error) {
	var data api.Webhook
	_, err := c.call(ctx, call{http.MethodDelete, "/api/v1/webhooks/" + url.PathEscape(webhookID), nil, nil, options}, &data)
	return data, err
}

// RotateWebhookSecret is the operation "Give a webhook a new secret".
func (c *Client) RotateWebhookSecret(ctx context.Context, webhookID string, options ...CallOption) (api.Webhook, error) {
	var data api.Webhook
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/rotate-secret", nil, nil, options}, &data)
	return data, err
}

// ListDeliveries is the operation "List deliveries".
func (c *Client) ListDeliveries(ctx context.Context, webhookID string, params *api.ListDeliveriesParams) iter.Seq2[api.WebhookDelivery, error] {
	return pages[api.WebhookDelivery](ctx, c, "/api/v1/webhooks/"+url.PathEscape(webhookID)+"/deliveries", params)
}

// PingWebhook is the operation "Test a webhook".
func (c *Client) PingWebhook(ctx context.Context, webhookID string, options ...CallOption) (api.PingWebhookData, error) {
	var data api.PingWebhookData
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/ping", nil, nil, options}, &data)
	return data, err
}

// ReplayWebhook is the operation "Deliver the events of a time again".
func (c *Client) ReplayWebhook(ctx context.Context, webhookID string, body api.ReplayWebhookBody, options ...CallOption) (api.ReplayWebhookData, error) {
	var data api.ReplayWebhookData
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/replay", nil, body, options}, &data)
	return data, err
}

// Redeliver is the operation "Deliver one event again".
func (c *Client) Redeliver(ctx context.Context, deliveryID string, options ...CallOption) (api.WebhookDelivery, error) {
	var data api.WebhookDelivery
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/webhooks/deliveries/" + url.PathEscape(deliveryID) + "/redeliver", nil, nil, options}, &data)
	return data, err
}

// StartExport is the operation "Start an export".
func (c *Client) StartExport(ctx context.Context, body api.StartExportBody, options ...CallOption) (api.Export, error) {
	var data api.Export
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/exports", nil, body, options}, &data)
	return data, err
}

// ListExports is the operation "List exports".
func (c *Client) ListExports(ctx context.Context, params *api.ListExportsParams) iter.Seq2[api.Export, error] {
	return pages[api.Export](ctx, c, "/api/v1/workspaces/{workspace_id}/exports", params)
}

// ReadExport is the operation "Read an export".
func (c *Client) ReadExport(ctx context.Context, exportID string, options ...CallOption) (api.Export, error) {
	var data api.Export
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/exports/" + url.PathEscape(exportID), nil, nil, options}, &data)
	return data, err
}

// CancelExport is the operation "Cancel an export".
func (c *Client) CancelExport(ctx context.Context, exportID string, body *api.ReasonBody, options ...CallOption) (api.Export, error) {
	var data api.Export
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/exports/" + url.PathEscape(exportID) + "/cancel", nil, body, options}, &data)
	return data, err
}

// DownloadExport is the operation "Download an export".
func (c *Client) DownloadExport(ctx context.Context, exportID string) (io.ReadCloser, error) {
	return c.file(ctx, "/api/v1/workspaces/{workspace_id}/exports/"+url.PathEscape(exportID)+"/content", nil)
}

// CreateExportSchedule is the operation "Create an export schedule".
func (c *Client) CreateExportSchedule(ctx context.Context, body api.CreateExportScheduleBody, options ...CallOption) (api.ExportSchedule, error) {
	var data api.ExportSchedule
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/export-schedules", nil, body, options}, &data)
	return data, err
}

// ListExportSchedules is the operation "List export schedules".
func (c *Client) ListExportSchedules(ctx context.Context, params *api.ListExportSchedulesParams) iter.Seq2[api.ExportSchedule, error] {
	return pages[api.ExportSchedule](ctx, c, "/api/v1/workspaces/{workspace_id}/export-schedules", params)
}

// ReadExportSchedule is the operation "Read an export schedule".
func (c *Client) ReadExportSchedule(ctx context.Context, scheduleID string, options ...CallOption) (api.ExportSchedule, error) {
	var data api.ExportSchedule
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/export-schedules/" + url.PathEscape(scheduleID), nil, nil, options}, &data)
	return data, err
}

// DeleteExportSchedule is the operation "Delete an export schedule".
func (c *Client) DeleteExportSchedule(ctx context.Context, scheduleID string, options ...CallOption) (api.ExportSchedule, error) {
	var data api.ExportSchedule
	_, err := c.call(ctx, call{http.MethodDelete, "/api/v1/workspaces/{workspace_id}/export-schedules/" + url.PathEscape(scheduleID), nil, nil, options}, &data)
	return data, err
}

// PauseExportSchedule is the operation "Pause an export schedule".
func (c *Client) PauseExportSchedule(ctx context.Context, scheduleID string, options ...CallOption) (api.ExportSchedule, error) {
	var data api.ExportSchedule
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/export-schedules/" + url.PathEscape(scheduleID) + "/pause", nil, nil, options}, &data)
	return data, err
}

// ResumeExportSchedule is the operation "Resume an export schedule".
func (c *Client) ResumeExportSchedule(ctx context.Context, scheduleID string, options ...CallOption) (api.ExportSchedule, error) {
	var data api.ExportSchedule
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/export-schedules/" + url.PathEscape(scheduleID) + "/resume", nil, nil, options}, &data)
	return data, err
}

// RunExportSchedule is the operation "Run an export schedule now".
func (c *Client) RunExportSchedule(ctx context.Context, scheduleID string, options ...CallOption) (api.Export, error) {
	var data api.Export
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/workspaces/{workspace_id}/export-schedules/" + url.PathEscape(scheduleID) + "/run", nil, nil, options}, &data)
	return data, err
}

// ListAuditLogs is the operation "List the audit log".
func (c *Client) ListAuditLogs(ctx context.Context, params *api.ListAuditLogsParams) iter.Seq2[api.AuditLog, error] {
	return pages[api.AuditLog](ctx, c, "/api/v1/workspaces/{workspace_id}/audit-logs", params)
}

// ExportAuditLogs is the operation "Export the audit log".
func (c *Client) ExportAuditLogs(ctx context.Context, params *api.ExportAuditLogsParams) (io.ReadCloser, error) {
	return c.file(ctx, "/api/v1/workspaces/{workspace_id}/audit-logs/export", params)
}

// VerifyAuditLogs is the operation "Verify the audit log".
func (c *Client) VerifyAuditLogs(ctx context.Context, options ...CallOption) (api.AuditVerification, error) {
	var data api.AuditVerification
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/audit-logs/verify", nil, nil, options}, &data)
	return data, err
}

// ReadAuditHead is the operation "Read the signed head of the audit log".
func (c *Client) ReadAuditHead(ctx context.Context, options ...CallOption) (api.AuditHead, error) {
	var data api.AuditHead
	_, err := c.call(ctx, call{http.MethodGet, "/api/v1/workspaces/{workspace_id}/audit-logs/head", nil, nil, options}, &data)
	return data, err
}

// Faucet is the operation "Pay a wallet from the faucet".
func (c *Client) Faucet(ctx context.Context, body api.FaucetBody, options ...CallOption) (api.FaucetPayment, error) {
	var data api.FaucetPayment
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/sandbox/faucet", nil, body, options}, &data)
	return data, err
}

// Mine is the operation "Mine blocks".
func (c *Client) Mine(ctx context.Context, body api.MineBody, options ...CallOption) (api.Mining, error) {
	var data api.Mining
	_, err := c.call(ctx, call{http.MethodPost, "/api/v1/sandbox/mine", nil, body, options}, &data)
	return data, err
}
