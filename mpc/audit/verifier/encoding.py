"""Encodings, hashes and counting, as SPECIFICATION.md has them: Borsh, postcard, and the hash that nodes compare."""

import hashlib
from groups import Refused


class Checks:
    """Counts what was checked, so that a run in which nothing was cannot pass for a good one."""

    def __init__(self):
        self.count = 0

    def equal(self, one, other, what):
        self.count += 1
        if one != other:
            raise Refused(f"{what} is not what it should be")

    def true(self, condition, what):
        self.equal(bool(condition), True, what)


def xor(*strings):
    number = 0
    for string in strings:
        number ^= int.from_bytes(string, "big")
    return number.to_bytes(len(strings[0]), "big")


def varint(value):
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def postcard_map(entries):
    """`entries`: encoded values by index."""
    return varint(len(entries)) + b"".join(bytes([index]) + entries[index] for index in sorted(entries))


def borsh_bytes(value):
    return len(value).to_bytes(4, "little") + value


def transcript_hash(label, session_id, parts):
    """`T` of the specification."""
    body = borsh_bytes(label.encode()) + session_id + len(parts).to_bytes(4, "little")
    return hashlib.sha256(body + b"".join(borsh_bytes(part) for part in parts)).digest()


class Reader:
    """Reads a message of postcard from its beginning. A message that stands cut in the vectors is read that far."""

    def __init__(self, message):
        self.cut = isinstance(message, dict)
        self.data = bytes.fromhex(message["begins"] if self.cut else message)
        self.at = 0

    def take(self, length):
        if self.at + length > len(self.data):
            raise Refused("a message is too short")
        self.at += length
        return self.data[self.at - length : self.at]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            value, shift = value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                return value

    def bytes(self):
        return self.take(self.varint())

    def index(self):
        return self.take(1)[0]

    def exactly(self, expected, what):
        if self.take(len(expected)) != expected:
            raise Refused(f"{what} is not what it should be")

    def point(self, group):
        return group.decode(self.bytes())

    def scalar(self, group):
        return group.scalar(self.bytes())

    def end(self):
        if self.cut or self.at != len(self.data):
            raise Refused("a message has another length")


def statement_of(told):
    """The bytes of the `KeyStatement` at the beginning of what a helper tells the target, its key and the rest."""
    before_key = 16 + 1 + 4 + 32 + 32 + 1
    length = int.from_bytes(told[before_key : before_key + 4], "little")
    end_of_key = before_key + 4 + length
    end = end_of_key + 32 + 32
    if told[16] not in (0, 1) or len(told) < end:
        raise Refused("a statement is of a workspace, or ends early")
    return told[:end], told[before_key + 4 : end_of_key], told[end:]


def seeded_bytes(label, length):
    """What the test's source of randomness gives under a label: it is published, for these keys are worth nothing."""
    seed = hashlib.sha256(b"countersign/v1/transcript-test/" + label.encode()).digest()
    blocks = (hashlib.sha256(seed + block.to_bytes(8, "big")).digest() for block in range(length // 32 + 1))
    return b"".join(blocks)[:length]
