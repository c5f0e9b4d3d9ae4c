// Where a key may be used from: addresses and CIDR ranges, IPv4 and IPv6. An IPv4 address that comes as IPv4-mapped
// IPv6 counts as the IPv4 address that it is.
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [Address, bits: number];

/**
 * Undefined for what is no plain address: octal, hexadecimal and shortened IPv4 are read differently by different
 * programs.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

/**
 * An address, or a range whose host bits are zero. Undefined for anything else, also for an IPv4-mapped range: it is
 * written as IPv4.
 */
export function parseRange(text: string): Range | undefined {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (address === undefined || rest.length > 0) return undefined;
  const addressBits = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, addressBits];
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > addressBits) return undefined;
  if (address.kind() === 'ipv4' && base.includes(':')) return undefined;
  const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const isNetwork = network.networkAddressFromCIDR(text).toNormalizedString() === address.toNormalizedString();
  return isNetwork ? [address, Number(bits)] : undefined;
}

export function isAllowed(ranges: readonly Range[], address: Address | undefined): boolean {
  if (ranges.length === 0) return true;
  if (address === undefined) return false;
  return ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}

/** Whether whoever is let in by `inner` is let in by `outer` too. An empty list lets everybody in. */
export function isWithinRanges(inner: readonly Range[], outer: readonly Range[]): boolean {
  if (outer.length === 0) return true;
  return inner.length > 0 && inner.every((range) => outer.some((wider) => contains(wider, range)));
}

function contains([base, bits]: Range, [address, addressBits]: Range): boolean {
  return address.kind() === base.kind() && bits <= addressBits && address.match(base, bits);
}
