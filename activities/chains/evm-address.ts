// Which texts are addresses on EVM chains. Knows no node.
import { type Address, getAddress, zeroAddress } from 'viem';

/**
 * EIP-55. In one case only, a text has no checksum and is taken as it is; in mixed case the checksum must fit. The zero address is nobody's: what is
 * sent there is lost.
 */
export function canonicalEvmAddress(text: string): Address | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const address = getAddress(text.toLowerCase());
  if (address === zeroAddress) return undefined;
  const isUnchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isUnchecked || address === text ? address : undefined;
}
