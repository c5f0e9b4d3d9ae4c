"""The hashes of DKLs23's implementation: "Oracles" of specification/secp256k1.md."""

import hashlib
from groups import Secp256k1

group = Secp256k1()


def framed(*parts):
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def h(tag, *parts):
    return hashlib.sha256(framed(b"dkls23/" + tag.encode(), *parts)).digest()


def hs(tag, *parts):
    return int.from_bytes(h(tag, *parts), "big") % group.order


def hp(tag, *parts):
    domain = b"dkls23/" + tag.encode() + b"-with-secp256k1_XMD:SHA-256_SSWU_RO_"
    return hash_to_curve(framed(*parts), domain)


def scalar_bytes(value):
    return value.to_bytes(32, "big")


def commitment(salt, message):
    return h("commitment/v1", salt, message)


def hash_to_curve(message, domain):
    """RFC 9380, section 3: `hash_to_curve` of the suite secp256k1_XMD:SHA-256_SSWU_RO_ (section 8.7)."""
    uniform = expand_message(message, domain, 96)
    fields = [int.from_bytes(uniform[place : place + 48], "big") % group.field for place in (0, 48)]
    return group.add(*(isogeny(*simplified_swu(u)) for u in fields))


def expand_message(message, domain, length):
    """Section 5.3.1, `expand_message_xmd` with SHA-256."""
    suffix = domain + bytes([len(domain)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\x00" + suffix).digest()
    block = hashlib.sha256(first + b"\x01" + suffix).digest()
    blocks = [block]
    for place in range(2, length // 32 + 1):
        block = hashlib.sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([place]) + suffix).digest()
        blocks.append(block)
    return b"".join(blocks)


A = 0x3F8731ABDD661ADCA08A5558F0F5D272E953D363CB6F0E5D405447C01A444533
B, Z = 1771, -11


def simplified_swu(u):
    """Section 6.6.2: a point of y² = x³ + A·x + B, from which the isogeny leads to secp256k1."""
    p = group.field
    t = Z * u * u % p
    denominator = (t * t + t) % p
    x = B * pow(Z * A, -1, p) if denominator == 0 else -B * pow(A, -1, p) * (1 + pow(denominator, -1, p))
    for tried in (x % p, t * x % p):
        square = (tried**3 + A * tried + B) % p
        y = pow(square, (p + 1) // 4, p)
        if y * y % p == square:
            return tried, y if y & 1 == u & 1 else p - y
    raise AssertionError("one of the two is a square")


#: Appendix E.1: the polynomials of the isogeny of degree 3, the coefficient of x⁰ first.
X_ABOVE = (
    0x8E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38DAAAAA8C7,
    0x7D3D4C80BC321D5B9F315CEA7FD44C5D595D2FC0BF63B92DFFF1044F17C6581,
    0x534C328D23F234E6E2A413DECA25CAECE4506144037C40314ECBD0B53D9DD262,
    0x8E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38E38DAAAAA88C,
)
X_BELOW = (
    0xD35771193D94918A9CA34CCBB7B640DD86CD409542F8487D9FE6B745781EB49B,
    0xEDADC6F64383DC1DF7C4B2D51B54225406D36B641F5E41BBC52A56612A8C6D14,
    1,
)
Y_ABOVE = (
    0x4BDA12F684BDA12F684BDA12F684BDA12F684BDA12F684BDA12F684B8E38E23C,
    0xC75E0C32D5CB7C0FA9D0A54B12A0A6D5647AB046D686DA6FDFFC90FC201D71A3,
    0x29A6194691F91A73715209EF6512E576722830A201BE2018A765E85A9ECEE931,
    0x2F684BDA12F684BDA12F684BDA12F684BDA12F684BDA12F684BDA12F38E38D84,
)
Y_BELOW = (
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFF93B,
    0x7A06534BB8BDB49FD5E9E6632722C2989467C1BFC8E8D978DFB425D2685C2573,
    0x6484AA716545CA2CF3A70C3FA8FE337E0A3D21162F0D6299A7BF8192BFD2A76F,
    1,
)


def isogeny(x, y):
    x_above, x_below, y_above, y_below = (
        sum(factor * pow(x, power, group.field) for power, factor in enumerate(polynomial)) % group.field
        for polynomial in (X_ABOVE, X_BELOW, Y_ABOVE, Y_BELOW)
    )
    quotient = y * y_above * pow(y_below, -1, group.field)
    return x_above * pow(x_below, -1, group.field) % group.field, quotient % group.field
