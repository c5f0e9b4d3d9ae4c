"""Verifies transcripts of the nodes: `python3 verify.py FILE …`. The standard library alone, no code of the nodes."""

import json
import sys
import dkls
import frost
from encoding import Checks
from groups import Refused

KINDS = ["generate", "sign", "sign", "refresh", "sign", "repair"]


def verify(path):
    with open(path, encoding="utf-8") as file:
        transcript = json.load(file)
    if not str(transcript.get("throwaway", "")).startswith("Throw-away keys"):
        raise Refused("the file does not say that its keys are throw-away keys")
    checks = Checks()
    protocol = {"ed25519": frost, "secp256k1": dkls}[transcript["curve"]]
    operations = transcript["operations"]
    checks.equal([operation["kind"] for operation in operations], KINDS, "the list of operations")
    key = None
    for operation in operations:
        kind = operation["kind"]
        if kind == "sign":
            protocol.signing(checks, operation, key)
        elif kind == "repair":
            protocol.repair(checks, operation, key)
        else:
            key = protocol.generation(checks, operation, transcript["threshold"], key)
    return checks.count


def main(paths):
    if not paths:
        sys.exit("usage: python3 verify.py FILE …")
    refused = 0
    for path in paths:
        try:
            print(f"{path}: {verify(path)} checks hold")
        except (Refused, KeyError, ValueError, TypeError, IndexError) as error:
            print(f"{path}: refused: {error}", file=sys.stderr)
            refused += 1
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
