"""The two groups, by big integers: edwards25519 of RFC 8032 and secp256k1 of SEC 2. It is made to be read beside those
documents, is slow and not of constant time, and must never see a key that is worth anything. Multiples are kept: copies
of a transcript that differ in one value are verified one after the other."""

from functools import cache


class Refused(Exception):
    """What is checked does not hold."""


class Edwards25519:
    """Points are pairs (x, y), encodings those of RFC 8032, section 5.1.2, which are refused if not canonical."""

    field = 2**255 - 19
    order = 2**252 + 27742317777372353535851937790883648493
    d = -121665 * pow(121666, -1, field) % field
    identity = (0, 1)

    def _add(self, one, other):
        """RFC 8032, section 5.1.4: extended homogeneous coordinates, complete."""
        (x1, y1, z1, t1), (x2, y2, z2, t2), p = one, other, self.field
        a, b = (y1 - x1) * (y2 - x2) % p, (y1 + x1) * (y2 + x2) % p
        c, d = 2 * self.d * t1 * t2 % p, 2 * z1 * z2 % p
        e, f, g, h = b - a, d - c, d + c, b + a
        return e * f % p, g * h % p, f * g % p, e * h % p

    def _extended(self, point):
        x, y = point
        return x, y, 1, x * y % self.field

    def _affine(self, point):
        x, y, z, _ = point
        inverse = pow(z, -1, self.field)
        return x * inverse % self.field, y * inverse % self.field

    def add(self, one, other):
        return self._affine(self._add(self._extended(one), self._extended(other)))

    @cache
    def multiply(self, scalar, point):
        result, summand = self._extended(self.identity), self._extended(point)
        for bit in bin(scalar)[2:]:
            result = self._add(result, result)
            if bit == "1":
                result = self._add(result, summand)
        return self._affine(result)

    def decode(self, data):
        if len(data) != 32:
            raise Refused("a point of ed25519 is not of 32 bytes")
        number = int.from_bytes(data, "little")
        sign, y = number >> 255, number & (1 << 255) - 1
        if y >= self.field:
            raise Refused("a coordinate is not below the field's order")
        square = (y * y - 1) * pow(self.d * y * y + 1, -1, self.field) % self.field
        x = pow(square, (self.field + 3) // 8, self.field)
        if x * x % self.field != square:
            x = x * pow(2, (self.field - 1) // 4, self.field) % self.field
        if x * x % self.field != square or (x == 0 and sign == 1):
            raise Refused("what should be a point is not on edwards25519")
        point = (x if x & 1 == sign else self.field - x, y)
        if point == self.identity or self.multiply(self.order, point) != self.identity:
            raise Refused("a point is not of the prime order")
        return point

    def encode(self, point):
        x, y = point
        return (y | (x & 1) << 255).to_bytes(32, "little")

    def scalar(self, data):
        value = int.from_bytes(data, "little")
        if len(data) != 32 or value >= self.order:
            raise Refused("a scalar of ed25519 is not canonical")
        return value


Edwards25519.generator = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


class Secp256k1:
    """Points are pairs or None, the one at infinity; multiples are computed in Jacobian coordinates."""

    field = 2**256 - 2**32 - 977
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    identity = None
    generator = (
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    )

    def _double(self, point):
        x, y, z = point
        p = self.field
        s = 4 * x * y * y % p
        m = 3 * x * x % p
        x3 = (m * m - 2 * s) % p
        return x3, (m * (s - x3) - 8 * y**4) % p, 2 * y * z % p

    def _add(self, one, other):
        """`other` is affine."""
        (x1, y1, z1), (x2, y2), p = one, other, self.field
        if z1 == 0:
            return x2, y2, 1
        u2, s2 = x2 * z1 * z1 % p, y2 * z1 * z1 * z1 % p
        h, r = (u2 - x1) % p, (s2 - y1) % p
        if h == 0:
            return self._double(one) if r == 0 else (1, 1, 0)
        h2 = h * h % p
        h3, v = h2 * h % p, x1 * h2 % p
        x3 = (r * r - h3 - 2 * v) % p
        return x3, (r * (v - x3) - y1 * h3) % p, z1 * h % p

    def _affine(self, point):
        x, y, z = point
        if z == 0:
            return None
        inverse = pow(z, -1, self.field)
        return x * inverse * inverse % self.field, y * inverse**3 % self.field

    def add(self, one, other):
        if one is None or other is None:
            return other if one is None else one
        return self._affine(self._add((*one, 1), other))

    @cache
    def multiply(self, scalar, point):
        result = (1, 1, 0)
        if point is None:
            return None
        for bit in bin(scalar % self.order)[2:]:
            result = self._double(result)
            if bit == "1":
                result = self._add(result, point)
        return self._affine(result)

    def decode(self, data):
        if len(data) != 33 or data[0] not in (2, 3):
            raise Refused("a point of secp256k1 is not compressed")
        x = int.from_bytes(data[1:], "big")
        y = pow(x**3 + 7, (self.field + 1) // 4, self.field)
        if x >= self.field or (y * y - x**3 - 7) % self.field != 0:
            raise Refused("what should be a point is not on secp256k1")
        return x, y if y & 1 == data[0] & 1 else self.field - y

    def encode(self, point):
        if point is None:
            raise Refused("the point at infinity has no compressed form")
        return bytes([2 + (point[1] & 1)]) + point[0].to_bytes(32, "big")

    def scalar(self, data):
        value = int.from_bytes(data, "big")
        if len(data) != 32 or value >= self.order:
            raise Refused("a scalar of secp256k1 is not canonical")
        return value


def total(group, points):
    result = group.identity
    for point in points:
        result = group.add(result, point)
    return result


def coefficient(group, indexes, index, at):
    """The Lagrange coefficient of `index` among `indexes` at `at`."""
    value = 1
    for other in indexes:
        if other != index:
            value = value * (at - other) * pow(index - other, -1, group.order) % group.order
    return value


def interpolate(group, shares, at):
    """The value at `at` of the polynomial of least degree through `shares`, a dictionary by index."""
    return sum(coefficient(group, shares, index, at) * share for index, share in shares.items()) % group.order


def interpolate_points(group, points, at):
    terms = (group.multiply(coefficient(group, points, index, at), point) for index, point in points.items())
    return total(group, terms)
