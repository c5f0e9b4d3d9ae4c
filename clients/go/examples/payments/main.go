// Payments pays from a wallet of the sandbox, as in `go run . .local/credentials.json` beside `npm start`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	countersign "github.com/countersign/countersign/clients/go"
	"github.com/countersign/countersign/clients/go/api"
)

const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

func main() {
	if err := pay(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func pay(ctx context.Context, file string) error {
	client, err := connect(file)
	if err != nil {
		return err
	}
	accepted, err := client.CreateWallet(ctx, api.CreateWalletBody{Name: "Payments", WalletType: "mpc"})
	if err != nil {
		return err
	}
	if _, err := client.WaitForWallet(ctx, accepted.WalletID, time.Minute); err != nil {
		return err
	}
	assetID, err := etherOf(ctx, client)
	if err != nil {
		return err
	}
	if err := fund(ctx, client, accepted.WalletID, assetID); err != nil {
		return err
	}
	body := api.RequestWithdrawalBody{AssetID: &assetID, Amount: "0.25", RecipientAddress: recipient}
	asked, err := client.RequestWithdrawal(ctx, accepted.WalletID, body)
	if err != nil {
		return err
	}
	paid, err := client.WaitForWithdrawal(ctx, asked.Withdrawal.ID, time.Minute)
	if err != nil {
		return err
	}
	fmt.Println("paid", paid.Amount, "by", *paid.TxHash)
	for balance, err := range client.ListBalances(ctx, &api.ListBalancesParams{WalletID: &[]string{accepted.WalletID}}) {
		if err != nil {
			return err
		}
		fmt.Println(balance.Symbol, balance.Available)
	}
	return nil
}

func connect(file string) (*countersign.Client, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var credentials struct {
		BaseURL   string `json:"base_url"`
		APIKey    string `json:"api_key"`
		APISecret string `json:"api_secret"`
	}
	if err := json.Unmarshal(text, &credentials); err != nil {
		return nil, err
	}
	return countersign.New(countersign.Options{
		BaseURL:   credentials.BaseURL,
		APIKey:    credentials.APIKey,
		APISecret: credentials.APISecret,
	}), nil
}

func etherOf(ctx context.Context, client *countersign.Client) (string, error) {
	symbol := "ETH"
	for asset, err := range client.ListAssets(ctx, &api.ListAssetsParams{Symbol: &symbol}) {
		if err != nil {
			return "", err
		}
		if asset.Network.InternalCode == "ETHEREUM_SANDBOX" {
			return asset.ID, nil
		}
	}
	return "", errors.New("there is no ETH on ETHEREUM_SANDBOX")
}

// In the sandbox a faucet pays the wallet. The event says when the deposit is final.
func fund(ctx context.Context, client *countersign.Client, walletID, assetID string) error {
	if _, err := client.Faucet(ctx, api.FaucetBody{WalletID: walletID, AssetID: assetID, Amount: "1"}); err != nil {
		return err
	}
	for event, err := range client.FollowEvents(ctx, 0, "deposit.confirmed") {
		if err != nil {
			return err
		}
		var deposit api.DepositEventData
		if err := json.Unmarshal(event.Data, &deposit); err != nil {
			return err
		}
		if deposit.WalletID == walletID {
			return nil
		}
	}
	return nil
}
