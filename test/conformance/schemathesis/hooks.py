"""Signs what Schemathesis sends, and gives well-formed cases the values that no schema can tell. Changes no answer."""

import hashlib
import hmac
import json
import os
import re
import time
import zlib
from collections import defaultdict

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData

SKEW_SECONDS = 280  # The service allows 300.
SIGNS = re.compile("/sign(Raw|Transaction|Typed|Message|Batch)?$")
NOTHING = "01900000-0000-7000-8000-000000000000"
LINE_MAX = 7_000  # With the headers the service reads 8 KiB.
METHODS_THAT_READ = {"GET", "HEAD", "OPTIONS", "TRACE"}

KNOWN = json.loads(open(os.environ["COUNTERSIGN_KNOWN_FILE"]).read())  # Made by seed.ts, which says what it holds.


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
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict) -> None:
    """
    Lists of a thousand distinct texts take Hypothesis longer than all the rest: the upper bound of such a list is left to the service's own tests. And of several
    values that lead to one shape Schemathesis knows the last alone: the shapes say themselves which values they have.
    """
    forget_long_bounds(raw_schema)
    forget_discriminators(raw_schema)


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
    # A body that is absent or null stays: Schemathesis would take it for wrong once it is set anew.
    if not wrong(ParameterLocation.BODY) and isinstance(case.body, (dict, list)):
        # What is signed is parsed by hand: a quarter of the cases brings what no schema keeps out (see schemathesis.toml).
        as_made = SIGNS.search(case.path) and digest(case.body) % 4 == 0
        case.body = possible(case.body, {} if as_made else known)
        if "digest" in case.body:
            waiting = (KNOWN["digests"].get(id) for id in case.path_parameters.values())
            case.body["digest"] = next(filter(None, waiting), case.body["digest"])
        # One of the two is tried, not both.
        if case.path.endswith("/policy/simulate") and {"withdrawal", "signing"} <= case.body.keys():
            del case.body[("withdrawal", "signing")[digest(case.body) % 2]]
        # Taken once, for ever: the short ones that are made again and again would be nothing but conflicts.
        if isinstance(case.body, dict) and digest(case.body) % 8 != 0:
            case.body.pop("external_id", None)
    return case


@schemathesis.hook
def filter_failure(context: schemathesis.HookContext, failure: Exception, case: schemathesis.Case, response: Response) -> bool:
    """
    What is forgiven. 400 for any string with U+0000, which PostgreSQL does not store: schemas need not say so each time. 400 for an id of the catalogue that an
    earlier answer gave: it may be of another chain than the rest of the body. And 431 of HTTP's own parser, which comes before any route and its statuses.
    """
    request = response.request
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return not (response.status_code == 431 and len(request.url) > LINE_MAX)
    holds_null = "%00" in request.url or b"\\u0000" in (request.body or b"")
    return not (holds_null or brings_another_chain(case))


def brings_another_chain(case: schemathesis.Case) -> bool:
    if case.meta.phase.name != TestPhase.STATEFUL or not isinstance(case.body, dict):
        return False
    known = KNOWN["values"]
    return any(case.body.get(name, known[name][0]) not in known[name] for name in ("asset_id", "network_id"))


@schemathesis.hook
def before_add_examples(context: schemathesis.HookContext, examples: list) -> None:
    """A body that the document shows whole is sent as it stands: callers will copy it. And each id of the path is once that of nothing."""
    shown = [body.definition.get("example") for body in context.operation.body]
    for case in examples:
        body = case.body
        map_case(context, case)
        if body in shown:
            case.body = body
    # Many differed only in their ids.
    examples[:] = {repr((case.path_parameters, case.query, case.body)): case for case in examples}.values()
    for name in examples[0].path_parameters if examples else ():
        if name in KNOWN["values"]:
            lost = examples[0].derive(keep_auth=True)
            lost.path_parameters[name] = NOTHING
            examples.append(lost)


def forget_long_bounds(schema: object) -> None:
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        forget_long_bounds(inner)
    if isinstance(schema, dict) and isinstance(schema.get("maxItems"), int) and schema["maxItems"] > 100:
        del schema["maxItems"]


def forget_discriminators(schema: object) -> None:
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        forget_discriminators(inner)
    if isinstance(schema, dict) and "oneOf" in schema:
        schema.pop("discriminator", None)


def possible(value: object, known: dict, name: str = "") -> object:
    """Puts what exists in the place of what was made up."""
    if name in known:
        chosen = known[name][digest(value) % len(known[name])]
        return [chosen] if isinstance(value, list) and not isinstance(chosen, list) else chosen
    if isinstance(value, dict):
        return {field: possible(inner, known, field) for field, inner in value.items()}
    if isinstance(value, list):
        return [possible(item, known) for item in value]
    return value


def digest(value: object) -> int:
    """The same each time that a case comes again, as shrinking needs."""
    return zlib.crc32(repr(value).encode(errors="replace"))
