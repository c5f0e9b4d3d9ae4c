"""Operations that can be waited for: where each is read, and when it is final."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import OperationFailedError

TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True)
class Kind:
    """Of operations: all final statuses, and the one that is a success."""

    path: str
    success: str
    final: frozenset[str]

    def is_final(self, state: Mapping[str, Any]) -> bool:
        return state["status"] in self.final

    def succeeded(self, operation_id: str, state: Mapping[str, Any]) -> Any:
        if state["status"] != self.success:
            raise OperationFailedError(operation_id, state)
        return state


WALLET = Kind("/api/v1/wallets/creation-status/{id}", "success", frozenset({"success", "error"}))
SIGNATURE = Kind("/api/v1/signing-requests/{id}", "success", frozenset({"success", "failed"}))
WITHDRAWAL = Kind(
    "/api/v1/withdrawals/{id}",
    "completed",
    frozenset({"completed", "failed", "rejected", "cancelled"}),
)
