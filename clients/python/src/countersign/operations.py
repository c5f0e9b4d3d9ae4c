"""Every operation as a method, made from openapi.json by scripts/client-python.ts: run `npm run generate`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal

from . import models

_Values = Mapping[str, object]
_NONE: _Values = {}


class Operations:
    """What the service does, one method for each operation. The workspace is the one of the key."""

    def _call(self, method: str, path: str, values: _Values, query: _Values, body: object, headers: _Values) -> Any:
        raise NotImplementedError

    def _text(self, path: str, values: _Values, query: _Values) -> str:
        raise NotImplementedError

    def _bytes(self, path: str, values: _Values, query: _Values) -> bytes:
        raise NotImplementedError

    def _each(self, path: str, values: _Values, query: _Values) -> Iterator[Any]:
        raise NotImplementedError

    def read_service_status(
        self,
    ) -> models.ServiceStatus:
        """How the service is."""
        answer: models.ServiceStatus = self._call(
            "GET", "/api/v1/observability/status", _NONE, _NONE, None, {}
        )
        return answer

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[models.ApiKey]:
        """List API keys."""
        return self._each("/api/v1/workspaces/{workspace_id}/api-keys", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    def create_api_key(
        self,
        body: models.CreateApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Create an API key."""
        answer: models.ApiKey | models.AuthorityChange = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/api-keys", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_own_api_key(
        self,
    ) -> models.ApiKey:
        """Read the key that signs this request."""
        answer: models.ApiKey = self._call(
            "GET", "/api/v1/api-keys/self", _NONE, _NONE, None, {}
        )
        return answer

    def change_api_key(
        self,
        api_key_id: str,
        body: models.ChangeApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Change an API key."""
        answer: models.ApiKey | models.AuthorityChange = self._call(
            "PATCH", "/api/v1/api-keys/{api_key_id}", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def revoke_api_key(
        self,
        api_key_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey:
        """Revoke an API key."""
        answer: models.ApiKey = self._call(
            "DELETE", "/api/v1/api-keys/{api_key_id}", {"api_key_id": api_key_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def rotate_api_key(
        self,
        api_key_id: str,
        body: models.SecretOverlapBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Give an API key a new secret."""
        answer: models.ApiKey | models.AuthorityChange = self._call(
            "POST", "/api/v1/api-keys/{api_key_id}/rotate", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def take_secret(
        self,
        api_key_id: str,
        body: models.SecretOverlapBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey:
        """Take the secret of a key of your own."""
        answer: models.ApiKey = self._call(
            "POST", "/api/v1/api-keys/{api_key_id}/take-secret", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_users(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[models.User]:
        """List users."""
        return self._each("/api/v1/workspaces/{workspace_id}/users", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    def create_user(
        self,
        body: models.CreateUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.User | models.AuthorityChange:
        """Create a user."""
        answer: models.User | models.AuthorityChange = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/users", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def change_user(
        self,
        user_id: str,
        body: models.ChangeUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.User | models.AuthorityChange:
        """Change a user."""
        answer: models.User | models.AuthorityChange = self._call(
            "PATCH", "/api/v1/users/{user_id}", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def set_roles(
        self,
        user_id: str,
        body: models.RolesBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.GivenRoles | models.AuthorityChange:
        """Give a user roles."""
        answer: models.GivenRoles | models.AuthorityChange = self._call(
            "PUT", "/api/v1/users/{user_id}/roles", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_passkeys(
        self,
        user_id: str,
    ) -> list[models.Passkey]:
        """List the passkeys of a user."""
        answer: list[models.Passkey] = self._call(
            "GET", "/api/v1/users/{user_id}/passkeys", {"user_id": user_id}, _NONE, None, {}
        )
        return answer

    def remove_passkey(
        self,
        passkey_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Passkey:
        """Remove a passkey."""
        answer: models.Passkey = self._call(
            "DELETE", "/api/v1/passkeys/{passkey_id}", {"passkey_id": passkey_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_out_user(
        self,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.EndedSessions:
        """End every session of a user."""
        answer: models.EndedSessions = self._call(
            "POST", "/api/v1/users/{user_id}/sign-out", {"user_id": user_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def create_enrolment_link(
        self,
        user_id: str,
        body: models.EnrolmentLinkBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.EnrolmentLink:
        """Make a link to enrol a passkey."""
        answer: models.EnrolmentLink = self._call(
            "POST", "/api/v1/users/{user_id}/enrolment-links", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_approval_evidence(
        self,
        subject_id: str,
    ) -> models.ApprovalEvidence:
        """Read what proves an approval."""
        answer: models.ApprovalEvidence = self._call(
            "GET", "/api/v1/approvals/{subject_id}/evidence", {"subject_id": subject_id}, _NONE, None, {}
        )
        return answer

    def list_changes(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.ApprovalStatus] | None = None,
    ) -> Iterator[models.AuthorityChange]:
        """List changes of users, keys and freezes."""
        return self._each("/api/v1/workspaces/{workspace_id}/changes", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status})

    def read_change(
        self,
        change_id: str,
    ) -> models.AuthorityChange:
        """Read a change of users, keys or freezes."""
        answer: models.AuthorityChange = self._call(
            "GET", "/api/v1/changes/{change_id}", {"change_id": change_id}, _NONE, None, {}
        )
        return answer

    def freeze_withdrawals(
        self,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalsFreeze:
        """Freeze withdrawals."""
        answer: models.WithdrawalsFreeze = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/withdrawals/freeze", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def unfreeze_withdrawals(
        self,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalsFreeze | models.AuthorityChange:
        """Unfreeze withdrawals."""
        answer: models.WithdrawalsFreeze | models.AuthorityChange = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_assets(
        self,
        *,
        symbol: str | None = None,
        network_id: str | None = None,
        is_native: bool | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Asset]:
        """List supported assets."""
        return self._each("/api/v1/assets", _NONE, {"symbol": symbol, "network_id": network_id, "is_native": is_native, "q": q, "limit": limit})

    def read_asset(
        self,
        asset_id: str,
    ) -> models.Asset:
        """Read an asset."""
        answer: models.Asset = self._call(
            "GET", "/api/v1/assets/{asset_id}", {"asset_id": asset_id}, _NONE, None, {}
        )
        return answer

    def list_networks(
        self,
        *,
        is_testnet: bool | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Network]:
        """List networks."""
        return self._each("/api/v1/networks", _NONE, {"is_testnet": is_testnet, "limit": limit})

    def read_network(
        self,
        network_id: str,
    ) -> models.Network:
        """Read a network."""
        answer: models.Network = self._call(
            "GET", "/api/v1/networks/{network_id}", {"network_id": network_id}, _NONE, None, {}
        )
        return answer

    def read_fees(
        self,
        network_id: str,
    ) -> models.NetworkFees:
        """Read the fees of a network."""
        answer: models.NetworkFees = self._call(
            "GET", "/api/v1/networks/{network_id}/fees", {"network_id": network_id}, _NONE, None, {}
        )
        return answer

    def rescan_transaction(
        self,
        body: models.TransactionRescan,
        *,
        idempotency_key: str | None = None,
    ) -> models.TransactionRescan:
        """Look again at a transaction."""
        answer: models.TransactionRescan = self._call(
            "POST", "/api/v1/networks/rescan-transaction", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def create_wallet(
        self,
        body: models.CreateWalletBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletCreation:
        """Create a wallet."""
        answer: models.WalletCreation = self._call(
            "POST", "/api/v1/wallets", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_wallet_creation(
        self,
        wallet_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.WalletCreation:
        """Follow the creation of a wallet."""
        answer: models.WalletCreation = self._call(
            "GET", "/api/v1/wallets/creation-status/{wallet_id}", {"wallet_id": wallet_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def list_wallets(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WalletStatus] | None = None,
        wallet_type: Sequence[models.WalletType] | None = None,
        external_id: Sequence[str] | None = None,
        name: str | None = None,
        metadata: str | None = None,
        address: Sequence[str] | None = None,
    ) -> Iterator[models.Wallet]:
        """List wallets."""
        return self._each("/api/v1/workspaces/{workspace_id}/wallets", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "wallet_type": wallet_type, "external_id": external_id, "name": name, "metadata": metadata, "address": address})

    def read_wallet(
        self,
        wallet_id: str,
    ) -> models.Wallet:
        """Read a wallet."""
        answer: models.Wallet = self._call(
            "GET", "/api/v1/wallets/{wallet_id}", {"wallet_id": wallet_id}, _NONE, None, {}
        )
        return answer

    def change_wallet(
        self,
        wallet_id: str,
        body: models.ChangeWalletBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Change the name, the purpose or the metadata of a wallet."""
        answer: models.Wallet = self._call(
            "PATCH", "/api/v1/wallets/{wallet_id}", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def freeze_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Freeze a wallet."""
        answer: models.Wallet = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/freeze", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def unfreeze_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet | models.AuthorityChange:
        """Unfreeze a wallet."""
        answer: models.Wallet | models.AuthorityChange = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/unfreeze", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def archive_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Archive a wallet."""
        answer: models.Wallet = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/archive", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_deposit_address(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
        asset_id: str | None = None,
        network_id: str | None = None,
        qr_code: bool | None = None,
    ) -> models.DepositAddress:
        """Read where a wallet receives."""
        answer: models.DepositAddress = self._call(
            "GET", "/api/v1/wallets/{wallet_id}/deposit-address", {"wallet_id": wallet_id}, {"address_type": address_type, "asset_id": asset_id, "network_id": network_id, "qr_code": qr_code}, None, {}
        )
        return answer

    def read_address(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.DepositAddress:
        """Read the deposit address of a chain family (SDK alias)."""
        answer: models.DepositAddress = self._call(
            "GET", "/api/v1/wallets/{wallet_id}/address", {"wallet_id": wallet_id}, {"address_type": address_type}, None, {}
        )
        return answer

    def read_wallet_detail(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.WalletDetail:
        """Read a wallet (SDK alias)."""
        answer: models.WalletDetail = self._call(
            "GET", "/api/v1/web3/wallet-detail/{wallet_id}", {"wallet_id": wallet_id}, {"address_type": address_type}, None, {}
        )
        return answer

    def read_own_wallet_detail(
        self,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.WalletDetail:
        """Read the wallet of the key (SDK alias)."""
        answer: models.WalletDetail = self._call(
            "GET", "/api/v1/web3/wallet-detail", _NONE, {"address_type": address_type}, None, {}
        )
        return answer

    def attach_asset(
        self,
        wallet_id: str,
        body: models.AttachAssetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletAsset:
        """Attach an asset to a wallet."""
        answer: models.WalletAsset = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/assets", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_wallet_assets(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WalletAssetStatus] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
    ) -> Iterator[models.WalletAsset]:
        """List the assets attached to a wallet."""
        return self._each("/api/v1/wallets/{wallet_id}/assets", {"wallet_id": wallet_id}, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "asset_id": asset_id, "network_id": network_id})

    def change_wallet_asset(
        self,
        wallet_id: str,
        asset_id: str,
        body: models.ChangeWalletAssetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletAsset:
        """Disable an asset of a wallet, or enable it again."""
        answer: models.WalletAsset = self._call(
            "PATCH", "/api/v1/wallets/{wallet_id}/assets/{asset_id}", {"wallet_id": wallet_id, "asset_id": asset_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_wallet_balances(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
    ) -> Iterator[models.Balance]:
        """List the balances of a wallet."""
        return self._each("/api/v1/wallets/{wallet_id}/balances", {"wallet_id": wallet_id}, {"limit": limit, "asset_id": asset_id, "network_id": network_id})

    def list_balances(
        self,
        *,
        limit: int | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
    ) -> Iterator[models.Balance]:
        """List the balances of a workspace."""
        return self._each("/api/v1/workspaces/{workspace_id}/balances", _NONE, {"limit": limit, "asset_id": asset_id, "network_id": network_id, "wallet_id": wallet_id})

    def list_transactions(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.TransactionStatusName] | None = None,
        direction: Sequence[models.TransactionDirection] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> Iterator[models.Transaction]:
        """List transactions."""
        return self._each("/api/v1/workspaces/{workspace_id}/transactions", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "direction": direction, "method": method, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "external_id": external_id, "tx_hash": tx_hash, "address": address})

    def export_transactions(
        self,
        *,
        status: Sequence[models.TransactionStatusName] | None = None,
        direction: Sequence[models.TransactionDirection] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        sort_order: models.SortOrder | None = None,
        sort: models.SortOrder | None = None,
        columns: Literal["specified", "all"] | None = None,
        wait_seconds: int | None = None,
    ) -> str:
        """Export transactions as CSV."""
        return self._text("/api/v1/workspaces/{workspace_id}/transactions/export", _NONE, {"status": status, "direction": direction, "method": method, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "external_id": external_id, "tx_hash": tx_hash, "address": address, "from": from_, "to": to, "sort_order": sort_order, "sort": sort, "columns": columns})

    def read_transaction(
        self,
        transaction_id: str,
    ) -> models.Transaction:
        """Read a transaction."""
        answer: models.Transaction = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/transactions/{transaction_id}", {"transaction_id": transaction_id}, _NONE, None, {}
        )
        return answer

    def read_transaction_status(
        self,
        wallet_id: str,
        transaction_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.TransactionStatus:
        """Follow a withdrawal or a signature (SDK alias)."""
        answer: models.TransactionStatus = self._call(
            "GET", "/api/v1/web3/transaction/{wallet_id}/{transaction_id}", {"wallet_id": wallet_id, "transaction_id": transaction_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def count_withdrawals(
        self,
        *,
        status: Sequence[models.WithdrawalStatus] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> int:
        """Count withdrawals."""
        answer: int = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/withdrawals/count", _NONE, {"status": status, "from": from_, "to": to}, None, {}
        )
        return answer

    def request_withdrawal(
        self,
        wallet_id: str,
        body: models.RequestWithdrawalBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.RequestWithdrawalData:
        """Request a withdrawal."""
        answer: models.RequestWithdrawalData = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/request-withdrawal", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def estimate_withdrawal(
        self,
        wallet_id: str,
        body: models.EstimateWithdrawalBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalEstimate:
        """Estimate a withdrawal."""
        answer: models.WithdrawalEstimate = self._call(
            "POST", "/api/v1/wallets/{wallet_id}/withdrawals/estimate", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_withdrawals(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WithdrawalStatus] | None = None,
        sub_status: Sequence[models.WithdrawalSubStatus] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> Iterator[models.Withdrawal]:
        """List withdrawals."""
        return self._each("/api/v1/workspaces/{workspace_id}/withdrawals", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "sub_status": sub_status, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "method": method, "external_id": external_id, "tx_hash": tx_hash, "address": address})

    def read_withdrawal(
        self,
        withdrawal_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.Withdrawal:
        """Read a withdrawal."""
        answer: models.Withdrawal = self._call(
            "GET", "/api/v1/withdrawals/{withdrawal_id}", {"withdrawal_id": withdrawal_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def read_withdrawal_history(
        self,
        withdrawal_id: str,
    ) -> list[models.WithdrawalHistoryEntry]:
        """Read the history of a withdrawal."""
        answer: list[models.WithdrawalHistoryEntry] = self._call(
            "GET", "/api/v1/withdrawals/{withdrawal_id}/history", {"withdrawal_id": withdrawal_id}, _NONE, None, {}
        )
        return answer

    def cancel_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Cancel a withdrawal."""
        answer: models.Withdrawal = self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/cancel", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def drop_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Drop a withdrawal."""
        answer: models.Withdrawal = self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/drop", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def speed_up_withdrawal(
        self,
        withdrawal_id: str,
        body: models.SpeedUpWithdrawalBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Speed up a withdrawal."""
        answer: models.Withdrawal = self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/speed-up", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_any(
        self,
        wallet_id: str,
        body: models.SignAnyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.SignOutcome:
        """Sign a digest, a message, typed data or a transaction (SDK alias)."""
        answer: models.SignOutcome = self._call(
            "POST", "/api/v1/web3/{wallet_id}/sign", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign(
        self,
        wallet_id: str,
        body: models.SignBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.SignOutcome:
        """Sign a digest, a message or typed data, or sign and broadcast a transaction."""
        answer: models.SignOutcome = self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signRaw", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_message(
        self,
        wallet_id: str,
        body: models.SignMessageBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign a message (EIP-191, or off-chain on Solana)."""
        answer: models.AcceptedSigning = self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signMessage", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_typed(
        self,
        wallet_id: str,
        body: models.SignTypedBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign typed data (EIP-712)."""
        answer: models.AcceptedSigning = self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signTyped", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_transaction(
        self,
        wallet_id: str,
        body: models.SignTransactionBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign a transaction."""
        answer: models.AcceptedSigning = self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signTransaction", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def sign_batch(
        self,
        wallet_id: str,
        body: models.SignBatchBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.BatchResults:
        """Sign a batch."""
        answer: models.BatchResults = self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signBatch", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_signing_requests(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.SigningStatus] | None = None,
        wallet_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> Iterator[models.SigningRequest]:
        """List signing operations."""
        return self._each("/api/v1/workspaces/{workspace_id}/signing-requests", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "wallet_id": wallet_id, "network_id": network_id, "external_id": external_id, "address": address})

    def cancel_signing_request(
        self,
        signing_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Cancel a signing operation."""
        answer: models.SigningRequest = self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/cancel", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_signing_request(
        self,
        signing_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.SigningRequest:
        """Read a signing operation."""
        answer: models.SigningRequest = self._call(
            "GET", "/api/v1/signing-requests/{signing_id}", {"signing_id": signing_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def read_signing_status(
        self,
        wallet_id: str,
        signing_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.SigningAlias:
        """Read a signing operation (SDK alias)."""
        answer: models.SigningAlias = self._call(
            "GET", "/api/v1/web3/{wallet_id}/sign/{signing_id}", {"wallet_id": wallet_id, "signing_id": signing_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def read_policy(
        self,
    ) -> models.Policy:
        """Read the policy."""
        answer: models.Policy = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/policy", _NONE, _NONE, None, {}
        )
        return answer

    def set_policy(
        self,
        body: models.PolicyDocument,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Set the policy."""
        answer: models.Policy = self._call(
            "PUT", "/api/v1/workspaces/{workspace_id}/policy", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_policy_versions(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[models.PolicyVersion]:
        """List every version of the policy."""
        return self._each("/api/v1/workspaces/{workspace_id}/policy/history", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    def simulate_policy(
        self,
        body: models.SimulatePolicyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.PolicySimulation:
        """Try the policy."""
        answer: models.PolicySimulation = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/simulate", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_address_book(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        network_id: Sequence[str] | None = None,
    ) -> Iterator[models.AddressBookEntry]:
        """List the address book."""
        return self._each("/api/v1/workspaces/{workspace_id}/address-book", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "network_id": network_id})

    def add_address(
        self,
        body: models.AddAddressBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Add to the address book."""
        answer: models.AddressBookEntry = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def remove_address(
        self,
        address_book_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Remove from the address book."""
        answer: models.AddressBookEntry = self._call(
            "DELETE", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}", {"address_book_id": address_book_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def approve_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Approve a withdrawal."""
        answer: models.Withdrawal = self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/approve", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def approve_signing_request(
        self,
        signing_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Approve a signing operation."""
        answer: models.SigningRequest = self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/approve", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def approve_policy(
        self,
        body: models.ApproveDigestBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Approve a change of the policy."""
        answer: models.Policy = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/approve", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def approve_address(
        self,
        address_book_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Approve an addition to the address book."""
        answer: models.AddressBookEntry = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/approve", {"address_book_id": address_book_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def approve_change(
        self,
        change_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AuthorityChange:
        """Approve a change of users, keys or freezes."""
        answer: models.AuthorityChange = self._call(
            "POST", "/api/v1/changes/{change_id}/approve", {"change_id": change_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def reject_withdrawal(
        self,
        withdrawal_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Reject a withdrawal."""
        answer: models.Withdrawal = self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/reject", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def reject_signing_request(
        self,
        signing_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Reject a signing operation."""
        answer: models.SigningRequest = self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/reject", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def reject_policy(
        self,
        body: models.RejectDigestBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Reject a change of the policy."""
        answer: models.Policy = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/reject", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def reject_address(
        self,
        address_book_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Reject an addition to the address book."""
        answer: models.AddressBookEntry = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/reject", {"address_book_id": address_book_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def reject_change(
        self,
        change_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AuthorityChange:
        """Reject a change of users, keys or freezes."""
        answer: models.AuthorityChange = self._call(
            "POST", "/api/v1/changes/{change_id}/reject", {"change_id": change_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_events(
        self,
        *,
        after_seq: int | None = None,
        limit: int | None = None,
        type: Sequence[models.EventType] | None = None,
        wait_seconds: int | None = None,
    ) -> list[models.Event]:
        """Follow the events."""
        answer: list[models.Event] = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/events", _NONE, {"after_seq": after_seq, "limit": limit, "type": type}, None, {"Prefer": wait_seconds}
        )
        return answer

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[models.Webhook]:
        """List webhooks."""
        return self._each("/api/v1/workspaces/{workspace_id}/webhooks", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    def create_webhook(
        self,
        body: models.CreateWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Create a webhook."""
        answer: models.Webhook = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/webhooks", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def read_webhook_key(
        self,
    ) -> models.ReadWebhookKeyData:
        """Read the key that verifies `v1a` signatures."""
        answer: models.ReadWebhookKeyData = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/webhook-verification-key", _NONE, _NONE, None, {}
        )
        return answer

    def read_webhook(
        self,
        webhook_id: str,
    ) -> models.Webhook:
        """Read a webhook."""
        answer: models.Webhook = self._call(
            "GET", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, None, {}
        )
        return answer

    def change_webhook(
        self,
        webhook_id: str,
        body: models.ChangeWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Change a webhook."""
        answer: models.Webhook = self._call(
            "PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Delete a webhook."""
        answer: models.Webhook = self._call(
            "DELETE", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Give a webhook a new secret."""
        answer: models.Webhook = self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.DeliveryStatus] | None = None,
        event_type: Sequence[models.EventType] | None = None,
    ) -> Iterator[models.WebhookDelivery]:
        """List deliveries."""
        return self._each("/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "event_type": event_type})

    def ping_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.PingWebhookData:
        """Test a webhook."""
        answer: models.PingWebhookData = self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/ping", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def replay_webhook(
        self,
        webhook_id: str,
        body: models.ReplayWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ReplayWebhookData:
        """Deliver the events of a time again."""
        answer: models.ReplayWebhookData = self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/replay", {"webhook_id": webhook_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def redeliver(
        self,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.WebhookDelivery:
        """Deliver one event again."""
        answer: models.WebhookDelivery = self._call(
            "POST", "/api/v1/webhooks/deliveries/{delivery_id}/redeliver", {"delivery_id": delivery_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def start_export(
        self,
        body: models.StartExportBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Start an export."""
        answer: models.Export = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/exports", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_exports(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        content: Sequence[models.ExportContent] | None = None,
        status: Sequence[models.ExportStatus] | None = None,
        schedule_id: Sequence[str] | None = None,
    ) -> Iterator[models.Export]:
        """List exports."""
        return self._each("/api/v1/workspaces/{workspace_id}/exports", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "content": content, "status": status, "schedule_id": schedule_id})

    def read_export(
        self,
        export_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.Export:
        """Read an export."""
        answer: models.Export = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/exports/{export_id}", {"export_id": export_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def cancel_export(
        self,
        export_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Cancel an export."""
        answer: models.Export = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/exports/{export_id}/cancel", {"export_id": export_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def download_export(
        self,
        export_id: str,
    ) -> bytes:
        """Download an export."""
        return self._bytes("/api/v1/workspaces/{workspace_id}/exports/{export_id}/content", {"export_id": export_id}, _NONE)

    def create_export_schedule(
        self,
        body: models.CreateExportScheduleBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Create an export schedule."""
        answer: models.ExportSchedule = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_export_schedules(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[models.ExportSchedule]:
        """List export schedules."""
        return self._each("/api/v1/workspaces/{workspace_id}/export-schedules", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    def read_export_schedule(
        self,
        schedule_id: str,
    ) -> models.ExportSchedule:
        """Read an export schedule."""
        answer: models.ExportSchedule = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}", {"schedule_id": schedule_id}, _NONE, None, {}
        )
        return answer

    def delete_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Delete an export schedule."""
        answer: models.ExportSchedule = self._call(
            "DELETE", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def pause_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Pause an export schedule."""
        answer: models.ExportSchedule = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/pause", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def resume_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Resume an export schedule."""
        answer: models.ExportSchedule = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/resume", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def run_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Run an export schedule now."""
        answer: models.Export = self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/run", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_audit_logs(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        actor_id: Sequence[str] | None = None,
        action: Sequence[str] | None = None,
        outcome: Sequence[models.AuditOutcome] | None = None,
        resource_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
    ) -> Iterator[models.AuditLog]:
        """List the audit log."""
        return self._each("/api/v1/workspaces/{workspace_id}/audit-logs", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "actor_id": actor_id, "action": action, "outcome": outcome, "resource_id": resource_id, "wallet_id": wallet_id})

    def export_audit_logs(
        self,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        actor_id: Sequence[str] | None = None,
        action: Sequence[str] | None = None,
        outcome: Sequence[models.AuditOutcome] | None = None,
        resource_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        sort_order: models.SortOrder | None = None,
        after_seq: int | None = None,
        wait_seconds: int | None = None,
    ) -> str:
        """Export the audit log."""
        return self._text("/api/v1/workspaces/{workspace_id}/audit-logs/export", _NONE, {"format": format, "actor_id": actor_id, "action": action, "outcome": outcome, "resource_id": resource_id, "wallet_id": wallet_id, "from": from_, "to": to, "sort_order": sort_order, "after_seq": after_seq})

    def verify_audit_logs(
        self,
    ) -> models.AuditVerification:
        """Verify the audit log."""
        answer: models.AuditVerification = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/audit-logs/verify", _NONE, _NONE, None, {}
        )
        return answer

    def read_audit_head(
        self,
    ) -> models.AuditHead:
        """Read the signed head of the audit log."""
        answer: models.AuditHead = self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/audit-logs/head", _NONE, _NONE, None, {}
        )
        return answer

    def faucet(
        self,
        body: models.FaucetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.FaucetPayment:
        """Pay a wallet from the faucet."""
        answer: models.FaucetPayment = self._call(
            "POST", "/api/v1/sandbox/faucet", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def mine(
        self,
        body: models.MineBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Mining:
        """Mine blocks."""
        answer: models.Mining = self._call(
            "POST", "/api/v1/sandbox/mine", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer


class AsyncOperations:
    """What the service does, one method for each operation. The workspace is the one of the key."""

    async def _call(self, method: str, path: str, values: _Values, query: _Values, body: object, headers: _Values) -> Any:
        raise NotImplementedError

    async def _text(self, path: str, values: _Values, query: _Values) -> str:
        raise NotImplementedError

    async def _bytes(self, path: str, values: _Values, query: _Values) -> bytes:
        raise NotImplementedError

    def _each(self, path: str, values: _Values, query: _Values) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def read_service_status(
        self,
    ) -> models.ServiceStatus:
        """How the service is."""
        answer: models.ServiceStatus = await self._call(
            "GET", "/api/v1/observability/status", _NONE, _NONE, None, {}
        )
        return answer

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncIterator[models.ApiKey]:
        """List API keys."""
        return self._each("/api/v1/workspaces/{workspace_id}/api-keys", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    async def create_api_key(
        self,
        body: models.CreateApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Create an API key."""
        answer: models.ApiKey | models.AuthorityChange = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/api-keys", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_own_api_key(
        self,
    ) -> models.ApiKey:
        """Read the key that signs this request."""
        answer: models.ApiKey = await self._call(
            "GET", "/api/v1/api-keys/self", _NONE, _NONE, None, {}
        )
        return answer

    async def change_api_key(
        self,
        api_key_id: str,
        body: models.ChangeApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Change an API key."""
        answer: models.ApiKey | models.AuthorityChange = await self._call(
            "PATCH", "/api/v1/api-keys/{api_key_id}", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def revoke_api_key(
        self,
        api_key_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey:
        """Revoke an API key."""
        answer: models.ApiKey = await self._call(
            "DELETE", "/api/v1/api-keys/{api_key_id}", {"api_key_id": api_key_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def rotate_api_key(
        self,
        api_key_id: str,
        body: models.SecretOverlapBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey | models.AuthorityChange:
        """Give an API key a new secret."""
        answer: models.ApiKey | models.AuthorityChange = await self._call(
            "POST", "/api/v1/api-keys/{api_key_id}/rotate", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def take_secret(
        self,
        api_key_id: str,
        body: models.SecretOverlapBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApiKey:
        """Take the secret of a key of your own."""
        answer: models.ApiKey = await self._call(
            "POST", "/api/v1/api-keys/{api_key_id}/take-secret", {"api_key_id": api_key_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_users(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncIterator[models.User]:
        """List users."""
        return self._each("/api/v1/workspaces/{workspace_id}/users", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    async def create_user(
        self,
        body: models.CreateUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.User | models.AuthorityChange:
        """Create a user."""
        answer: models.User | models.AuthorityChange = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/users", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def change_user(
        self,
        user_id: str,
        body: models.ChangeUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.User | models.AuthorityChange:
        """Change a user."""
        answer: models.User | models.AuthorityChange = await self._call(
            "PATCH", "/api/v1/users/{user_id}", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def set_roles(
        self,
        user_id: str,
        body: models.RolesBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.GivenRoles | models.AuthorityChange:
        """Give a user roles."""
        answer: models.GivenRoles | models.AuthorityChange = await self._call(
            "PUT", "/api/v1/users/{user_id}/roles", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def list_passkeys(
        self,
        user_id: str,
    ) -> list[models.Passkey]:
        """List the passkeys of a user."""
        answer: list[models.Passkey] = await self._call(
            "GET", "/api/v1/users/{user_id}/passkeys", {"user_id": user_id}, _NONE, None, {}
        )
        return answer

    async def remove_passkey(
        self,
        passkey_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Passkey:
        """Remove a passkey."""
        answer: models.Passkey = await self._call(
            "DELETE", "/api/v1/passkeys/{passkey_id}", {"passkey_id": passkey_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_out_user(
        self,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.EndedSessions:
        """End every session of a user."""
        answer: models.EndedSessions = await self._call(
            "POST", "/api/v1/users/{user_id}/sign-out", {"user_id": user_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def create_enrolment_link(
        self,
        user_id: str,
        body: models.EnrolmentLinkBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.EnrolmentLink:
        """Make a link to enrol a passkey."""
        answer: models.EnrolmentLink = await self._call(
            "POST", "/api/v1/users/{user_id}/enrolment-links", {"user_id": user_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_approval_evidence(
        self,
        subject_id: str,
    ) -> models.ApprovalEvidence:
        """Read what proves an approval."""
        answer: models.ApprovalEvidence = await self._call(
            "GET", "/api/v1/approvals/{subject_id}/evidence", {"subject_id": subject_id}, _NONE, None, {}
        )
        return answer

    def list_changes(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.ApprovalStatus] | None = None,
    ) -> AsyncIterator[models.AuthorityChange]:
        """List changes of users, keys and freezes."""
        return self._each("/api/v1/workspaces/{workspace_id}/changes", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status})

    async def read_change(
        self,
        change_id: str,
    ) -> models.AuthorityChange:
        """Read a change of users, keys or freezes."""
        answer: models.AuthorityChange = await self._call(
            "GET", "/api/v1/changes/{change_id}", {"change_id": change_id}, _NONE, None, {}
        )
        return answer

    async def freeze_withdrawals(
        self,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalsFreeze:
        """Freeze withdrawals."""
        answer: models.WithdrawalsFreeze = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/withdrawals/freeze", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def unfreeze_withdrawals(
        self,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalsFreeze | models.AuthorityChange:
        """Unfreeze withdrawals."""
        answer: models.WithdrawalsFreeze | models.AuthorityChange = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_assets(
        self,
        *,
        symbol: str | None = None,
        network_id: str | None = None,
        is_native: bool | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[models.Asset]:
        """List supported assets."""
        return self._each("/api/v1/assets", _NONE, {"symbol": symbol, "network_id": network_id, "is_native": is_native, "q": q, "limit": limit})

    async def read_asset(
        self,
        asset_id: str,
    ) -> models.Asset:
        """Read an asset."""
        answer: models.Asset = await self._call(
            "GET", "/api/v1/assets/{asset_id}", {"asset_id": asset_id}, _NONE, None, {}
        )
        return answer

    def list_networks(
        self,
        *,
        is_testnet: bool | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[models.Network]:
        """List networks."""
        return self._each("/api/v1/networks", _NONE, {"is_testnet": is_testnet, "limit": limit})

    async def read_network(
        self,
        network_id: str,
    ) -> models.Network:
        """Read a network."""
        answer: models.Network = await self._call(
            "GET", "/api/v1/networks/{network_id}", {"network_id": network_id}, _NONE, None, {}
        )
        return answer

    async def read_fees(
        self,
        network_id: str,
    ) -> models.NetworkFees:
        """Read the fees of a network."""
        answer: models.NetworkFees = await self._call(
            "GET", "/api/v1/networks/{network_id}/fees", {"network_id": network_id}, _NONE, None, {}
        )
        return answer

    async def rescan_transaction(
        self,
        body: models.TransactionRescan,
        *,
        idempotency_key: str | None = None,
    ) -> models.TransactionRescan:
        """Look again at a transaction."""
        answer: models.TransactionRescan = await self._call(
            "POST", "/api/v1/networks/rescan-transaction", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def create_wallet(
        self,
        body: models.CreateWalletBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletCreation:
        """Create a wallet."""
        answer: models.WalletCreation = await self._call(
            "POST", "/api/v1/wallets", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_wallet_creation(
        self,
        wallet_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.WalletCreation:
        """Follow the creation of a wallet."""
        answer: models.WalletCreation = await self._call(
            "GET", "/api/v1/wallets/creation-status/{wallet_id}", {"wallet_id": wallet_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    def list_wallets(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WalletStatus] | None = None,
        wallet_type: Sequence[models.WalletType] | None = None,
        external_id: Sequence[str] | None = None,
        name: str | None = None,
        metadata: str | None = None,
        address: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Wallet]:
        """List wallets."""
        return self._each("/api/v1/workspaces/{workspace_id}/wallets", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "wallet_type": wallet_type, "external_id": external_id, "name": name, "metadata": metadata, "address": address})

    async def read_wallet(
        self,
        wallet_id: str,
    ) -> models.Wallet:
        """Read a wallet."""
        answer: models.Wallet = await self._call(
            "GET", "/api/v1/wallets/{wallet_id}", {"wallet_id": wallet_id}, _NONE, None, {}
        )
        return answer

    async def change_wallet(
        self,
        wallet_id: str,
        body: models.ChangeWalletBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Change the name, the purpose or the metadata of a wallet."""
        answer: models.Wallet = await self._call(
            "PATCH", "/api/v1/wallets/{wallet_id}", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def freeze_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Freeze a wallet."""
        answer: models.Wallet = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/freeze", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def unfreeze_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet | models.AuthorityChange:
        """Unfreeze a wallet."""
        answer: models.Wallet | models.AuthorityChange = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/unfreeze", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def archive_wallet(
        self,
        wallet_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Wallet:
        """Archive a wallet."""
        answer: models.Wallet = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/archive", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_deposit_address(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
        asset_id: str | None = None,
        network_id: str | None = None,
        qr_code: bool | None = None,
    ) -> models.DepositAddress:
        """Read where a wallet receives."""
        answer: models.DepositAddress = await self._call(
            "GET", "/api/v1/wallets/{wallet_id}/deposit-address", {"wallet_id": wallet_id}, {"address_type": address_type, "asset_id": asset_id, "network_id": network_id, "qr_code": qr_code}, None, {}
        )
        return answer

    async def read_address(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.DepositAddress:
        """Read the deposit address of a chain family (SDK alias)."""
        answer: models.DepositAddress = await self._call(
            "GET", "/api/v1/wallets/{wallet_id}/address", {"wallet_id": wallet_id}, {"address_type": address_type}, None, {}
        )
        return answer

    async def read_wallet_detail(
        self,
        wallet_id: str,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.WalletDetail:
        """Read a wallet (SDK alias)."""
        answer: models.WalletDetail = await self._call(
            "GET", "/api/v1/web3/wallet-detail/{wallet_id}", {"wallet_id": wallet_id}, {"address_type": address_type}, None, {}
        )
        return answer

    async def read_own_wallet_detail(
        self,
        *,
        address_type: models.AddressType | None = None,
    ) -> models.WalletDetail:
        """Read the wallet of the key (SDK alias)."""
        answer: models.WalletDetail = await self._call(
            "GET", "/api/v1/web3/wallet-detail", _NONE, {"address_type": address_type}, None, {}
        )
        return answer

    async def attach_asset(
        self,
        wallet_id: str,
        body: models.AttachAssetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletAsset:
        """Attach an asset to a wallet."""
        answer: models.WalletAsset = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/assets", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_wallet_assets(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WalletAssetStatus] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.WalletAsset]:
        """List the assets attached to a wallet."""
        return self._each("/api/v1/wallets/{wallet_id}/assets", {"wallet_id": wallet_id}, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "asset_id": asset_id, "network_id": network_id})

    async def change_wallet_asset(
        self,
        wallet_id: str,
        asset_id: str,
        body: models.ChangeWalletAssetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WalletAsset:
        """Disable an asset of a wallet, or enable it again."""
        answer: models.WalletAsset = await self._call(
            "PATCH", "/api/v1/wallets/{wallet_id}/assets/{asset_id}", {"wallet_id": wallet_id, "asset_id": asset_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_wallet_balances(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Balance]:
        """List the balances of a wallet."""
        return self._each("/api/v1/wallets/{wallet_id}/balances", {"wallet_id": wallet_id}, {"limit": limit, "asset_id": asset_id, "network_id": network_id})

    def list_balances(
        self,
        *,
        limit: int | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Balance]:
        """List the balances of a workspace."""
        return self._each("/api/v1/workspaces/{workspace_id}/balances", _NONE, {"limit": limit, "asset_id": asset_id, "network_id": network_id, "wallet_id": wallet_id})

    def list_transactions(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.TransactionStatusName] | None = None,
        direction: Sequence[models.TransactionDirection] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Transaction]:
        """List transactions."""
        return self._each("/api/v1/workspaces/{workspace_id}/transactions", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "direction": direction, "method": method, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "external_id": external_id, "tx_hash": tx_hash, "address": address})

    async def export_transactions(
        self,
        *,
        status: Sequence[models.TransactionStatusName] | None = None,
        direction: Sequence[models.TransactionDirection] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        sort_order: models.SortOrder | None = None,
        sort: models.SortOrder | None = None,
        columns: Literal["specified", "all"] | None = None,
        wait_seconds: int | None = None,
    ) -> str:
        """Export transactions as CSV."""
        return await self._text("/api/v1/workspaces/{workspace_id}/transactions/export", _NONE, {"status": status, "direction": direction, "method": method, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "external_id": external_id, "tx_hash": tx_hash, "address": address, "from": from_, "to": to, "sort_order": sort_order, "sort": sort, "columns": columns})

    async def read_transaction(
        self,
        transaction_id: str,
    ) -> models.Transaction:
        """Read a transaction."""
        answer: models.Transaction = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/transactions/{transaction_id}", {"transaction_id": transaction_id}, _NONE, None, {}
        )
        return answer

    async def read_transaction_status(
        self,
        wallet_id: str,
        transaction_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.TransactionStatus:
        """Follow a withdrawal or a signature (SDK alias)."""
        answer: models.TransactionStatus = await self._call(
            "GET", "/api/v1/web3/transaction/{wallet_id}/{transaction_id}", {"wallet_id": wallet_id, "transaction_id": transaction_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    async def count_withdrawals(
        self,
        *,
        status: Sequence[models.WithdrawalStatus] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> int:
        """Count withdrawals."""
        answer: int = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/withdrawals/count", _NONE, {"status": status, "from": from_, "to": to}, None, {}
        )
        return answer

    async def request_withdrawal(
        self,
        wallet_id: str,
        body: models.RequestWithdrawalBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.RequestWithdrawalData:
        """Request a withdrawal."""
        answer: models.RequestWithdrawalData = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/request-withdrawal", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def estimate_withdrawal(
        self,
        wallet_id: str,
        body: models.EstimateWithdrawalBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.WithdrawalEstimate:
        """Estimate a withdrawal."""
        answer: models.WithdrawalEstimate = await self._call(
            "POST", "/api/v1/wallets/{wallet_id}/withdrawals/estimate", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_withdrawals(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.WithdrawalStatus] | None = None,
        sub_status: Sequence[models.WithdrawalSubStatus] | None = None,
        wallet_id: Sequence[str] | None = None,
        asset_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        method: Sequence[models.TransactionMethod] | None = None,
        external_id: Sequence[str] | None = None,
        tx_hash: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Withdrawal]:
        """List withdrawals."""
        return self._each("/api/v1/workspaces/{workspace_id}/withdrawals", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "sub_status": sub_status, "wallet_id": wallet_id, "asset_id": asset_id, "network_id": network_id, "method": method, "external_id": external_id, "tx_hash": tx_hash, "address": address})

    async def read_withdrawal(
        self,
        withdrawal_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.Withdrawal:
        """Read a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "GET", "/api/v1/withdrawals/{withdrawal_id}", {"withdrawal_id": withdrawal_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    async def read_withdrawal_history(
        self,
        withdrawal_id: str,
    ) -> list[models.WithdrawalHistoryEntry]:
        """Read the history of a withdrawal."""
        answer: list[models.WithdrawalHistoryEntry] = await self._call(
            "GET", "/api/v1/withdrawals/{withdrawal_id}/history", {"withdrawal_id": withdrawal_id}, _NONE, None, {}
        )
        return answer

    async def cancel_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Cancel a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/cancel", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def drop_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Drop a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/drop", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def speed_up_withdrawal(
        self,
        withdrawal_id: str,
        body: models.SpeedUpWithdrawalBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Speed up a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/speed-up", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_any(
        self,
        wallet_id: str,
        body: models.SignAnyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.SignOutcome:
        """Sign a digest, a message, typed data or a transaction (SDK alias)."""
        answer: models.SignOutcome = await self._call(
            "POST", "/api/v1/web3/{wallet_id}/sign", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign(
        self,
        wallet_id: str,
        body: models.SignBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.SignOutcome:
        """Sign a digest, a message or typed data, or sign and broadcast a transaction."""
        answer: models.SignOutcome = await self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signRaw", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_message(
        self,
        wallet_id: str,
        body: models.SignMessageBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign a message (EIP-191, or off-chain on Solana)."""
        answer: models.AcceptedSigning = await self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signMessage", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_typed(
        self,
        wallet_id: str,
        body: models.SignTypedBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign typed data (EIP-712)."""
        answer: models.AcceptedSigning = await self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signTyped", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_transaction(
        self,
        wallet_id: str,
        body: models.SignTransactionBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AcceptedSigning:
        """Sign a transaction."""
        answer: models.AcceptedSigning = await self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signTransaction", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def sign_batch(
        self,
        wallet_id: str,
        body: models.SignBatchBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.BatchResults:
        """Sign a batch."""
        answer: models.BatchResults = await self._call(
            "POST", "/api/v1/web3/transaction/{wallet_id}/signBatch", {"wallet_id": wallet_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_signing_requests(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.SigningStatus] | None = None,
        wallet_id: Sequence[str] | None = None,
        network_id: Sequence[str] | None = None,
        external_id: Sequence[str] | None = None,
        address: Sequence[str] | None = None,
    ) -> AsyncIterator[models.SigningRequest]:
        """List signing operations."""
        return self._each("/api/v1/workspaces/{workspace_id}/signing-requests", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "wallet_id": wallet_id, "network_id": network_id, "external_id": external_id, "address": address})

    async def cancel_signing_request(
        self,
        signing_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Cancel a signing operation."""
        answer: models.SigningRequest = await self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/cancel", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_signing_request(
        self,
        signing_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.SigningRequest:
        """Read a signing operation."""
        answer: models.SigningRequest = await self._call(
            "GET", "/api/v1/signing-requests/{signing_id}", {"signing_id": signing_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    async def read_signing_status(
        self,
        wallet_id: str,
        signing_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.SigningAlias:
        """Read a signing operation (SDK alias)."""
        answer: models.SigningAlias = await self._call(
            "GET", "/api/v1/web3/{wallet_id}/sign/{signing_id}", {"wallet_id": wallet_id, "signing_id": signing_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    async def read_policy(
        self,
    ) -> models.Policy:
        """Read the policy."""
        answer: models.Policy = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/policy", _NONE, _NONE, None, {}
        )
        return answer

    async def set_policy(
        self,
        body: models.PolicyDocument,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Set the policy."""
        answer: models.Policy = await self._call(
            "PUT", "/api/v1/workspaces/{workspace_id}/policy", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_policy_versions(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncIterator[models.PolicyVersion]:
        """List every version of the policy."""
        return self._each("/api/v1/workspaces/{workspace_id}/policy/history", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    async def simulate_policy(
        self,
        body: models.SimulatePolicyBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.PolicySimulation:
        """Try the policy."""
        answer: models.PolicySimulation = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/simulate", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_address_book(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        network_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.AddressBookEntry]:
        """List the address book."""
        return self._each("/api/v1/workspaces/{workspace_id}/address-book", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "network_id": network_id})

    async def add_address(
        self,
        body: models.AddAddressBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Add to the address book."""
        answer: models.AddressBookEntry = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def remove_address(
        self,
        address_book_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Remove from the address book."""
        answer: models.AddressBookEntry = await self._call(
            "DELETE", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}", {"address_book_id": address_book_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def approve_withdrawal(
        self,
        withdrawal_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Approve a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/approve", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def approve_signing_request(
        self,
        signing_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Approve a signing operation."""
        answer: models.SigningRequest = await self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/approve", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def approve_policy(
        self,
        body: models.ApproveDigestBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Approve a change of the policy."""
        answer: models.Policy = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/approve", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def approve_address(
        self,
        address_book_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Approve an addition to the address book."""
        answer: models.AddressBookEntry = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/approve", {"address_book_id": address_book_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def approve_change(
        self,
        change_id: str,
        body: models.ApproveBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AuthorityChange:
        """Approve a change of users, keys or freezes."""
        answer: models.AuthorityChange = await self._call(
            "POST", "/api/v1/changes/{change_id}/approve", {"change_id": change_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def reject_withdrawal(
        self,
        withdrawal_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Withdrawal:
        """Reject a withdrawal."""
        answer: models.Withdrawal = await self._call(
            "POST", "/api/v1/withdrawals/{withdrawal_id}/reject", {"withdrawal_id": withdrawal_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def reject_signing_request(
        self,
        signing_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.SigningRequest:
        """Reject a signing operation."""
        answer: models.SigningRequest = await self._call(
            "POST", "/api/v1/signing-requests/{signing_id}/reject", {"signing_id": signing_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def reject_policy(
        self,
        body: models.RejectDigestBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Policy:
        """Reject a change of the policy."""
        answer: models.Policy = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/policy/reject", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def reject_address(
        self,
        address_book_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AddressBookEntry:
        """Reject an addition to the address book."""
        answer: models.AddressBookEntry = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/reject", {"address_book_id": address_book_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def reject_change(
        self,
        change_id: str,
        body: models.RejectBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.AuthorityChange:
        """Reject a change of users, keys or freezes."""
        answer: models.AuthorityChange = await self._call(
            "POST", "/api/v1/changes/{change_id}/reject", {"change_id": change_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def list_events(
        self,
        *,
        after_seq: int | None = None,
        limit: int | None = None,
        type: Sequence[models.EventType] | None = None,
        wait_seconds: int | None = None,
    ) -> list[models.Event]:
        """Follow the events."""
        answer: list[models.Event] = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/events", _NONE, {"after_seq": after_seq, "limit": limit, "type": type}, None, {"Prefer": wait_seconds}
        )
        return answer

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncIterator[models.Webhook]:
        """List webhooks."""
        return self._each("/api/v1/workspaces/{workspace_id}/webhooks", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    async def create_webhook(
        self,
        body: models.CreateWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Create a webhook."""
        answer: models.Webhook = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/webhooks", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def read_webhook_key(
        self,
    ) -> models.ReadWebhookKeyData:
        """Read the key that verifies `v1a` signatures."""
        answer: models.ReadWebhookKeyData = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/webhook-verification-key", _NONE, _NONE, None, {}
        )
        return answer

    async def read_webhook(
        self,
        webhook_id: str,
    ) -> models.Webhook:
        """Read a webhook."""
        answer: models.Webhook = await self._call(
            "GET", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, None, {}
        )
        return answer

    async def change_webhook(
        self,
        webhook_id: str,
        body: models.ChangeWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Change a webhook."""
        answer: models.Webhook = await self._call(
            "PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def delete_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Delete a webhook."""
        answer: models.Webhook = await self._call(
            "DELETE", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Webhook:
        """Give a webhook a new secret."""
        answer: models.Webhook = await self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[models.DeliveryStatus] | None = None,
        event_type: Sequence[models.EventType] | None = None,
    ) -> AsyncIterator[models.WebhookDelivery]:
        """List deliveries."""
        return self._each("/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "status": status, "event_type": event_type})

    async def ping_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.PingWebhookData:
        """Test a webhook."""
        answer: models.PingWebhookData = await self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/ping", {"webhook_id": webhook_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def replay_webhook(
        self,
        webhook_id: str,
        body: models.ReplayWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ReplayWebhookData:
        """Deliver the events of a time again."""
        answer: models.ReplayWebhookData = await self._call(
            "POST", "/api/v1/webhooks/{webhook_id}/replay", {"webhook_id": webhook_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def redeliver(
        self,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.WebhookDelivery:
        """Deliver one event again."""
        answer: models.WebhookDelivery = await self._call(
            "POST", "/api/v1/webhooks/deliveries/{delivery_id}/redeliver", {"delivery_id": delivery_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def start_export(
        self,
        body: models.StartExportBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Start an export."""
        answer: models.Export = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/exports", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_exports(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        content: Sequence[models.ExportContent] | None = None,
        status: Sequence[models.ExportStatus] | None = None,
        schedule_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.Export]:
        """List exports."""
        return self._each("/api/v1/workspaces/{workspace_id}/exports", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "content": content, "status": status, "schedule_id": schedule_id})

    async def read_export(
        self,
        export_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.Export:
        """Read an export."""
        answer: models.Export = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/exports/{export_id}", {"export_id": export_id}, _NONE, None, {"Prefer": wait_seconds}
        )
        return answer

    async def cancel_export(
        self,
        export_id: str,
        body: models.ReasonBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Cancel an export."""
        answer: models.Export = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/exports/{export_id}/cancel", {"export_id": export_id}, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def download_export(
        self,
        export_id: str,
    ) -> bytes:
        """Download an export."""
        return await self._bytes("/api/v1/workspaces/{workspace_id}/exports/{export_id}/content", {"export_id": export_id}, _NONE)

    async def create_export_schedule(
        self,
        body: models.CreateExportScheduleBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Create an export schedule."""
        answer: models.ExportSchedule = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_export_schedules(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncIterator[models.ExportSchedule]:
        """List export schedules."""
        return self._each("/api/v1/workspaces/{workspace_id}/export-schedules", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to})

    async def read_export_schedule(
        self,
        schedule_id: str,
    ) -> models.ExportSchedule:
        """Read an export schedule."""
        answer: models.ExportSchedule = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}", {"schedule_id": schedule_id}, _NONE, None, {}
        )
        return answer

    async def delete_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Delete an export schedule."""
        answer: models.ExportSchedule = await self._call(
            "DELETE", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def pause_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Pause an export schedule."""
        answer: models.ExportSchedule = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/pause", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def resume_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExportSchedule:
        """Resume an export schedule."""
        answer: models.ExportSchedule = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/resume", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def run_export_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Export:
        """Run an export schedule now."""
        answer: models.Export = await self._call(
            "POST", "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/run", {"schedule_id": schedule_id}, _NONE, None, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    def list_audit_logs(
        self,
        *,
        limit: int | None = None,
        sort_by: models.SortColumn | None = None,
        sort_order: models.SortOrder | None = None,
        from_: str | None = None,
        to: str | None = None,
        actor_id: Sequence[str] | None = None,
        action: Sequence[str] | None = None,
        outcome: Sequence[models.AuditOutcome] | None = None,
        resource_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
    ) -> AsyncIterator[models.AuditLog]:
        """List the audit log."""
        return self._each("/api/v1/workspaces/{workspace_id}/audit-logs", _NONE, {"limit": limit, "sort_by": sort_by, "sort_order": sort_order, "from": from_, "to": to, "actor_id": actor_id, "action": action, "outcome": outcome, "resource_id": resource_id, "wallet_id": wallet_id})

    async def export_audit_logs(
        self,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        actor_id: Sequence[str] | None = None,
        action: Sequence[str] | None = None,
        outcome: Sequence[models.AuditOutcome] | None = None,
        resource_id: Sequence[str] | None = None,
        wallet_id: Sequence[str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        sort_order: models.SortOrder | None = None,
        after_seq: int | None = None,
        wait_seconds: int | None = None,
    ) -> str:
        """Export the audit log."""
        return await self._text("/api/v1/workspaces/{workspace_id}/audit-logs/export", _NONE, {"format": format, "actor_id": actor_id, "action": action, "outcome": outcome, "resource_id": resource_id, "wallet_id": wallet_id, "from": from_, "to": to, "sort_order": sort_order, "after_seq": after_seq})

    async def verify_audit_logs(
        self,
    ) -> models.AuditVerification:
        """Verify the audit log."""
        answer: models.AuditVerification = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/audit-logs/verify", _NONE, _NONE, None, {}
        )
        return answer

    async def read_audit_head(
        self,
    ) -> models.AuditHead:
        """Read the signed head of the audit log."""
        answer: models.AuditHead = await self._call(
            "GET", "/api/v1/workspaces/{workspace_id}/audit-logs/head", _NONE, _NONE, None, {}
        )
        return answer

    async def faucet(
        self,
        body: models.FaucetBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.FaucetPayment:
        """Pay a wallet from the faucet."""
        answer: models.FaucetPayment = await self._call(
            "POST", "/api/v1/sandbox/faucet", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer

    async def mine(
        self,
        body: models.MineBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.Mining:
        """Mine blocks."""
        answer: models.Mining = await self._call(
            "POST", "/api/v1/sandbox/mine", _NONE, _NONE, body, {"X-Idempotency-Key": idempotency_key}
        )
        return answer
