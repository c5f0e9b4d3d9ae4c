"""What can go wrong for a caller."""

from collections.abc import Mapping
from typing import Any


class CountersignError(Exception):
    """Whatever this client raises by itself."""


class UnreachableError(CountersignError):
    """No answer: nothing is known of what became of the request. The cause is what httpx raised."""

    def __init__(self, base_url: str) -> None:
        super().__init__(f"{base_url} did not answer.")


class RefusedError(CountersignError):
    """An answer of the service that is no success."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        #: Stable, for programs.
        self.code = code
        #: What to quote to whoever runs the service.
        self.request_id = headers.get("x-request-id")
        #: The header as it came: seconds or a date.
        self.retry_after = headers.get("retry-after")


class OperationFailedError(CountersignError):
    """The operation was accepted and has ended without success."""

    def __init__(self, operation_id: str, operation: Mapping[str, Any]) -> None:
        fields = ("status_reason", "error_code", "error_reason")
        reasons = [str(operation[name]) for name in fields if operation.get(name)]
        super().__init__(f"The operation {operation_id} failed: {', '.join(reasons) or 'no reason is given'}.")
        self.operation_id = operation_id
        self.status_reason: str | None = operation.get("status_reason")
        self.error_code: str | None = operation.get("error_code")
        self.error_reason: str | None = operation.get("error_reason")
        #: As the service shows it.
        self.operation = operation


class OperationOpenError(CountersignError):
    """The operation is still open and goes on; wait for it again by its id."""

    def __init__(self, operation_id: str, within_seconds: float, seen: Mapping[str, Any] | None = None) -> None:
        #: As the service showed it last, or None when it did not answer.
        self.operation = seen
        shown = seen or {}
        reason = f" ({shown['status_reason']})" if shown.get("status_reason") else ""
        state = f": it is {shown['status']}{reason}" if shown.get("status") else ""
        super().__init__(f"The operation {operation_id} was not final within {within_seconds:g} s{state}.")
        self.operation_id = operation_id


class WebhookRefusedError(CountersignError):
    """What came as a webhook is not proven to be from the service, or is not from now."""
