"""Checks a transcript on secp256k1: specification/secp256k1.md, from the bytes that the nodes sent. Where their messages
stand whole, oblivious transfers and multiplications too, and with them every value of a signature."""

import hmac
from encoding import Reader, borsh_bytes, postcard_map, statement_of, transcript_hash, varint, xor
from groups import Secp256k1, coefficient, interpolate, interpolate_points, total
from multiplication import Opening, Setup, check_encryptions, products
from oracles import commitment, h, hs, scalar_bytes

group = Secp256k1()


def spelled_point(point):
    return b"\x21" + group.encode(point)


def messages(operation, round_number):
    """Readers of all messages of a round, by sender and receiver."""
    by_sender = operation["rounds"][round_number - 1].items()
    return {(int(s), int(r)): Reader(message) for s, by_receiver in by_sender for r, message in by_receiver.items()}


def zero_share(node, others, seeds, session):
    """A node's share of zero among it and others."""
    share = 0
    for other in others:
        fragment = hs("zero-share/fragment/v1", session, seeds[min(node, other), max(node, other)])
        share += -fragment if node < other else fragment
    return share % group.order


def read_proof(checks, reader, index):
    """A proof of a discrete logarithm with its commitment, and the bytes of both."""
    begin = reader.at
    checks.equal(reader.index(), index, "the index of a proof")
    proof = proof_without_commitment(reader)
    committed = reader.take(32)
    return *proof, committed, reader.data[begin : reader.at]


def proof_without_commitment(reader):
    point = reader.point(group)
    nonces = [reader.point(group) for _ in range(reader.varint())]
    pairs = [(reader.bytes(), reader.scalar(group)) for _ in range(reader.varint())]
    return point, nonces, pairs


def check_committed_proof(checks, proof, session, node):
    point, nonces, pairs, committed, _ = proof
    check_proof(checks, (point, nonces, pairs), session, node)
    encoded = b"".join(group.encode(each) for each in (point, *nonces))
    body = encoded + b"".join(c for c, _ in pairs) + b"".join(scalar_bytes(z) for _, z in pairs)
    checks.equal(h("proofs/dlog/commitment/v1", session, body), committed, f"the commitment of node {node}")


def check_proof(checks, proof, session, node):
    """Fischlin's, as Chen and Lindell randomise it."""
    point, nonces, pairs = proof
    checks.equal((len(nonces), len(set(nonces)), len(pairs)), (64, 64, 64), f"the size of the proof of node {node}")
    encoded = b"".join(group.encode(nonce) for nonce in nonces)
    firsts = []
    for place, (nonce, (challenge, response)) in enumerate(zip(nonces, pairs, strict=True)):
        checks.true(1 <= len(challenge) <= 4, "the length of a challenge")
        tried = group.encode(group.generator) + encoded + place.to_bytes(2, "big") + challenge + scalar_bytes(response)
        firsts.append(h("proofs/dlog/fischlin/v1", session, tried)[0])
        number = int.from_bytes(challenge, "big")
        sides = group.add(group.multiply(response, group.generator), group.multiply(number, point))
        checks.equal(sides, nonce, f"an equation of the proof of node {node}")
    checks.equal(firsts[:32], firsts[32:], f"the hashes of the proof of node {node}")


def corrections(checks, operation, threshold):
    """`Σ_j f_j(i)` for each node. What a polynomial is at its own node was not sent, but follows from the rest."""
    nodes, fragments = operation["nodes"], {}
    for (sender, receiver), reader in messages(operation, 1).items():
        fragments[sender, receiver] = reader.scalar(group)
        reader.end()
    for sender in nodes:
        others = [node for node in nodes if node != sender]
        known = {node: fragments[sender, node] for node in others[:threshold]}
        for node in others[threshold:]:
            checks.equal(interpolate(group, known, node), fragments[sender, node], f"the degree of node {sender}")
        if operation["kind"] == "refresh":
            checks.true(len(known) == threshold, "that enough fragments were sent")
            checks.equal(interpolate(group, known, 0), 0, f"the constant term of node {sender}")
        fragments[sender, sender] = interpolate(group, known, sender)
    return {node: sum(fragments[sender, node] for sender in nodes) % group.order for node in nodes}


def generation(checks, operation, threshold, old):
    """A generation, or with the results of before a complete refresh. Answers the results."""
    nodes, session, refreshes = operation["nodes"], bytes.fromhex(operation["session_id"]), old is not None
    added = corrections(checks, operation, threshold)
    pairs = [(sender, receiver) for sender in nodes for receiver in nodes if sender != receiver]
    second, echoes, fourth = (messages(operation, number) for number in (2, 3, 4))
    broadcasts, of_seeds = {}, {}
    for sender, receiver in pairs:
        reader = second[sender, receiver]
        hashes = reader.take(32 if refreshes else 64)
        checks.equal(broadcasts.setdefault(sender, hashes), hashes, f"the broadcast of node {sender}")
        reader.exactly(bytes([sender, receiver]), "the route of a commitment")
        of_seeds[sender, receiver] = reader.take(32)
        reader.end()
    checks.equal(len({hashes[:32] for hashes in broadcasts.values()}), len(nodes), "that all commitments differ")
    label = "countersign/v1/dkls-refresh" if refreshes else "countersign/v1/dkls"
    echo = transcript_hash(f"{label}-echo", session, [postcard_map(broadcasts)])
    for reader in echoes.values():
        checks.equal(reader.take(32), echo, "an echo")
        reader.end()
    context = [b"refresh-complete", old["party_session"], session] if refreshes else [b"dkg", session]
    proofs, chain_codes, opened, sent = {}, {}, {}, {}
    for sender, receiver in pairs:
        reader = fourth[sender, receiver]
        proof = read_proof(checks, reader, sender)
        if sender not in proofs:
            check_committed_proof(checks, proof, session, sender)
        checks.equal(proofs.setdefault(sender, proof)[4], proof[4], f"that node {sender} sent all the same proof")
        checks.equal(proof[3], broadcasts[sender][:32], f"what node {sender} committed to")
        if not refreshes:
            begin = reader.at
            reader.exactly(bytes([sender]), "the index of a chain code")
            chain_code, salt = reader.take(32), reader.bytes()
            checks.equal(commitment(salt, chain_code), broadcasts[sender][32:], f"the chain code of node {sender}")
            chain_codes[sender], sent[sender] = chain_code, reader.data[begin : reader.at]
        reader.exactly(bytes([sender, receiver]), "the route of a seed")
        seed, salt = reader.take(32), reader.bytes()
        bound = h("zero-share/seed-context/v1", *context, bytes([sender, receiver]))
        checks.equal(commitment(salt, seed + bound), of_seeds[sender, receiver], f"a seed of node {sender}")
        opened[sender, receiver] = seed
        reader.exactly(bytes([sender, receiver]), "the route of a set-up")
    setups = None if any(reader.cut for reader in fourth.values()) else multiplications(checks, operation, fourth, old)
    seeds = {(a, b): xor(opened[a, b], opened[b, a]) for a, b in pairs if a < b}
    for node in nodes:
        checks.equal(group.multiply(added[node], group.generator), proofs[node][0], f"the point of node {node}")
    shares = {node: (added[node] + (old["shares"][node] if refreshes else 0)) % group.order for node in nodes}
    points = {node: group.multiply(share, group.generator) for node, share in shares.items()}
    key = old["key"] if refreshes else interpolate_points(group, {node: points[node] for node in nodes[:threshold]}, 0)
    chain_code = old["chain_code"] if refreshes else xor(*chain_codes.values())
    listed = varint(len(nodes)) + b"".join(proofs[node][4] for node in nodes)
    spelled = postcard_map({node: spelled_point(point) for node, point in points.items()})
    package = spelled_point(key) + spelled + bytes([threshold, len(nodes)])
    further = [] if refreshes else [postcard_map(sent), package]
    parts = [echo, listed, *further, group.encode(key), chain_code]
    transcript = transcript_hash(f"{label}-transcript", session, parts)
    for (sender, _), reader in messages(operation, 5).items():
        checks.equal(reader.take(32), transcript, f"the transcript of node {sender}")
        if refreshes:
            checks.equal(reader.point(group), points[sender], f"the new point of node {sender}")
        reader.end()
    party_session = session
    if refreshes:
        transcript = transcript_hash(f"{label}-points", session, [transcript, spelled])
        attempt = b"".join(bytes([node]) + broadcasts[node] for node in nodes)
        party_session = h("refresh/session/v1", old["party_session"], session, attempt)
    result = {"shares": shares, "points": points, "key": key, "chain_code": chain_code, "seeds": seeds,
              "party_session": party_session, "setups": setups}
    for node in nodes:
        of_node = operation["results"][str(node)]
        checks.equal(bytes.fromhex(of_node["transcript"]), transcript, f"the transcript in the result of node {node}")
        check_result(checks, of_node, result, node)
        if refreshes:
            checks.true(shares[node] != old["shares"][node], f"that the share of node {node} is a new one")
    for first in range(len(nodes) - threshold + 1):
        quorum = {node: shares[node] for node in nodes[first : first + threshold]}
        secret = interpolate(group, quorum, 0)
        checks.equal(group.multiply(secret, group.generator), key, "the key that a quorum's shares give")
    return result


def multiplications(checks, operation, messages_with_setups, old):
    """The set-ups of all pairs by receiver and sender. Each message is read up to its proof of `z`."""
    session, told = bytes.fromhex(operation["session_id"]), {}
    for (sender, receiver), reader in messages_with_setups.items():
        told[sender, receiver] = (proof_without_commitment(reader), reader.scalar(group))
    setups = {}
    for (receiver, sender), (proof, nonce) in told.items():
        route = bytes([receiver, sender])
        about = b"Multiplication protocol" + route + session
        if old is not None:
            about = h("refresh/mul-session/v1", old["party_session"], route[:1], route[1:], session)
        check_proof(checks, proof, about, receiver)
        check_encryptions(checks, messages_with_setups[sender, receiver], about)
        both, one = (operation["results"][str(node)]["oblivious_transfers"][str(other)]
                     for node, other in ((receiver, sender), (sender, receiver)))
        setups[receiver, sender] = Setup(checks, about, nonce, both, one)
    return setups


def check_result(checks, given, expected, node):
    checks.equal(group.scalar(bytes.fromhex(given["share"])), expected["shares"][node], f"the share of node {node}")
    checks.equal(given["point"], group.encode(expected["points"][node]).hex(), f"the point of node {node}")
    checks.equal(given["public_key"], group.encode(expected["key"]).hex(), "the public key")
    checks.equal(given["chain_code"], expected["chain_code"].hex(), "the chain code")
    checks.equal(given["party_session"], expected["party_session"].hex(), "the party session")


def child(key, path):
    """BIP-32 without hardened steps: the child's key, its chain code and the sum of the tweaks."""
    public, chain_code, tweaks = key["key"], key["chain_code"], 0
    for index in path:
        digest = hmac.digest(chain_code, group.encode(public) + index.to_bytes(4, "big"), "sha512")
        tweak, chain_code = group.scalar(digest[:32]), digest[32:]
        public = group.add(public, group.multiply(tweak, group.generator))
        tweaks = (tweaks + tweak) % group.order
    return public, chain_code, tweaks


def signing(checks, operation, key):
    signers, digest = operation["nodes"], bytes.fromhex(operation["message"])
    public, chain_code, tweak = child(key, operation["path"])
    session = bytes.fromhex(operation["session_id"])
    about = [key["party_session"], session, chain_code, group.encode(public), digest, bytes(signers)]
    first, second, third = (messages(operation, number) for number in (1, 2, 3))
    nonce_points, key_points, last, factors, bindings = {}, {}, {}, {}, {}
    for (sender, receiver), reader in second.items():
        opening = first[sender, receiver]
        for message in (opening, reader):
            message.exactly(bytes([sender, receiver]), "the route of a message")
            bindings[message] = message.take(32)
        committed = opening.take(32)
        factors[sender, receiver] = (reader.point(group), reader.point(group))
        psi, key_point, nonce_point, salt = (
            reader.scalar(group), reader.point(group), reader.point(group), reader.bytes())
        expected = commitment(salt, group.encode(nonce_point) + scalar_bytes(psi))
        checks.equal(committed, expected, f"what node {sender} committed to")
        checks.equal(nonce_points.setdefault(sender, nonce_point), nonce_point, f"the nonce's point of node {sender}")
        key_points[sender] = key_point
        factors[sender, receiver] += (psi,)
        others = [node for node in signers if node != sender]
        share = coefficient(group, signers, sender, 0) * (key["shares"][sender] + tweak)
        masked = share + zero_share(sender, others, key["seeds"], h("sign/zero-session/v1", *about))
        checks.equal(group.multiply(masked, group.generator), key_point, f"the key share's point of node {sender}")
        reader = third[sender, receiver]
        own = (reader.scalar(group), reader.scalar(group))
        reader.end()
        checks.equal(last.setdefault(sender, own), own, f"the last message of node {sender}")
    checks.equal(total(group, key_points.values()), public, "the sum of the key shares' points")
    nonce_point = total(group, nonce_points.values())
    r = nonce_point[0] % group.order
    if key["setups"] is not None:
        multiplied = check_products(checks, key["setups"], first, second, about, bindings)
        check_values(checks, multiplied, factors, nonce_points, key_points)
        check_last(checks, signers, multiplied, factors, last, int.from_bytes(digest, "big"), r)
    us, ws = (sum(column) % group.order for column in zip(*last.values(), strict=True))
    s, odd = ws * pow(us, -1, group.order) % group.order, nonce_point[1] & 1
    if s > group.order // 2:
        s, odd = group.order - s, 1 - odd
    for node in signers:
        result = operation["results"][str(node)]
        signature = bytes.fromhex(result["signature"])
        checks.equal(signature, scalar_bytes(r) + scalar_bytes(s), f"the signature of node {node}")
        checks.equal(result["recovery_id"], odd, f"the recovery id of node {node}")
        verify_ecdsa(checks, public, digest, signature)


def check_products(checks, setups, first, second, about, bindings):
    """Each node's first message, and the others' answers. Answers `b` and what `products` does, by receiver and sender,
    and sees to it that each message is bound to this signature."""
    openings = {}
    for (receiver, sender), reader in first.items():
        session = h("sign/mul-session/v1", *about, bytes([receiver, sender]))
        openings[receiver, sender] = Opening(checks, setups[receiver, sender], session, reader)
    multiplied = {}
    for (sender, receiver), reader in second.items():
        opening, other = openings[receiver, sender], openings[sender, receiver]
        multiplied[receiver, sender] = (opening.b, products(checks, opening, reader))
        lower, higher = sorted((sender, receiver))
        gadgets = [b"".join(map(scalar_bytes, setups[pair].gadget)) for pair in ((lower, higher), (higher, lower))]
        of_pair = h("sign/pair-setup/v1", *gadgets)
        for phase, message, nonces in ((1, first[sender, receiver], b""), (2, reader, opening.nonce + other.nonce)):
            route = bytes([phase, sender, receiver])
            expected = h("sign/session-binding/v1", *about, route, nonces, of_pair)
            checks.equal(bindings[message], expected, f"the binding of a message of node {sender}")
    return multiplied


def check_values(checks, multiplied, factors, nonce_points, key_points):
    """Each node multiplied by the nonce and the key share of which it has shown the points, and shown its outputs."""
    for (receiver, sender), (_, outputs) in multiplied.items():
        for place, point in enumerate((nonce_points[sender], key_points[sender])):
            a, c, _ = outputs[place]
            checks.equal(group.multiply(a, group.generator), point, f"an input of node {sender}")
            shown = factors[sender, receiver][place]
            checks.equal(group.multiply(c, group.generator), shown, f"an output of node {sender}")


def check_last(checks, signers, multiplied, factors, last, digest, r):
    """`u` and `w` of each signer."""
    for node in signers:
        others = [other for other in signers if other != node]
        phi = {(factors[node, other][2] + multiplied[node, other][0]) % group.order for other in others}
        checks.equal(len(phi), 1, f"the number of inverse shares of node {node}")
        own = phi.pop()
        all_phi = own + sum(factors[other, node][2] for other in others)
        u, v = (
            multiplied[others[0], node][1][place][0] * all_phi
            + sum(multiplied[other, node][1][place][1] + multiplied[node, other][1][place][2] for other in others)
            for place in (0, 1)
        )
        expected = (u % group.order, (digest * own + r * v) % group.order)
        checks.equal(last[node], expected, f"the last values of node {node}")


def verify_ecdsa(checks, public, digest, signature):
    """SEC 1, section 4.1.4."""
    r, s = group.scalar(signature[:32]), group.scalar(signature[32:])
    inverse = pow(s, -1, group.order)
    left = group.multiply(int.from_bytes(digest, "big") * inverse, group.generator)
    point = group.add(left, group.multiply(r * inverse, public))
    checks.true(point is not None and point[0] % group.order == r and r != 0, "the equation of the signature")


def repair(checks, operation, key):
    target, session = operation["target"], bytes.fromhex(operation["session_id"])
    helpers = [node for node in operation["nodes"] if node != target]
    first, second = messages(operation, 1), messages(operation, 2)
    halves, points = {}, {}
    for helper in helpers:
        statement, named_key, rest = statement_of(first[helper, target].data)
        checks.equal(named_key, group.encode(key["key"]), "the key of a statement")
        told = b"\x00" * 4 + borsh_bytes(spelled_point(key["points"][helper]))
        checks.equal(rest[: len(told)], told, f"the point of helper {helper}")
        points[helper] = key["points"][helper]
        for other in helpers:
            if other != helper:
                reader = first[helper, other]
                same = transcript_hash("countersign/v1/repair", session, [statement, b""])
                checks.equal(reader.take(32), same, "the hash of what a helper holds")
                halves[helper, other] = reader.take(32)
                reader.end()
    seeds = {(a, b): xor(halves[a, b], halves[b, a]) for a, b in halves if a < b}
    about = [key["party_session"], group.encode(key["key"]), session, bytes([target]), bytes(helpers)]
    terms = 0
    for helper in helpers:
        reader = second[helper, target]
        reader.exactly(bytes([helper, target]), "the route of a term")
        term = reader.scalar(group)
        checks.equal(reader.bytes(), key["party_session"], "the party session of a term")
        checks.equal(reader.take(32), key["chain_code"], "the chain code of a term")
        checks.equal(reader.point(group), key["key"], "the key of a term")
        reader.end()
        mask = zero_share(helper, [node for node in helpers if node != helper], seeds, h("repair/mask/v1", *about))
        weighted = coefficient(group, helpers, helper, target) * key["shares"][helper]
        checks.equal(term, (weighted + mask) % group.order, f"the term of helper {helper}")
        terms = (terms + term) % group.order
    checks.equal(terms, key["shares"][target], "the sum of what the helpers gave")
    checks.equal(interpolate_points(group, points, 0), key["key"], "the key that the helpers' points give")
    check_result(checks, operation["results"][str(target)], key, target)
