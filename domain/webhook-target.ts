// Where a webhook may be sent: what its URL may say, and which addresses are of the public internet. Pure: who sends
// finds out where a name leads, at every attempt.
import ipaddr from 'ipaddr.js';

export interface TargetRules {
  /**
   * Private and loopback addresses too: for a deployment whose receivers are its own. Never link-local ones, where
   * clouds give their machines' credentials away.
   */
  allowPrivate: boolean;
  /** As in production: never in the clear. */
  httpsOnly: boolean;
}

/**
 * What clouds tell their own machines, credentials included, at addresses that are not link-local: Azure's WireServer,
 * Alibaba's, and by IPv6 that of AWS and of Google.
 */
const METADATA_ADDRESSES = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'];
/**
 * Ranges in which a deployment may have receivers of its own. Not those that carry an IPv4 address within an IPv6 one
 * to wherever that is.
 */
const PRIVATE_RANGES = ['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** Outside of it nothing is assigned for the internet (RFC 4291, 2.4). */
const globalUnicast = [ipaddr.IPv6.parse('2000::'), 3] as const;

/**
 * The parts of a URL that matter, as the WHATWG's parser gives them: it reads `http://0x7f.1` and `http://2130706433`
 * as 127.0.0.1, as who connects does.
 */
export type TargetUrl = Readonly<Record<'protocol' | 'hostname' | 'username' | 'password', string>>;

/**
 * Why nothing may be sent there, in words that go on after "url". Undefined for a target that may be tried. `target` is
 * undefined when it could not be parsed.
 */
export function refuseTarget(
  target: TargetUrl | undefined,
  { allowPrivate, httpsOnly }: TargetRules,
): string | undefined {
  if (target === undefined || !['https:', 'http:'].includes(target.protocol)) return 'must be an https address';
  if (httpsOnly && target.protocol !== 'https:') return 'must begin with https://';
  if (target.username !== '' || target.password !== '') return 'must hold no user name and no password';
  const host = hostOf(target);
  if (allowPrivate)
    return ipaddr.isValid(host) && !mayReach(host, { allowPrivate })
      ? 'must not lead to a link-local address (the metadata of a cloud), nor to a multicast, unspecified or reserved one'
      : undefined;
  if (isLocalName(host) || (ipaddr.isValid(host) && !isPublicAddress(host)))
    return 'must lead to a public address: private, loopback and link-local ones are refused';
  return undefined;
}

/** A name, or an address without the brackets. */
export const hostOf = ({ hostname }: Pick<TargetUrl, 'hostname'>): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Whether a connection may be made to this address, in either family, also when it is an IPv4 address in an IPv6 one.
 */
export function mayReach(text: string, { allowPrivate }: Pick<TargetRules, 'allowPrivate'>): boolean {
  if (!allowPrivate) return isPublicAddress(text);
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.process(text);
  return PRIVATE_RANGES.includes(address.range()) && !METADATA_ADDRESSES.includes(address.toString());
}

/**
 * False for whatever is not plainly a host of the internet, in either family, also when it is an IPv4 address in an
 * IPv6 one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || METADATA_ADDRESSES.includes(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(...globalUnicast);
}

/** Names that no public zone holds (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const isLocalName = (host: string) => /(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(host);
