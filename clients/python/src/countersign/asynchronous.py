"""The client whose answers are awaited."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from . import exchange, models, waiting
from .exchange import Call, Exchange, Outcome, Pause, Request, Result, Sender
from .operations import AsyncOperations
from .signing import Credentials

_EVENTS = "/api/v1/workspaces/{workspace_id}/events"


class AsyncClient(AsyncOperations):
    """Every operation of the service as a method; lists are walked page after page. For one event loop."""

    def __init__(
        self, base_url: str, api_key: str, api_secret: str, *, retries: int = 3, http: httpx.AsyncClient | None = None
    ) -> None:
        """`http` is for proxies and certificates of your own; it must not follow redirects."""
        self._sender = Sender(base_url, Credentials(api_key, api_secret), retries)
        self._http = http if http is not None else httpx.AsyncClient()
        self._workspace_id: str | None = None

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def workspace_id(self) -> str:
        """Of the key's workspace. Asked for once."""
        if self._workspace_id is None:
            self._workspace_id = (await self.read_own_api_key())["workspace_id"]
        return self._workspace_id

    async def wait_for_wallet(
        self, wallet_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.WalletCreation:
        """Returns once the wallet has its keys and addresses; raises OperationFailedError when it gets none."""
        state: models.WalletCreation = await self._wait(waiting.WALLET, wallet_id, timeout_seconds)
        return state

    async def wait_for_signature(
        self, signing_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.SigningRequest:
        """Returns once there is a signature; raises OperationFailedError when there will be none."""
        state: models.SigningRequest = await self._wait(waiting.SIGNATURE, signing_id, timeout_seconds)
        return state

    async def wait_for_withdrawal(
        self, withdrawal_id: str, *, timeout_seconds: float = waiting.TIMEOUT_SECONDS
    ) -> models.Withdrawal:
        """Returns once it is completed; raises OperationFailedError when it has ended in any other way."""
        state: models.Withdrawal = await self._wait(waiting.WITHDRAWAL, withdrawal_id, timeout_seconds)
        return state

    async def events(
        self, *, after_seq: int | None = None, type: Sequence[models.EventType] | None = None, follow: bool = False
    ) -> AsyncIterator[models.Event]:
        """Every event after `after_seq` that there is now, in order; with `follow` those that come as well.

        Without it from the oldest that is kept. Raises RefusedError `invalid_cursor` when some of those after it are not.

        Keep the `seq` of the last one that was dealt with, to go on from.
        """
        while True:
            values = {"workspace_id": await self.workspace_id()}
            path = exchange.path_of(_EVENTS, values, {"after_seq": after_seq, "type": type})
            page = await self._run(self._sender.events(path, follow))
            for event in page:
                yield event
            if page:
                after_seq = page[-1]["seq"]
            elif not follow:
                return

    async def _wait(self, kind: waiting.Kind, operation_id: str, timeout_seconds: float) -> Any:
        path = exchange.path_of(kind.path, {"id": operation_id}, {})
        state = await self._run(self._sender.until_final(operation_id, path, kind.is_final, timeout_seconds))
        return kind.succeeded(operation_id, state)

    async def _call(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        query: Mapping[str, object],
        body: object,
        headers: Mapping[str, object],
    ) -> Any:
        within = exchange.within_seconds(headers)
        call = Call(method, await self._path(path, values, query), body, exchange.headers_of(headers), within)
        return (await self._run(self._sender.send(call))).data

    async def _text(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> str:
        return (await self._bytes(path, values, query)).decode()

    async def _bytes(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> bytes:
        call = Call("GET", await self._path(path, values, query))
        return (await self._run(self._sender.send(call, is_file=True))).file

    async def _each(self, path: str, values: Mapping[str, object], query: Mapping[str, object]) -> AsyncIterator[Any]:
        cursor: str | None = None
        while True:
            call = Call("GET", await self._path(path, values, {**query, "cursor": cursor}))
            page = await self._run(self._sender.send(call))
            for row in page.data:
                yield row
            cursor = page.headers.get("x-next-cursor")
            if cursor is None:
                return

    async def _path(self, template: str, values: Mapping[str, object], query: Mapping[str, object]) -> str:
        known = {"workspace_id": await self.workspace_id()} if "{workspace_id}" in template else {}
        return exchange.path_of(template, {**known, **values}, query)

    async def _run(self, steps: Exchange[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: Result = end.value
                return result
            outcome = await self._do(step)

    async def _do(self, step: Request | Pause) -> Outcome:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._http.request(
                step.method,
                self._sender.base_url + step.path,
                content=step.body.encode() if step.body else None,
                headers=dict(step.headers),
                timeout=step.within_seconds,
                follow_redirects=False,
            )
        except httpx.TransportError as error:
            return error
