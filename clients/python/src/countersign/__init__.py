"""Client of Countersign, an open MPC wallet and signing service."""

from . import models
from .asynchronous import AsyncClient
from .errors import (
    CountersignError,
    OperationFailedError,
    OperationOpenError,
    RefusedError,
    UnreachableError,
    WebhookRefusedError,
)
from .signing import Credentials, sign_request
from .synchronous import Client
from .webhooks import verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "CountersignError",
    "Credentials",
    "OperationFailedError",
    "OperationOpenError",
    "RefusedError",
    "UnreachableError",
    "WebhookRefusedError",
    "models",
    "sign_request",
    "verify_webhook",
]
