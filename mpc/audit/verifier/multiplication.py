"""Checks oblivious transfers and multiplications of two nodes, "Two parties: OT and multiplication" of
specification/secp256k1.md, from the bytes that they sent and the seeds that both have in the end. That a seed is the
hash of a Diffie–Hellman value is not checked: no result has the secret scalar."""

from encoding import xor
from groups import Secp256k1
from oracles import h, hp, hs, scalar_bytes

group = Secp256k1()

TRANSFERS = 256
EXTENDED = 416
FIELD_BYTES, ROW_BYTES = 26, 78
#: Of 256 proofs of encryption one in so many is checked, since each takes ten multiplications of points.
PROOFS_STRIDE = 32


def bits_of(data):
    """The least significant bit of each byte first."""
    return [data[place // 8] >> place % 8 & 1 for place in range(8 * len(data))]


class Setup:
    """What receiver and sender of a pair share after a generation or a refresh."""

    def __init__(self, checks, session, nonce, receiver, sender):
        self.gadget = [hs("mul/gadget/v1", session, scalar_bytes((nonce + k + 1) % group.order)) for k in range(EXTENDED)]
        cut = lambda text: [text[place : place + 32] for place in range(0, len(text), 32)]
        self.both = [cut(bytes.fromhex(text)) for text in receiver["both_seeds"]]
        self.bits = [int(bit) for bit in sender["bits"]]
        self.seeds = cut(bytes.fromhex(sender["seeds"]))
        checks.equal([len(self.bits), *map(len, self.both)], [TRANSFERS] * 3, "the number of base transfers")
        chosen = [self.both[bit][k] for k, bit in enumerate(self.bits)]
        checks.equal(self.seeds, chosen, "the seeds that the sender's bits name")
        checks.true(all(one != other for one, other in zip(*self.both)), "that both seeds of a transfer differ")


def check_encryptions(checks, reader, session):
    """The sender's proofs of encryption, each of which is two of Chaum and Pedersen, and the seed of their bases."""
    checks.equal(reader.varint(), TRANSFERS, "the number of proofs of encryption")
    proofs = [[reader.bytes() for _ in range(16)] for _ in range(TRANSFERS)]
    seed = reader.take(32)
    reader.end()
    for k in range(0, TRANSFERS, PROOFS_STRIDE):
        check_encryption(checks, proofs[k], k.to_bytes(2, "big") + session, seed)


def check_encryption(checks, proof, session, seed):
    places = {"first": range(4), "second": range(5, 9), "first_nonces": (10, 11), "second_nonces": (12, 13)}
    first, second, first_nonces, second_nonces = ([group.decode(proof[at]) for at in of] for of in places.values())
    first_response, second_response, first_challenge, second_challenge = (
        group.scalar(proof[at]) for at in (4, 9, 14, 15))
    base = hp("ot/base/h/v2", session, seed)
    v, u = first[2:]
    less = group.add(v, (base[0], group.field - base[1]))
    checks.equal(first, [group.generator, base, v, u], "the tuple of a proof of encryption")
    checks.equal(second, [group.generator, base, less, u], "the other tuple of a proof of encryption")
    said = b"".join(map(group.encode, [group.generator, base, u, v, *first_nonces, *second_nonces]))
    challenge = hs("proofs/enc/fs/v1", session, said)
    checks.equal((first_challenge + second_challenge) % group.order, challenge, "the challenges of a proof of encryption")
    for point, response, nonces, part in ((v, first_response, first_nonces, first_challenge),
                                          (less, second_response, second_nonces, second_challenge)):
        for base_of, image, nonce in zip((group.generator, base), (point, u), nonces):
            side = group.add(group.multiply(response, base_of), group.multiply(part, image))
            checks.equal(side, nonce, "an equation of a proof of encryption")


def expanded(session, place, seed):
    """`PRG` of a seed: 78 bytes."""
    blocks = (h("ot/extension/prg/v1", session, place.to_bytes(2, "big"), block.to_bytes(2, "big"), seed)
              for block in range(3))
    return b"".join(blocks)[:ROW_BYTES]


def field_product(one, other):
    """In GF(2)[X] modulo X²⁰⁸ + X⁹ + X³ + X + 1."""
    product = 0
    for place in range(8 * FIELD_BYTES):
        if one >> place & 1:
            product ^= other << place
    for place in range(16 * FIELD_BYTES - 1, 8 * FIELD_BYTES - 1, -1):
        if product >> place & 1:
            product ^= (1 << 208 | 0b1000001011) << place - 208
    return product


def checksum(challenges, row):
    parts = [int.from_bytes(row[place : place + FIELD_BYTES], "little") for place in range(0, ROW_BYTES, FIELD_BYTES)]
    return field_product(parts[0], challenges[0]) ^ field_product(parts[1], challenges[1]) ^ parts[2]


class Opening:
    """The receiver's first message of a multiplication. Gives its choice bits, which `u` and both seeds tell."""

    def __init__(self, checks, setup, session, reader):
        self.setup, self.session = setup, session
        self.nonce = reader.take(32)
        together = reader.bytes()
        rows = [together[place : place + ROW_BYTES] for place in range(0, len(together), ROW_BYTES)]
        of_choice = reader.take(FIELD_BYTES)
        checks.equal([len(rows), reader.varint()], [TRANSFERS] * 2, "the number of rows")
        of_rows = [reader.take(FIELD_BYTES) for _ in rows]
        reader.end()
        self.extension = h("ot/extension/session/v1", b"OT Extension protocol" + session, self.nonce)
        left, right = ([expanded(self.extension, k, seed) for k, seed in enumerate(seeds)] for seeds in setup.both)
        choices = {xor(*row) for row in zip(left, right, rows, strict=True)}
        checks.equal(len(choices), 1, "the number of choices in the rows of a receiver")
        self.bits = bits_of(choices.pop())
        challenges = [int.from_bytes(h("ot/extension/chi/v1", self.extension, name, together)[:FIELD_BYTES], "little")
                      for name in (b"chi1", b"chi2")]
        choice = checksum(challenges, xor(left[0], right[0], rows[0]))
        checks.equal(choice, int.from_bytes(of_choice, "little"), "the check of a receiver's choices")
        self.sent = [expanded(self.extension, k, seed) for k, seed in enumerate(setup.seeds)]
        for k, told in enumerate(of_rows):
            told = int.from_bytes(told, "little")
            checks.equal(checksum(challenges, left[k]), told, "the check of a receiver's row")
            if setup.bits[k]:
                self.sent[k] = xor(self.sent[k], rows[k])
            expected = told ^ (choice if setup.bits[k] else 0)
            checks.equal(checksum(challenges, self.sent[k]), expected, "the check that a sender makes of a row")
        parts = [session, self.nonce, together, of_choice, b"".join(of_rows)]
        self.digest = h("mul/transcript/receiver/v1", *parts)
        self.b = sum(bit * step for bit, step in zip(self.bits, setup.gadget)) % group.order


def transposed(rows):
    """Row `j` of 32 bytes, the least significant bit of each first, from 256 rows of bits."""
    columns = zip(*(bits_of(row)[:EXTENDED] for row in rows))
    return [sum(bit << place for place, bit in enumerate(column)).to_bytes(32, "little") for column in columns]


def products(checks, opening, reader):
    """The sender's message. Answers its inputs `a`, its outputs `c` and the receiver's outputs `d`: `c + d = a·b`."""
    setup, session, order = opening.setup, opening.session, group.order
    scalars = lambda: [reader.scalar(group) for _ in range(reader.varint())]
    columns = [scalars() for _ in range(reader.varint())]
    salt, verified = reader.take(32), reader.take(32)
    combined, offsets = scalars(), scalars()
    reader.end()
    checks.equal([len(column) for column in columns], [EXTENDED] * 4, "the size of a sender's message")
    correlation = sum(bit << place for place, bit in enumerate(setup.bits)).to_bytes(32, "little")
    of_sender, of_receiver, inputs = [], [], []
    rows = transposed(opening.sent)
    for w, column in enumerate(columns):
        mine, other, given = [], [], set()
        for j, (row, tau) in enumerate(zip(rows, column)):
            about = [opening.extension, salt, j.to_bytes(2, "big"), bytes([w])]
            zero, one = (hs("ot/extension/randomize/v1", *about, q) for q in (row, xor(row, correlation)))
            given.add((tau - one + zero) % order)
            mine.append(zero)
            bit = opening.bits[j]
            # The receiver has q' ⊕ β·Δ, so that its own value is the one that its bit names.
            other.append((bit * tau - (one if bit else zero)) % order)
        checks.equal(len(given), 1, "the number of inputs in a column of a sender")
        inputs.append(given.pop())
        of_sender.append(mine)
        of_receiver.append(other)
    tau_bytes = [b"".join(map(scalar_bytes, column)) for column in columns]
    transcript = h("mul/transcript/v1", session, opening.digest, salt, *tau_bytes)
    tilde, hat = ([hs(f"mul/chi-{name}/v2", session, bytes([i]), transcript) for i in range(2)] for name in ("tilde", "hat"))
    told, seen, results = b"", b"", []
    for i in range(2):
        expected = (tilde[i] * inputs[i] + hat[i] * inputs[i + 2]) % order
        checks.equal(combined[i], expected, "the combination of a sender's inputs")
        for k in range(EXTENDED):
            told += scalar_bytes((tilde[i] * of_sender[i][k] + hat[i] * of_sender[i + 2][k]) % order)
            own = tilde[i] * of_receiver[i][k] + hat[i] * of_receiver[i + 2][k]
            seen += scalar_bytes((opening.bits[k] * combined[i] - own) % order)
        a = (inputs[i] + offsets[i]) % order
        c = sum(step * z for step, z in zip(setup.gadget, of_sender[i])) % order
        d = (opening.b * offsets[i] + sum(step * z for step, z in zip(setup.gadget, of_receiver[i]))) % order
        checks.equal((c + d) % order, a * opening.b % order, "the product of two nodes")
        results.append((a, c, d))
    for whose, said in (("sender", told), ("receiver", seen)):
        checks.equal(h("mul/verify/v1", session, said), verified, f"the hash that a {whose} computes")
    return results
