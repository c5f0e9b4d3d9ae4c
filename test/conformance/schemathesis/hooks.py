"""Signs what Schemathesis sends, and gives well-formed cases the values that no schema can tell. Changes no answer and hides no failure."""

import hashlib
import hmac
import json
import os
import time
import zlib
from collections import defaultdict

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

SKEW_SECONDS = 280  # The service allows 300.
METHODS_THAT_READ = {"GET", "HEAD", "OPTIONS", "TRACE"}

KNOWN = json.loads(os.environ["COUNTERSIGN_KNOWN"])  # Made by seed.ts, which says what it holds.


class Signature(requests.auth.AuthBase):
    """Covers the prepared request: the exact path, query and bytes that go out. The probes of `ignored_auth` never come here."""

    def __init__(self) -> None:
        self.used = defaultdict(set)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        key = next(key for key in KNOWN["keys"] if key["within"] in request.path_url)
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode()
        before = f"method={request.method}&path={request.path_url}&timestamp="
        second = self.second_for(request.method, before, body)
        message = f"{before}{second}&body=".encode() + body
        request.headers["ACCESS-API-KEY"] = key["api_key"]
        request.headers["ACCESS-TIMESTAMP"] = str(second)
        request.headers["ACCESS-SIGN"] = hmac.new(key["api_secret"].encode(), message, hashlib.sha256).hexdigest()
        return request

    def second_for(self, method: str, before: str, body: bytes) -> int:
        """The service accepts the signature of a write once: equal writes are dated apart, within the skew that it allows."""
        now = int(time.time())
        if method in METHODS_THAT_READ:
            return now
        used = self.used[before, body]
        second = next(second for second in range(now - SKEW_SECONDS, now + SKEW_SECONDS) if second not in used)
        used.add(second)
        return second


schemathesis.auth.set_from_requests(Signature())


@schemathesis.hook
def filter_case(context: schemathesis.HookContext, case: schemathesis.Case) -> bool:
    """The key that signs must outlive the run: without it every answer would be an untroubled 401."""
    return case.path_parameters.get("api_key_id") not in KNOWN["signing_key_ids"]


@schemathesis.hook
def map_case(context: schemathesis.HookContext, case: schemathesis.Case) -> schemathesis.Case:
    """What was made wrong stays wrong. The paths of stateful cases keep the ids that earlier answers gave them."""
    known = KNOWN["values"] | KNOWN["values"].get(case.operation.label, {})
    wrong = case.meta.is_negative_at
    if not wrong(ParameterLocation.PATH) and case.meta.phase.name != TestPhase.STATEFUL:
        case.path_parameters = possible(case.path_parameters, known)
    if not wrong(ParameterLocation.QUERY):
        # Only the answer with the page before could have given a cursor, and two names for one thing must agree.
        case.query = {name: value for name, value in possible(case.query, known).items() if name not in ("cursor", "sort")}
    if not wrong(ParameterLocation.BODY):
        case.body = possible(case.body, known)
    return case


def possible(value: object, known: dict, name: str = "") -> object:
    """Puts what exists in the place of what was made up, the same each time that a case comes again. PostgreSQL stores no U+0000."""
    if isinstance(value, dict):
        return {field: possible(inner, known, field) for field, inner in value.items()}
    if isinstance(value, list):
        items = [possible(item, known, name) for item in value]
        return list(dict.fromkeys(items)) if name in known else items
    if not isinstance(value, str):
        return value
    if name in known:
        return known[name][zlib.crc32(value.encode(errors="replace")) % len(known[name])]
    return value.replace("\0", "")
