// The driver carries out, with the client for Go, what the conformance test asks for: one line of JSON in, one line
// out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"time"

	countersign "github.com/countersign/countersign/clients/go"
	"github.com/countersign/countersign/clients/go/api"
)

const patience = 2 * time.Minute

type asked struct {
	Client string          `json:"client"`
	Call   string          `json:"call"`
	Given  json.RawMessage `json:"given"`
}

type action func(ctx context.Context, client *countersign.Client, given json.RawMessage) (any, error)

var clients = map[string]*countersign.Client{}

var actions = map[string]action{
	"connect":             connect,
	"create_wallet":       createWallet,
	"read_wallet":         readWallet,
	"list_wallets":        listWallets,
	"list_assets":         listAssets,
	"sign_message":        signMessage,
	"sign_transaction":    signTransaction,
	"request_withdrawal":  requestWithdrawal,
	"approve_withdrawal":  approveWithdrawal,
	"reject_withdrawal":   rejectWithdrawal,
	"wait_for_withdrawal": waitForWithdrawal,
	"export_transactions": exportTransactions,
	"events":              events,
	"next_event":          nextEvent,
	"sign_request":        signRequest,
	"verify_webhook":      verifyWebhook,
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var asked asked
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		result, err := actions[asked.Call](context.Background(), clients[asked.Client], asked.Given)
		answer := map[string]any{"result": result}
		if err != nil {
			answer = map[string]any{"error": shown(err)}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

func shown(err error) map[string]any {
	var (
		refused     *countersign.RefusedError
		unreachable *countersign.UnreachableError
		failed      *countersign.OperationFailedError
		open        *countersign.OperationOpenError
		webhook     *countersign.WebhookRefusedError
	)
	answer := map[string]any{"kind": "other", "message": err.Error()}
	switch {
	case errors.As(err, &refused):
		answer["kind"], answer["status"], answer["code"] = "refused", refused.Status, refused.Code
	case errors.As(err, &unreachable):
		answer["kind"] = "unreachable"
	case errors.As(err, &failed):
		answer["kind"] = "failed"
	case errors.As(err, &open):
		answer["kind"] = "open"
	case errors.As(err, &webhook):
		answer["kind"] = "webhook"
	}
	return answer
}

func collected[Row any](rows iter.Seq2[Row, error]) (any, error) {
	all := []Row{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

type fields struct {
	Name           string            `json:"name"`
	BaseURL        string            `json:"base_url"`
	APIKey         string            `json:"api_key"`
	APISecret      string            `json:"api_secret"`
	Retries        *int              `json:"retries"`
	IdempotencyKey string            `json:"idempotency_key"`
	WalletID       string            `json:"wallet_id"`
	WithdrawalID   string            `json:"withdrawal_id"`
	TimeoutSeconds float64           `json:"timeout_seconds"`
	Limit          int               `json:"limit"`
	AfterSeq       int64             `json:"after_seq"`
	Method         string            `json:"method"`
	Path           string            `json:"path"`
	Body           string            `json:"body"`
	UnixSeconds    int64             `json:"unix_seconds"`
	Secret         string            `json:"secret"`
	PublicKey      string            `json:"public_key"`
	NowSeconds     int64             `json:"now_seconds"`
	Headers        map[string]string `json:"headers"`
}

func read(given json.RawMessage) fields {
	var fields fields
	if err := json.Unmarshal(given, &fields); err != nil {
		panic(err)
	}
	return fields
}

func connect(_ context.Context, _ *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	options := countersign.Options{BaseURL: given.BaseURL, APIKey: given.APIKey, APISecret: given.APISecret}
	if given.Retries != nil && *given.Retries == 0 {
		options.Retries = -1
	}
	clients[given.Name] = countersign.New(options)
	return nil, nil
}

func createWallet(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	options := []countersign.CallOption{}
	if given.IdempotencyKey != "" {
		options = append(options, countersign.WithIdempotencyKey(given.IdempotencyKey))
	}
	body := api.CreateWalletBody{Name: given.Name, WalletType: "mpc"}
	accepted, err := client.CreateWallet(ctx, body, options...)
	if err != nil {
		return nil, err
	}
	return client.WaitForWallet(ctx, accepted.WalletID, patience)
}

func readWallet(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	return client.ReadWallet(ctx, read(raw).WalletID)
}

func listWallets(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	return collected(client.ListWallets(ctx, &api.ListWalletsParams{Limit: &given.Limit}))
}

func listAssets(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	return collected(client.ListAssets(ctx, &api.ListAssetsParams{Limit: &given.Limit}))
}

func signMessage(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	var body api.SignMessageBody
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	accepted, err := client.SignMessage(ctx, read(raw).WalletID, body)
	if err != nil {
		return nil, err
	}
	return client.WaitForSignature(ctx, accepted.SigningRequest.ID, patience)
}

func signTransaction(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	var body api.SignTransactionBody
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	accepted, err := client.SignTransaction(ctx, read(raw).WalletID, body)
	if err != nil {
		return nil, err
	}
	return client.WaitForSignature(ctx, accepted.SigningRequest.ID, patience)
}

func requestWithdrawal(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	var body api.RequestWithdrawalBody
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	accepted, err := client.RequestWithdrawal(ctx, read(raw).WalletID, body)
	return accepted.Withdrawal, err
}

func approveWithdrawal(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	seen, err := client.ReadWithdrawal(ctx, given.WithdrawalID)
	if err != nil {
		return nil, err
	}
	return client.ApproveWithdrawal(ctx, seen.ID, &api.ApproveBody{Digest: &seen.Approval.Digest})
}

func rejectWithdrawal(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	return client.RejectWithdrawal(ctx, read(raw).WithdrawalID, nil)
}

func waitForWithdrawal(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	within := patience
	if given.TimeoutSeconds > 0 {
		within = time.Duration(given.TimeoutSeconds * float64(time.Second))
	}
	return client.WaitForWithdrawal(ctx, given.WithdrawalID, within)
}

func exportTransactions(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	var given struct {
		WalletID  []string      `json:"wallet_id"`
		SortOrder api.SortOrder `json:"sort_order"`
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, err
	}
	params := &api.ExportTransactionsParams{WalletID: &given.WalletID, SortOrder: &given.SortOrder}
	file, err := client.ExportTransactions(ctx, params)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	return string(text), err
}

func events(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	return collected(client.Events(ctx, read(raw).AfterSeq))
}

func nextEvent(ctx context.Context, client *countersign.Client, raw json.RawMessage) (any, error) {
	var given struct {
		Type []api.EventType `json:"type"`
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, err
	}
	for event, err := range client.FollowEvents(ctx, read(raw).AfterSeq, given.Type...) {
		return event, err
	}
	return nil, errors.New("the feed ended")
}

func signRequest(_ context.Context, _ *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	credentials := countersign.Credentials{APIKey: given.APIKey, APISecret: given.APISecret}
	header := countersign.SignRequest(credentials, given.Method, given.Path, []byte(given.Body), given.UnixSeconds)
	return map[string]string{
		"ACCESS-API-KEY":   header.Get("ACCESS-API-KEY"),
		"ACCESS-TIMESTAMP": header.Get("ACCESS-TIMESTAMP"),
		"ACCESS-SIGN":      header.Get("ACCESS-SIGN"),
	}, nil
}

func verifyWebhook(_ context.Context, _ *countersign.Client, raw json.RawMessage) (any, error) {
	given := read(raw)
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	keys := countersign.WebhookKeys{PublicKey: given.PublicKey}
	if given.Secret != "" {
		keys.Secrets = []string{given.Secret}
	}
	now := time.Now()
	if given.NowSeconds > 0 {
		now = time.Unix(given.NowSeconds, 0)
	}
	return countersign.VerifyWebhookAt(now, []byte(given.Body), header, keys)
}
