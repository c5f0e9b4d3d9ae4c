"""The three headers that authenticate a request, and the second that a write is signed with."""

import base64
import hashlib
import hmac
import threading
import time
from dataclasses import dataclass, field

_SECONDS_AHEAD_MAX = 240
_REMEMBERED_MAX = 10_000


@dataclass(frozen=True)
class Credentials:
    """Of one API key."""

    api_key: str
    api_secret: str = field(repr=False)


def sign_request(credentials: Credentials, method: str, path: str, body: str, unix_seconds: int) -> dict[str, str]:
    """`path` is with the query string, `body` the exact text; both as they are sent."""
    canonical = f"method={method}&path={path}&timestamp={unix_seconds}&body={body}"
    digest = hmac.new(credentials.api_secret.encode(), canonical.encode(), hashlib.sha256).hexdigest()
    return {
        "ACCESS-API-KEY": credentials.api_key,
        "ACCESS-TIMESTAMP": str(unix_seconds),
        "ACCESS-SIGN": base64.b64encode(digest.encode()).decode(),
    }


class WriteClock:
    """Gives each write the second that it is signed with.

    The service accepts a signature once, and equal writes signed in the same second have equal signatures: the later
    one is dated one second ahead, well within the five minutes that clocks may differ.
    """

    def __init__(self) -> None:
        self._last_second: dict[str, int] = {}
        self._lock = threading.Lock()

    def second_for(self, write: str) -> int:
        now = int(time.time())
        with self._lock:
            second = max(now, self._last_second.get(write, 0) + 1)
            if second > now + _SECONDS_AHEAD_MAX:
                raise ValueError("Too many equal writes at once: vary their bodies.")
            if len(self._last_second) >= _REMEMBERED_MAX:
                self._last_second = {key: at for key, at in self._last_second.items() if at >= now}
            self._last_second[write] = second
        return second
