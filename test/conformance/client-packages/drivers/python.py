"""Carries out, with the installed wheel, what the conformance test asks for: one line of JSON in, one line out.

With the argument `async` it does so by the client whose answers are awaited.
"""

import asyncio
import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

import countersign

LOOP = asyncio.new_event_loop()
CLIENTS: dict[str, Any] = {}


class Awaited:
    """An asynchronous client as if it were the other one."""

    def __init__(self, client: countersign.AsyncClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            answer = getattr(self._client, name)(*args, **named)
            if inspect.isawaitable(answer):
                return LOOP.run_until_complete(answer)
            return self._each(answer)

        return call

    def _each(self, rows: Any) -> Any:
        while True:
            try:
                yield LOOP.run_until_complete(anext(rows))
            except StopAsyncIteration:
                return


def connect(_client: Any, name: str, **given: Any) -> None:
    is_async = sys.argv[1:] == ["async"]
    CLIENTS[name] = Awaited(countersign.AsyncClient(**given)) if is_async else countersign.Client(**given)


def create_wallet(client: Any, name: str, idempotency_key: str | None = None) -> Any:
    accepted = client.create_wallet({"name": name, "wallet_type": "mpc"}, idempotency_key=idempotency_key)
    return client.wait_for_wallet(accepted["wallet_id"])


def sign_message(client: Any, wallet_id: str, **body: Any) -> Any:
    accepted = client.sign_message(wallet_id, body)
    return client.wait_for_signature(accepted["signing_request"]["id"])


def sign_transaction(client: Any, wallet_id: str, **body: Any) -> Any:
    accepted = client.sign_transaction(wallet_id, body)
    return client.wait_for_signature(accepted["signing_request"]["id"])


def request_withdrawal(client: Any, wallet_id: str, **body: Any) -> Any:
    return client.request_withdrawal(wallet_id, body)["withdrawal"]


def approve_withdrawal(client: Any, withdrawal_id: str) -> Any:
    digest = client.read_withdrawal(withdrawal_id)["approval"]["digest"]
    return client.approve_withdrawal(withdrawal_id, {"digest": digest})


def sign_request(_client: Any, api_key: str, api_secret: str, **given: Any) -> Any:
    return countersign.sign_request(countersign.Credentials(api_key, api_secret), **given)


CALLS: dict[str, Callable[..., Any]] = {
    "connect": connect,
    "read_wallet": lambda client, wallet_id: client.read_wallet(wallet_id),
    "create_wallet": create_wallet,
    "sign_message": sign_message,
    "sign_transaction": sign_transaction,
    "request_withdrawal": request_withdrawal,
    "approve_withdrawal": approve_withdrawal,
    "reject_withdrawal": lambda client, withdrawal_id: client.reject_withdrawal(withdrawal_id),
    "wait_for_withdrawal": lambda client, withdrawal_id, **given: client.wait_for_withdrawal(withdrawal_id, **given),
    "list_assets": lambda client, **query: list(client.list_assets(**query)),
    "list_wallets": lambda client, **query: list(client.list_wallets(**query)),
    "events": lambda client, **query: list(client.events(**query)),
    "next_event": lambda client, **query: next(iter(client.events(follow=True, **query))),
    "export_transactions": lambda client, **query: client.export_transactions(**query),
    "verify_webhook": lambda _client, **given: countersign.verify_webhook(**given),
    "sign_request": sign_request,
}
KINDS = {
    "RefusedError": "refused",
    "UnreachableError": "unreachable",
    "OperationFailedError": "failed",
    "OperationOpenError": "open",
    "WebhookRefusedError": "webhook",
}


def answer(line: str) -> dict[str, Any]:
    asked = json.loads(line)
    try:
        return {"result": CALLS[asked["call"]](CLIENTS.get(asked["client"]), **asked["given"])}
    except Exception as error:  # noqa: BLE001
        kind = KINDS.get(type(error).__name__, type(error).__name__)
        status, code = getattr(error, "status", None), getattr(error, "code", None)
        return {"error": {"kind": kind, "message": str(error), "status": status, "code": code}}


for asked_for in sys.stdin:
    print(json.dumps(answer(asked_for)), flush=True)
