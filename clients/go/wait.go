package countersign

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/countersign/countersign/clients/go/api"
)

const (
	// The longest that the service holds one read.
	heldMax = 30 * time.Second
	// Between reads that the service answers at once, as it does when too many wait.
	unheldPause = 500 * time.Millisecond
)

// WaitForWallet returns once the wallet has its keys and addresses, and an OperationFailedError when it gets none. It
// gives up after `within` with an OperationOpenError; the operation itself goes on.
func (c *Client) WaitForWallet(ctx context.Context, walletID string, within time.Duration) (api.WalletCreation, error) {
	var state api.WalletCreation
	path := "/api/v1/wallets/creation-status/" + url.PathEscape(walletID)
	err := c.untilFinal(ctx, operation{walletID, path, "success", []string{"error"}}, within, &state)
	return state, err
}

// WaitForSignature returns once there is a signature, and an OperationFailedError when there will be none.
func (c *Client) WaitForSignature(ctx context.Context, signingID string, within time.Duration) (api.SigningRequest, error) {
	var state api.SigningRequest
	path := "/api/v1/signing-requests/" + url.PathEscape(signingID)
	err := c.untilFinal(ctx, operation{signingID, path, "success", []string{"failed"}}, within, &state)
	return state, err
}

// WaitForWithdrawal returns once it is completed, and an OperationFailedError when it has ended in any other way.
func (c *Client) WaitForWithdrawal(ctx context.Context, withdrawalID string, within time.Duration) (api.Withdrawal, error) {
	var state api.Withdrawal
	path := "/api/v1/withdrawals/" + url.PathEscape(withdrawalID)
	failures := []string{"failed", "rejected", "cancelled"}
	err := c.untilFinal(ctx, operation{withdrawalID, path, "completed", failures}, within, &state)
	return state, err
}

type operation struct {
	id       string
	path     string
	success  string
	failures []string
}

type progress struct {
	Status       string `json:"status"`
	StatusReason string `json:"status_reason"`
	ErrorCode    string `json:"error_code"`
	ErrorReason  string `json:"error_reason"`
}

// untilFinal reads until the state is final, by reads that the service holds. It outlives a service that is away.
func (c *Client) untilFinal(ctx context.Context, operation operation, within time.Duration, state any) error {
	deadline := time.Now().Add(within)
	var seen progress
	for left := within; left > 0; left = time.Until(deadline) {
		var raw rawData
		wasHeld, err := c.held(ctx, call{http.MethodGet, operation.path, nil, nil, nil}, left, &raw)
		if err != nil {
			return err
		}
		if raw != nil {
			seen = progress{}
			if err := raw.into(&seen); err != nil {
				return err
			}
		}
		if slices.Contains(operation.failures, seen.Status) {
			return &OperationFailedError{operation.id, seen.Status, seen.StatusReason, seen.ErrorCode, seen.ErrorReason}
		}
		if seen.Status == operation.success {
			return raw.into(state)
		}
		if !wasHeld {
			if err := sleep(ctx, min(unheldPause, max(0, time.Until(deadline)))); err != nil {
				return err
			}
		}
	}
	return &OperationOpenError{operation.id, within, seen.Status, seen.StatusReason}
}

// held reads what the service holds back until there is something. When it cannot answer now, nothing is read.
func (c *Client) held(ctx context.Context, call call, left time.Duration, data any) (wasHeld bool, err error) {
	call.options = append(call.options, WithWait(min(heldMax, left+time.Second-1)))
	response, err := c.call(ctx, call, data)
	if err == nil {
		return response.Header.Get("Preference-Applied") == "wait", nil
	}
	var refused *RefusedError
	var unreachable *UnreachableError
	if (errors.As(err, &refused) || errors.As(err, &unreachable)) && isTransient(err) {
		return false, nil
	}
	return false, err
}
