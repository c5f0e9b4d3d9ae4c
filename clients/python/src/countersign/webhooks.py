"""Verifies that a webhook came from the service, by the Standard Webhooks specification.

`v1` is proven by the secret of the webhook, `v1a` by the public key of the service. Nothing is remembered: a delivery
that comes twice verifies twice.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from . import models
from .errors import WebhookRefusedError

_TOLERANCE_SECONDS = 300


class Headers(Protocol):
    """As every HTTP server has them: a mapping, or what `http.server` gives."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    *,
    secret: str | Sequence[str] = (),
    public_key: str | None = None,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now_seconds: float | None = None,
) -> models.Event:
    """Returns the event; raises WebhookRefusedError when it is not from the service, or not from now.

    `body` is the one that came: parsed and printed again, it would be another one. `secret` is `whsec_…`, or several
    while one is being replaced; `public_key` is as `read_webhook_key` shows it. One of the two is enough, and with
    both, either signature proves the webhook.
    """
    secrets = [_bytes_of_secret(each) for each in ([secret] if isinstance(secret, str) else secret)]
    key = None if public_key is None else _read_public_key(public_key)
    if not secrets and key is None:
        raise ValueError("Verifying a webhook takes its secret, or the public key of the service.")
    lowered = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp, signatures = (_header(lowered, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookRefusedError("webhook-timestamp is not a time in seconds.")
    now = time.time() if now_seconds is None else now_seconds
    if abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookRefusedError(f"It was signed more than {tolerance_seconds:g} s from now: it may be a repeat.")
    raw = body.encode() if isinstance(body, str) else body
    content = f"{identifier}.{timestamp}.".encode() + raw
    if not any(_is_signature(each, content, secrets, key) for each in signatures.split(" ")):
        raise WebhookRefusedError("None of its signatures is by these keys.")
    event: models.Event = json.loads(raw)
    return event


def _is_signature(signature: str, content: bytes, secrets: Sequence[bytes], key: Ed25519PublicKey | None) -> bool:
    version, _, encoded = signature.partition(",")
    try:
        given = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return False
    if version == "v1":
        return any(hmac.compare_digest(hmac.digest(each, content, hashlib.sha256), given) for each in secrets)
    if version == "v1a" and key is not None:
        try:
            key.verify(given, content)
        except InvalidSignature:
            return False
        return True
    return False


def _bytes_of_secret(secret: str) -> bytes:
    try:
        raw = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raw = b""
    if not raw:
        raise ValueError("The secret of a webhook is whsec_ and base64.")
    return raw


def _read_public_key(public_key: str) -> Ed25519PublicKey:
    try:
        return Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_"), validate=True))
    except ValueError as error:
        raise ValueError("The public key of webhooks is 32 bytes in base64.") from error


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    if not value:
        raise WebhookRefusedError(f"The header {name} is missing.")
    return value
