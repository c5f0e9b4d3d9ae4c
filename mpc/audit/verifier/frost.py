"""Checks a transcript on ed25519: specification/ed25519.md and RFC 9591, from the bytes that the nodes sent."""

import hashlib
import hmac
from encoding import borsh_bytes, postcard_map, seeded_bytes, statement_of, transcript_hash, varint
from groups import Edwards25519, coefficient, interpolate, total

group = Edwards25519()
CONTEXT = b"FROST-ED25519-SHA512-v1"
# The format 0 and the CRC-32 of the context, most significant byte first.
HEADER = bytes.fromhex("00b169f0da")


def reduced(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % group.order


def scalar_bytes(value):
    return value.to_bytes(32, "little")


def sent(operation, round_number, sender, receiver):
    return bytes.fromhex(operation["rounds"][round_number - 1][str(sender)][str(receiver)])


def broadcast(checks, operation, round_number, sender):
    """What a node has sent to all others alike."""
    receivers = [node for node in operation["nodes"] if node != sender]
    messages = {sent(operation, round_number, sender, receiver) for receiver in receivers}
    checks.equal(len(messages), 1, f"the broadcast of node {sender} in round {round_number}")
    return messages.pop()


def package_of(checks, data, commitments):
    """Commitments to coefficients, and the proof."""
    checks.equal(data[:5], HEADER, "the header of a package")
    checks.equal(data[5:6], varint(commitments), "the number of commitments")
    end = 6 + 32 * commitments
    points = [group.decode(data[at : at + 32]) for at in range(6, end, 32)]
    checks.equal(data[end : end + 1], b"\x40", "the length of a proof")
    checks.equal(len(data), end + 65, "the length of a package")
    return points, group.decode(data[end + 1 : end + 33]), group.scalar(data[end + 33 :])


def evaluated(coefficients, at):
    return sum(value * at**power for power, value in enumerate(coefficients)) % group.order


def evaluated_point(points, at):
    return total(group, (group.multiply(at**power, point) for power, point in enumerate(points)))


def drawn(operation, node, scalars):
    """The scalars that a node drew in round 1: 64 bytes of its source each, modulo the order."""
    data = seeded_bytes(f"{operation['label']}/node {node}/round 1", 64 * scalars)
    numbers = (data[at : at + 64] for at in range(0, len(data), 64))
    return [int.from_bytes(number, "little") % group.order for number in numbers]


def generation(checks, operation, threshold, old):
    """A generation, or with the results of before a refresh, whose polynomials go through zero. Answers the results."""
    nodes, session = operation["nodes"], bytes.fromhex(operation["session_id"])
    name = "frost-refresh" if old else "frost"
    packages = {node: broadcast(checks, operation, 1, node) for node in nodes}
    polynomials, secrets = {}, {}
    for node, data in packages.items():
        points, proof_point, proof = package_of(checks, data, threshold - 1 if old else threshold)
        own = drawn(operation, node, threshold if old else threshold + 1)
        secrets[node] = [0, *own[:-1]] if old else own[:-1]
        polynomials[node] = [group.identity, *points] if old else points
        for secret, point in zip(secrets[node], polynomials[node], strict=True):
            checks.equal(group.multiply(secret, group.generator), point, f"a commitment of node {node}")
        expected = group.multiply(proof, group.generator)
        if not old:
            constant, nonce = group.encode(points[0]), group.encode(proof_point)
            challenge = reduced(CONTEXT, b"dkg", scalar_bytes(node), constant, nonce)
            negated = group.multiply(group.order - challenge, points[0])
            expected = group.add(expected, negated)
        checks.equal(proof_point, expected, f"the proof of node {node}")
    checks.equal(len({group.encode(points[1 if old else 0]) for points in polynomials.values()}), len(nodes),
                 "that all contributions differ")
    spelled = {node: varint(len(data)) + data for node, data in packages.items()}
    echo = transcript_hash(f"countersign/v1/{name}-echo", session, [postcard_map(spelled)])
    for node in nodes:
        checks.equal(broadcast(checks, operation, 2, node), echo, f"the echo of node {node}")
    shares = {}
    for node in nodes:
        shares[node] = evaluated(secrets[node], node) + (old["shares"][node] if old else 0)
        for sender in nodes:
            if sender != node:
                data = sent(operation, 3, sender, node)
                checks.equal(data[:5], HEADER, "the header of a fragment")
                fragment = group.scalar(data[5:])
                expected = evaluated_point(polynomials[sender], node)
                checks.equal(group.multiply(fragment, group.generator), expected, f"a fragment of node {sender}")
                shares[node] += fragment
        shares[node] %= group.order
    summed = [total(group, column) for column in zip(*polynomials.values(), strict=True)]
    key = old["key"] if old else summed[0]
    verifying = {node: evaluated_point(summed, node) for node in nodes}
    if old:
        verifying = {node: group.add(point, old["verifying"][node]) for node, point in verifying.items()}
    chain_code = old["chain_code"] if old else transcript_hash(
        "countersign/v1/chain-code", session, [echo, group.encode(key)])
    listed = b"".join(scalar_bytes(node) + group.encode(verifying[node]) for node in nodes)
    public = HEADER + varint(len(nodes)) + listed + group.encode(key) + b"\x01" + varint(threshold)
    parts = [echo, group.encode(key), public, chain_code]
    transcript = transcript_hash(f"countersign/v1/{name}-transcript", session, parts)
    for node in nodes:
        checks.equal(broadcast(checks, operation, 4, node), transcript, f"the transcript of node {node}")
    result = {"shares": shares, "key": key, "verifying": verifying, "chain_code": chain_code, "public": public}
    for node in nodes:
        of_node = operation["results"][str(node)]
        checks.equal(bytes.fromhex(of_node["transcript"]), transcript, f"the transcript in the result of node {node}")
        check_result(checks, of_node, result, node)
    check_sharing(checks, result, threshold)
    if old:
        for node in nodes:
            checks.true(shares[node] != old["shares"][node], f"that the share of node {node} is a new one")
    return result


def check_result(checks, given, expected, node):
    checks.equal(group.scalar(bytes.fromhex(given["share"])), expected["shares"][node], f"the share of node {node}")
    checks.equal(given["public_key"], group.encode(expected["key"]).hex(), "the public key")
    checks.equal(given["chain_code"], expected["chain_code"].hex(), "the chain code")
    points = [group.encode(point).hex() for _, point in sorted(expected["verifying"].items())]
    checks.equal(given["verifying_shares"], points, "the verifying shares")


def check_sharing(checks, result, threshold):
    """Every share is that of its verifying share, and every quorum's give the key."""
    for node, share in result["shares"].items():
        checks.equal(group.multiply(share, group.generator), result["verifying"][node], f"the share of node {node}")
    nodes = sorted(result["shares"])
    for first in range(len(nodes) - threshold + 1):
        quorum = {node: result["shares"][node] for node in nodes[first : first + threshold]}
        secret = interpolate(group, quorum, 0)
        checks.equal(group.multiply(secret, group.generator), result["key"], "the key that a quorum's shares give")


def child(key, path):
    """The child's public key and the sum of the tweaks."""
    public, chain_code, sum_of_tweaks = key["key"], key["chain_code"], 0
    for index in path:
        data = group.encode(public) + b"\x00" + index.to_bytes(4, "big")
        digest = hmac.digest(chain_code, data, "sha512")
        tweak, chain_code = int.from_bytes(digest[:32], "big") % group.order, digest[32:]
        public = group.add(public, group.multiply(tweak, group.generator))
        sum_of_tweaks = (sum_of_tweaks + tweak) % group.order
    return public, sum_of_tweaks


def signing(checks, operation, key):
    signers, message = operation["nodes"], bytes.fromhex(operation["message"])
    public, tweak = child(key, operation["path"])
    encoded_key = group.encode(public)
    nonces, points, listed = {}, {}, b""
    for node in signers:
        share = (key["shares"][node] + tweak) % group.order
        random = seeded_bytes(f"{operation['label']}/node {node}/round 1", 64)
        halves = (random[:32], random[32:])
        nonces[node] = [reduced(CONTEXT, b"nonce", half, scalar_bytes(share)) for half in halves]
        data = broadcast(checks, operation, 1, node)
        checks.equal(data[:5], HEADER, "the header of commitments")
        checks.equal(len(data), 69, "the length of commitments")
        points[node] = [group.decode(data[5:37]), group.decode(data[37:])]
        for nonce, point in zip(nonces[node], points[node], strict=True):
            checks.equal(group.multiply(nonce, group.generator), point, f"a nonce's commitment of node {node}")
        listed += scalar_bytes(node) + data[5:]
    hashed = [hashlib.sha512(CONTEXT + tag + data).digest() for tag, data in ((b"msg", message), (b"com", listed))]
    factors = {node: reduced(CONTEXT, b"rho", encoded_key, *hashed, scalar_bytes(node)) for node in signers}
    commitments = (group.add(points[node][0], group.multiply(factors[node], points[node][1])) for node in signers)
    nonce_point = group.encode(total(group, commitments))
    challenge = reduced(nonce_point, encoded_key, message)
    responses = 0
    for node in signers:
        weight = coefficient(group, signers, node, 0)
        share = (key["shares"][node] + tweak) % group.order
        expected = (nonces[node][0] + nonces[node][1] * factors[node] + weight * share * challenge) % group.order
        response = group.scalar(broadcast(checks, operation, 2, node))
        checks.equal(response, expected, f"the signature share of node {node}")
        responses = (responses + response) % group.order
    for node in signers:
        signature = bytes.fromhex(operation["results"][str(node)]["signature"])
        checks.equal(signature, nonce_point + scalar_bytes(responses), f"the signature of node {node}")
        checks.equal(operation["results"][str(node)]["recovery_id"], 0, "the recovery id")
        # RFC 8032, section 5.1.7, without the cofactor.
        left = group.multiply(group.scalar(signature[32:]), group.generator)
        right = group.add(group.decode(signature[:32]), group.multiply(challenge, public))
        checks.equal(left, right, "the equation of the signature")


def repair(checks, operation, key):
    target, session = operation["target"], bytes.fromhex(operation["session_id"])
    helpers = [node for node in operation["nodes"] if node != target]
    deltas, sigmas = {}, {}
    for helper in helpers:
        statement, named_key, rest = statement_of(sent(operation, 1, helper, target))
        checks.equal(named_key, group.encode(key["key"]), "the key of a statement")
        checks.equal(rest[: 4 + len(key["public"])], borsh_bytes(key["public"]), "the verifying shares told")
        same = transcript_hash("countersign/v1/repair", session, [statement, key["public"]])
        for other in helpers:
            if other != helper:
                data = sent(operation, 1, helper, other)
                checks.equal(data[:32], same, "the hash of what a helper holds")
                deltas[helper, other] = group.scalar(data[32:])
        sigmas[helper] = group.scalar(sent(operation, 2, helper, target))
    for helper in helpers:
        others = [other for other in helpers if other != helper]
        kept = sigmas[helper] - sum(deltas[other, helper] for other in others)
        given = kept + sum(deltas[helper, other] for other in others)
        weighted = coefficient(group, helpers, helper, target) * key["shares"][helper]
        checks.equal(given % group.order, weighted % group.order, f"the parts of helper {helper}")
    repaired = sum(sigmas.values()) % group.order
    checks.equal(repaired, key["shares"][target], "the sum of what the helpers gave")
    check_result(checks, operation["results"][str(target)], key, target)
