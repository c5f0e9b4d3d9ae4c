"""Pays from a wallet of the sandbox, as in `python payments.py .local/credentials.json` beside `npm start`."""

import json
import sys
from pathlib import Path

from countersign import Client

credentials = json.loads(Path(sys.argv[1]).read_text())
client = Client(credentials["base_url"], credentials["api_key"], credentials["api_secret"])

wallet_id = client.create_wallet({"name": "Payments", "wallet_type": "mpc"})["wallet_id"]
client.wait_for_wallet(wallet_id)
assets = client.list_assets(symbol="ETH")
asset_id = next(asset["id"] for asset in assets if asset["network"]["internal_code"] == "ETHEREUM_SANDBOX")

# In the sandbox a faucet pays the wallet. The event says when the deposit is final.
client.faucet({"wallet_id": wallet_id, "asset_id": asset_id, "amount": "1"})
for event in client.events(type=["deposit.confirmed"], follow=True):
    if event["type"] == "deposit.confirmed" and event["data"]["wallet_id"] == wallet_id:
        break

recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
asked = client.request_withdrawal(
    wallet_id, {"asset_id": asset_id, "amount": "0.25", "recipient_address": recipient}
)
paid = client.wait_for_withdrawal(asked["withdrawal"]["id"])
print("paid", paid["amount"], "by", paid.get("tx_hash"))

for balance in client.list_balances(wallet_id=[wallet_id]):
    print(balance["symbol"], balance["available"])
