// Makes the transaction of one transfer from reserved coins, and puts the signatures of the cluster into it. Pure: asks
// no node, chooses no coins.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { OutScript, p2pkh, p2wpkh, SigHash, Transaction } from '@scure/btc-signer';
import { bitcoinInputBytes } from '../../mpc/verify/bitcoin-input.ts';
import { ChainError, ImpossibleTransfer } from '../port/chain-error.ts';
import type {
  Asset,
  FeeQuote,
  ReservedCoin,
  SignedTransaction,
  Transfer,
  UnsignedTransaction,
} from '../port/transactions.ts';
import type { BitcoinAddresses } from './addresses.ts';
import {
  compareOutpoints,
  dustOf,
  INPUTS_MAX,
  type Payment,
  type Price,
  planSpend,
  type Spend,
} from './coin-selection.ts';
import { priceOf } from './fee-quotes.ts';

/** Below 0xfffffffe: the transaction may be replaced by one that pays more (BIP-125). */
const REPLACEABLE = 0xfffffffd;

/** Undefined for a drop: everything goes back. Throws `ImpossibleTransfer`. */
export function paymentOf(addresses: BitcoinAddresses, { from, to, asset, amount }: Transfer): Payment | undefined {
  assertNative(asset);
  if (addresses.canonical(to) === undefined)
    throw new ImpossibleTransfer('The recipient is no address of this Bitcoin network.');
  if (to === from && amount === 0n) return undefined;
  const script = addresses.scriptOf(to);
  const isWitness = ['wpkh', 'wsh', 'tr'].includes(OutScript.decode(script).type);
  if (amount < dustOf(script.length, isWitness))
    throw new ImpossibleTransfer(`${amount} satoshis are too few for nodes to relay (dust).`);
  return { amount, scriptBytes: script.length };
}

/** What this payment costs when it spends exactly these coins. Throws `ChainError` when they do not suffice now. */
export function planPayment(payment: Payment | undefined, price: Price, coins: readonly ReservedCoin[]): Spend {
  const outpoints = new Set(coins.map(({ txHash, index }) => `${txHash}:${index}`));
  if (outpoints.size !== coins.length) throw new ImpossibleTransfer('A coin is reserved twice.');
  if (coins.length === 0 || coins.length > INPUTS_MAX)
    throw new ImpossibleTransfer(`A transaction spends 1 to ${INPUTS_MAX} coins, not ${coins.length}.`);
  const spend = planSpend(coins, payment, price);
  if (spend !== undefined) return spend;
  const amount = payment?.amount ?? 0n;
  const fee = `the fee at ${price.rate} sat/vB`;
  throw new ChainError(`The reserved coins do not pay ${amount} satoshis and ${fee}.`, 'insufficient_funds');
}

/**
 * All of the coins and nothing else, in the order of BIP-69, at the quote's rate and for at most its `maxFee`; the
 * change goes back to `from`. A PSBT (BIP-174), and the same transaction once for each input to sign, by which the
 * nodes see where the coins go.
 */
export function buildTransaction(
  addresses: BitcoinAddresses,
  transfer: Transfer,
  quote: FeeQuote,
  reserved: readonly ReservedCoin[],
): UnsignedTransaction {
  const payment = paymentOf(addresses, transfer);
  const { fee, change } = planPayment(payment, priceOf(quote), reserved);
  if (fee > quote.maxFee)
    throw new ImpossibleTransfer(`The fee of ${fee} satoshis is above the ${quote.maxFee} that were quoted.`);
  const script = scriptOfSender(addresses, transfer);
  const coins = reserved.toSorted(compareOutpoints);
  const transaction = new Transaction();
  for (const { txHash, index, amount } of coins)
    transaction.addInput({ txid: txHash, index, witnessUtxo: { script, amount }, sequence: REPLACEABLE });
  const outputs: Output[] = [];
  if (payment !== undefined) outputs.push({ script: addresses.scriptOf(transfer.to), amount: payment.amount });
  if (change > 0n) outputs.push({ script, amount: change });
  for (const output of outputs.sort(byAmountThenScript)) transaction.addOutput(output);
  const input = { transaction: transaction.unsignedTx, coins: coins.map(({ amount }) => ({ amount, script })) };
  return {
    unsigned: `0x${toHex(transaction.toPSBT())}`,
    payloads: coins.map((_coin, index) => ({
      kind: 'bitcoin_input',
      hex: `0x${toHex(bitcoinInputBytes({ ...input, index }))}`,
    })),
  };
}

function scriptOfSender(addresses: BitcoinAddresses, { from }: Transfer): Uint8Array {
  const sender = addresses.canonical(from) === undefined ? undefined : OutScript.decode(addresses.scriptOf(from));
  if (sender?.type !== 'wpkh') throw new ImpossibleTransfer('Coins are spent from P2WPKH addresses only.');
  return OutScript.encode(sender);
}

/** In the order of the inputs. */
export function coinsOf(unsigned: string): ReservedCoin[] {
  const transaction = Transaction.fromPSBT(fromHex(unsigned));
  return Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { txid, index, witnessUtxo } = transaction.getInput(at);
    if (txid === undefined || index === undefined || witnessUtxo === undefined) throw new Error('an input is no coin');
    return { txHash: toHex(txid), index, amount: witnessUtxo.amount };
  });
}

/** Throws unless every signature is that key's over the digest of its input, and every input is that key's to spend. */
export function assembleTransaction(
  unsigned: string,
  signatures: readonly string[],
  publicKeyHex: string,
): SignedTransaction {
  const transaction = Transaction.fromPSBT(fromHex(unsigned));
  const publicKey = fromHex(publicKeyHex);
  const { script } = p2wpkh(publicKey);
  const scriptCode = p2pkh(publicKey).script;
  if (signatures.length !== transaction.inputsLength)
    throw new Error(`${transaction.inputsLength} inputs need as many signatures, not ${signatures.length}.`);
  for (const [index, signature] of signatures.entries()) {
    const coin = transaction.getInput(index).witnessUtxo;
    if (coin === undefined || Buffer.compare(coin.script, script) !== 0)
      throw new Error(`Input ${index} is not this key's to spend.`);
    const digest = transaction.preimageWitnessV0(index, scriptCode, SigHash.ALL, coin.amount);
    const der = derOf(fromHex(signature).subarray(0, 64));
    if (!secp256k1.verify(der, digest, publicKey, { prehash: false, lowS: true, format: 'der' }))
      throw new Error(`Signature ${index} is not this key's over the digest of its input.`);
    transaction.updateInput(index, { partialSig: [[publicKey, Uint8Array.of(...der, SigHash.ALL)]] }, true);
  }
  transaction.finalize();
  return { raw: `0x${transaction.hex}`, txHash: transaction.id };
}

/** Nodes relay the lower of the two valid s only (BIP-146). */
function derOf(compact: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(compact, 'compact');
  const { n } = secp256k1.Point.CURVE();
  return new secp256k1.Signature(r, s > n / 2n ? n - s : s).toBytes('der');
}

export function assertNative({ contract }: Asset): void {
  if (contract !== null) throw new ImpossibleTransfer('Bitcoin has one asset, its own.');
}

interface Output {
  script: Uint8Array;
  amount: bigint;
}

function byAmountThenScript(left: Output, right: Output): number {
  if (left.amount !== right.amount) return left.amount < right.amount ? -1 : 1;
  return Buffer.compare(left.script, right.script);
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));
