"""The client that waits for each answer."""

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from . import exchange, models, waiting
from .exchange import Call, Exchange, Outcome, Pause, Request, Result, Sender
from .operations import Operations
from .signing import Credentials

_EVENTS = "/api/v1/workspaces/{workspace_id}/events"


class Client(Operations):
    """Every operation of the service as a method; lists are walked page after page. Safe to share among threads."""

    def __init__(
        self, base_url: str, api_key: str, api_secret: str, *, retries: int = 3, http: httpx.Client | None = None
    ) -> None:
        """`http` is for proxies and certificates of your own; it must not follow redirects."""
        self._sender = Sender(base_url, Credentials(api_key, api_secret), retries)
        self._http = http if http is not None else httpx.Client()
        self._workspace_id: str | None = None

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def workspace_id(self) -> str:
        """Of the key's workspace. Asked for once."""
        if self._workspace_id is None:
            self._workspace_id = self.read_own_api_key()["workspace_id"]
        return self._workspace_id

    def wait_for_wallet(
        self, wallet_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.WalletCreation:
        """Returns once the wallet has its keys and addresses; raises OperationFailedError when it gets none."""
        state: models.WalletCreation = self._wait(waiting.WALLET, wallet_id, timeout_seconds)
        return state

    def wait_for_signature(
        self, signing_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.SigningRequest:
        """Returns once there is a signature; raises OperationFailedError when there will be none."""
        state: models.SigningRequest = self._wait(waiting.SIGNATURE, signing_id, timeout_seconds)
        return state

    def wait_for_withdrawal(
        self, withdrawal_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.Withdrawal:
        """Returns once it is completed; raises OperationFailedError when it has ended in any other way."""
        state: models.Withdrawal = self._wait(waiting.WITHDRAWAL, withdrawal_id, timeout_seconds)
        return state

    def events(
        self, *, after_seq: int | None = None, type: Sequence[models.EventType] | None = None, follow: bool = False
    ) -> Iterator[models.Event]:
        """Every event after `after_seq` that there is now, in order; with `follow` those that come as well.

        Without it from the oldest that is kept. Raises RefusedError `invalid_cursor` when some of those after it are not.

        Keep the `seq` of the last one that was dealt with, to go on from.
        """
        while True:
            values = {"workspace_id": self.workspace_id}
            path = exchange.path_of(_EVENTS, values, {"after_seq": after_seq, "type": type})
            page = self._run(self._sender.events(path, follow))
            yield from page
            if page:
                after_seq = page[-1]["seq"]
            elif not follow:
                return

    def _wait(self, kind: waiting.Kind, operation_id: str, timeout_seconds: float) -> Any:
        path = exchange.path_of(kind.path, {"id": operation_id}, {})
        state = self._run(self._sender.until_final(operation_id, path, kind.is_final, timeout_seconds))
        return kind.succeeded(operation_id, state)

    def _call(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        query: Mapping[str, object],
        body: object,
        headers: Mapping[str, object],
    ) -> Any:
        within = exchange.within_seconds(headers)
        call = Call(method, self._path(path, values, query), body, exchange.headers_of(headers), within)
        return self._run(self._sender.send(call)).data

    def _text(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> str:
        return self._bytes(path, values, query).decode()

    def _bytes(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> bytes:
        call = Call("GET", self._path(path, values, query))
        return self._run(self._sender.send(call, is_file=True)).file

    def _each(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            call = Call("GET", self._path(path, values, {**query, "cursor": cursor}))
            page = self._run(self._sender.send(call))
            yield from page.data
            cursor = page.headers.get("x-next-cursor")
            if cursor is None:
                return

    def _path(self, template: str, values: Mapping[str, object], query: Mapping[str, object]) -> str:
        known = {"workspace_id": self.workspace_id} if "{workspace_id}" in template else {}
        return exchange.path_of(template, {**known, **values}, query)

    def _run(self, steps: Exchange[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: Result = end.value
                return result
            outcome = self._do(step)

    def _do(self, step: Request | Pause) -> Outcome:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        try:
            return self._http.request(
                step.method,
                self._sender.base_url + step.path,
                content=step.body.encode() if step.body else None,
                headers=dict(step.headers),
                timeout=step.within_seconds,
                follow_redirects=False,
            )
        except httpx.TransportError as error:
            return error
