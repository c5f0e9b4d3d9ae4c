// What left addresses of ours in a block of Bitcoin: the coins that a transaction spends, less what it pays back to the
// same address. An input of P2WPKH shows the public key in its witness, so that whose it is needs no question; only for
// ours are the coins looked up. Coins of other scripts are not ours to have.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ChainError } from '../port/chain-error.ts';
import type { Block, OutboundTransfer } from '../port/movements.ts';
import type { BitcoinAddresses } from './addresses.ts';
import { type ShownInput, type ShownTransaction, toSatoshis } from './node-records.ts';
import type { BitcoinNode } from './rpc.ts';
import { readSpentOutputs } from './spent-outputs.ts';

/** A block, and who shows it. */
export interface BlockSource {
  node: BitcoinNode;
  addresses: BitcoinAddresses;
  block: Block;
}

interface Spend {
  /** Of the input in its transaction. */
  place: number;
  from: string;
  amount: bigint;
  signature: string;
}

export const inputAddresses = ({ vin }: ShownTransaction, addresses: BitcoinAddresses): string[] =>
  vin.flatMap((input) => senderOf(input, addresses) ?? []);

/** Also that of a P2SH address over the same key: what was spent tells. */
function senderOf({ txinwitness = [] }: ShownInput, addresses: BitcoinAddresses): string | undefined {
  const [, publicKey, ...more] = txinwitness;
  return publicKey === undefined || more.length > 0 ? undefined : addresses.ofPublicKey(publicKey);
}

/** One for each transaction and address: its inputs together, by the first of them. */
export async function readOutboundTransfers(
  { node, addresses, block }: BlockSource,
  transactions: readonly ShownTransaction[],
  ours: ReadonlySet<string>,
): Promise<OutboundTransfer[]> {
  const outboundTransfers: OutboundTransfer[] = [];
  for (const transaction of transactions) {
    if (!inputAddresses(transaction, addresses).some((sender) => ours.has(sender))) continue;
    const all = await readSpends(node, addresses, transaction);
    const spends = all.filter(({ from }) => ours.has(from));
    for (const from of new Set(spends.map((spend) => spend.from))) {
      const own = spends.filter((spend) => spend.from === from);
      const spent = own.reduce((sum, { amount }) => sum + amount, 0n);
      const returned = paidTo(transaction, from, addresses);
      const amount = spent > returned ? spent - returned : 0n;
      const isAlone = own.length === transaction.vin.length;
      const fee = isAlone ? spent - transaction.vout.reduce((sum, { value }) => sum + toSatoshis(value), 0n) : 0n;
      outboundTransfers.push({
        txHash: transaction.txid,
        index: `vin:${own[0]?.place}`,
        contract: null,
        from,
        to: receiverOf(transaction, from, addresses),
        block,
        amount,
        // Who shares a transaction with others shares its fee in a way that the chain does not tell.
        fee: fee < amount ? fee : amount,
        succeeded: true,
        method: 'transfer',
        isCounted: true,
        signatures: own.map(({ signature }) => signature),
      });
    }
  }
  return outboundTransfers;
}

async function readSpends(
  node: BitcoinNode,
  addresses: BitcoinAddresses,
  { txid, vin }: ShownTransaction,
): Promise<Spend[]> {
  const spent = await readSpentOutputs(node, vin);
  return vin.flatMap((input, place) => {
    const output = spent[place];
    if (output === undefined) throw new ChainError(`The Bitcoin node does not show what ${txid} spends.`);
    const from = senderOf(input, addresses);
    if (from === undefined || addresses.ofScript(output.scriptPubKey.hex) !== from) return [];
    return [{ place, from, amount: toSatoshis(output.value), signature: signatureIn(input) }];
  });
}

function paidTo({ vout }: ShownTransaction, address: string, addresses: BitcoinAddresses): bigint {
  return vout
    .filter(({ scriptPubKey }) => addresses.ofScript(scriptPubKey.hex) === address)
    .reduce((sum, { value }) => sum + toSatoshis(value), 0n);
}

/** Null when there are several, or when it has an address of no kind that is known here. */
function receiverOf({ vout }: ShownTransaction, from: string, addresses: BitcoinAddresses): string | null {
  const receivers = new Set(vout.map(({ scriptPubKey }) => addresses.ofScript(scriptPubKey.hex) ?? null));
  receivers.delete(from);
  const [receiver, ...others] = receivers;
  return others.length === 0 ? (receiver ?? null) : null;
}

/**
 * Behind the DER stands one byte of what was signed. Whoever mines may turn s over: both forms are the one signature.
 */
function signatureIn({ txinwitness = [] }: ShownInput): string {
  const [witness = ''] = txinwitness;
  try {
    const { r, s } = secp256k1.Signature.fromBytes(Buffer.from(witness, 'hex').subarray(0, -1), 'der');
    const { n } = secp256k1.Point.CURVE();
    return `0x${Buffer.from(new secp256k1.Signature(r, s > n / 2n ? n - s : s).toBytes('compact')).toString('hex')}`;
  } catch {
    throw new ChainError('The Bitcoin node shows a signature that is none.');
  }
}
