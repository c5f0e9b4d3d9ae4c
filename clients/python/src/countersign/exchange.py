"""What is sent, when it is sent again and how long an operation is waited for, without sending anything.

An exchange is a generator: it yields a `Request` or a `Pause`, gets what came of it, and returns its result. The two
clients carry the same exchanges out, each in its own way.
"""

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import httpx

from .errors import OperationOpenError, RefusedError, UnreachableError
from .signing import Credentials, WriteClock, sign_request

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 5.0
# A service that wants to be left alone for longer is left to the caller.
_LONGEST_RETRY_AFTER_SECONDS = 30.0
_TRANSIENT_STATUSES = (429, 500, 502, 503, 504)
_ANSWER_WITHIN_SECONDS = 30.0
# The longest that the service holds one read.
HELD_MAX_SECONDS = 30
_ANSWER_MARGIN_SECONDS = 15.0
# Between reads that the service answers at once, as it does when too many wait.
_UNHELD_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: str
    headers: Mapping[str, str]
    within_seconds: float


@dataclass(frozen=True)
class Pause:
    seconds: float


Outcome = httpx.Response | httpx.TransportError | None
Result = TypeVar("Result")
Exchange = Generator[Request | Pause, Outcome, Result]


@dataclass(frozen=True)
class Call:
    """One request as its caller means it: every attempt is this."""

    method: str
    path: str
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    within_seconds: float = _ANSWER_WITHIN_SECONDS


@dataclass(frozen=True)
class Answer:
    """Of a request that has succeeded; `data` is None where the answer is no JSON."""

    headers: Mapping[str, str]
    data: Any
    file: bytes


class Sender:
    """Makes exchanges that are signed by one key."""

    def __init__(self, base_url: str, credentials: Credentials, retries: int) -> None:
        self.base_url = base_url.rstrip("/")
        self._credentials = credentials
        self._retries = retries
        self._clock = WriteClock()

    def send(self, call: Call, *, is_file: bool = False) -> Exchange[Answer]:
        """Returns a successful answer; raises RefusedError for any other, UnreachableError when there is none."""
        text = "" if call.body is None else json.dumps(call.body, ensure_ascii=False, separators=(",", ":"))
        own = {name: value for name, value in call.headers.items()}
        if text:
            own["Content-Type"] = "application/json"
        if call.method != "GET":
            own.setdefault("X-Idempotency-Key", str(uuid.uuid4()))
        attempt = 1
        while True:
            write = f"{call.method} {call.path} {text}"
            second = int(time.time()) if call.method == "GET" else self._clock.second_for(write)
            signed = sign_request(self._credentials, call.method, call.path, text, second)
            outcome = yield Request(call.method, call.path, text, own | signed, call.within_seconds)
            try:
                return self._read(outcome, is_file)
            except (RefusedError, UnreachableError) as error:
                pause = pause_after(attempt, error) if attempt <= self._retries else None
                if pause is None:
                    raise
            yield Pause(pause)
            attempt += 1

    def until_final(
        self, operation_id: str, path: str, is_final: Callable[[Any], bool], timeout_seconds: float
    ) -> Exchange[Any]:
        """Reads until the state is final, by reads that the service holds. Outlives a service that is away."""
        deadline = time.monotonic() + timeout_seconds
        seen = None
        while (left := deadline - time.monotonic()) > 0:
            answer = yield from self.held(path, left)
            if answer is not None:
                seen = answer.data
                if is_final(seen):
                    return seen
            if answer is None or answer.headers.get("preference-applied") != "wait":
                yield Pause(min(_UNHELD_PAUSE_SECONDS, max(0.0, deadline - time.monotonic())))
        raise OperationOpenError(operation_id, timeout_seconds, seen)

    def held(self, path: str, left_seconds: float = HELD_MAX_SECONDS) -> Exchange[Answer | None]:
        """None when the service cannot answer now."""
        seconds = max(1, min(HELD_MAX_SECONDS, round(left_seconds + 0.5)))
        headers = {"Prefer": f"wait={seconds}"}
        try:
            return (yield from self.send(Call("GET", path, None, headers, seconds + _ANSWER_MARGIN_SECONDS)))
        except (RefusedError, UnreachableError) as error:
            if is_transient(error):
                return None
            raise

    def events(self, path: str, hold: bool) -> Exchange[Sequence[Any]]:
        """The next page; when it is held and there is nothing, an empty one after a while."""
        if not hold:
            return list((yield from self.send(Call("GET", path))).data)
        answer = yield from self.held(path)
        page = [] if answer is None else list(answer.data)
        if not page and (answer is None or answer.headers.get("preference-applied") != "wait"):
            yield Pause(_UNHELD_PAUSE_SECONDS)
        return page

    def _read(self, outcome: Outcome, is_file: bool) -> Answer:
        if not isinstance(outcome, httpx.Response):
            raise UnreachableError(self.base_url) from outcome
        envelope = _envelope(outcome)
        if outcome.is_success and envelope is not None and envelope["success"] is True:
            return Answer(outcome.headers, envelope.get("data"), b"")
        is_json = outcome.headers.get("content-type", "").startswith("application/json")
        if outcome.is_success and is_file and not is_json:
            return Answer(outcome.headers, None, outcome.content)
        shown = envelope or {"message": "the answer is not from this service: something stands in between"}
        raise RefusedError(
            outcome.status_code,
            str(shown.get("code", "unexpected_answer")),
            str(shown.get("message", "")),
            outcome.headers,
        )


def _envelope(response: httpx.Response) -> dict[str, Any] | None:
    try:
        value = response.json()
    except ValueError:
        return None
    return value if isinstance(value, dict) and "success" in value else None


def is_transient(error: Exception) -> bool:
    """Whether it may be gone a moment later.

    Also true when another client with this key signed an equal write in the same second: nothing was done for this
    one, and the next attempt is signed at another second.
    """
    if isinstance(error, UnreachableError):
        return True
    if not isinstance(error, RefusedError):
        return False
    if error.code == "request_replayed":
        return True
    return error.status in _TRANSIENT_STATUSES and error.code != "route_disabled"


def pause_after(attempt: int, error: Exception) -> float | None:
    """Seconds to pause after this attempt failed, the first being 1; None when there should be no other."""
    if not is_transient(error):
        return None
    asked = _retry_after(error.retry_after) if isinstance(error, RefusedError) else None
    if asked is not None:
        return asked if asked <= _LONGEST_RETRY_AFTER_SECONDS else None
    longest = min(_FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1), _LONGEST_PAUSE_SECONDS)
    # Callers that failed together do not come back together.
    return longest * (0.5 + random.random() / 2)


def _retry_after(text: str | None) -> float | None:
    """Seconds or a date (RFC 9110, section 10.2.3)."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def path_of(template: str, values: Mapping[str, object], query: Mapping[str, object]) -> str:
    """A list is its values with commas between them; what is None is left out."""

    def fill(match: re.Match[str]) -> str:
        return quote(str(values[match[1]]), safe="")

    path = re.sub(r"\{(\w+)\}", fill, template)
    given = {name: _text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given, quote_via=quote, safe='')}" if given else path


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_text(each) for each in value)
    return str(value)


def headers_of(headers: Mapping[str, object]) -> dict[str, str]:
    """As an operation is given them: the seconds to wait are written as RFC 7240 has them."""
    written = {"Prefer": lambda value: f"wait={value}"}
    return {name: written.get(name, str)(value) for name, value in headers.items() if value is not None}


def within_seconds(headers: Mapping[str, object]) -> float:
    """An answer that is held back may come late."""
    wait = headers.get("Prefer")
    return _ANSWER_WITHIN_SECONDS + (float(wait) if isinstance(wait, int) else 0.0)
