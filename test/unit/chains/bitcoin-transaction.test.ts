// Goal: what is signed is exactly the transfer over exactly the reserved coins, by the sighash of BIP-143, and only
// right signatures are put in. Method: a second implementation of BIP-143 made here, checked against the BIP's own
// example; random transfers signed by a local key.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { p2wpkh, RawTx, Transaction } from '@scure/btc-signer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import { bitcoinAddress } from '../../../activities/chains/bitcoin/key-address.ts';
import type { FeeQuote, ReservedCoin, Transfer } from '../../../activities/chains/port/transactions.ts';
import { digestOf } from '../../../activities/mpc/verify/digest.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import { type SigningPayload } from '../../../domain/signing/signing-payload.ts';

const chain = bitcoinChain({ rpcUrl: 'http://127.0.0.1:1', network: 'regtest' });
const secret = Buffer.alloc(32, 7);
const publicKey = secp256k1.getPublicKey(secret, true);
const from = bitcoinAddress(publicKey, 'regtest');
const publicKeyHex = Buffer.from(publicKey).toString('hex');
const recipients = {
  p2wpkh: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  p2pkh: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  p2sh: '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
};
const btc = { contract: null, decimals: 8 };
const coin = (seed: number, amount: bigint, index = 0): ReservedCoin => ({
  txHash: Buffer.from(sha256(Uint8Array.of(seed))).toString('hex'),
  index,
  amount,
});
const quoteOf = (rate: bigint, maxFee = 10n ** 9n): FeeQuote => ({
  level: 'medium',
  maxFee,
  parameters: { rate: `${rate}` },
});
const transferOf = (amount: bigint, to = recipients.p2wpkh): Transfer => ({ from, to, asset: btc, amount });
const digestsOf = (payloads: readonly SigningPayload[]) =>
  payloads.map((payload) => {
    const decoded = decodePayload(payload);
    if (decoded.kind !== 'bitcoin_input') throw new Error('not an input');
    return Buffer.from(digestOf(decoded));
  });
const signWith = (key: Uint8Array, digest: Uint8Array) =>
  `0x${Buffer.from(secp256k1.sign(digest, key, { prehash: false, lowS: true })).toString('hex')}1b`;

const twice = (bytes: Uint8Array) => Buffer.from(sha256(sha256(bytes)));
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer);

/** BIP-143, for a P2WPKH input and SIGHASH_ALL. */
function sighash(raw: Uint8Array, input: number, keyHash: Uint8Array, amount: bigint): Buffer {
  const { version, inputs, outputs, lockTime } = RawTx.decode(raw);
  const outpoint = ({ txid, index }: { txid: Uint8Array; index: number }) =>
    Buffer.concat([txid.toReversed(), u32(index)]);
  const spent = inputs[input];
  if (spent === undefined) throw new Error('no such input');
  const hashes = {
    outpoints: twice(Buffer.concat(inputs.map(outpoint))),
    sequences: twice(Buffer.concat(inputs.map(({ sequence }) => u32(sequence)))),
    outputs: twice(
      Buffer.concat(outputs.flatMap(({ amount, script }) => [u64(amount), Buffer.of(script.length), script])),
    ),
  };
  const code = Buffer.concat([Buffer.from('1976a914', 'hex'), keyHash, Buffer.from('88ac', 'hex')]);
  const parts = [u32(version), hashes.outpoints, hashes.sequences, outpoint(spent), code, u64(amount)];
  return twice(Buffer.concat([...parts, u32(spent.sequence), hashes.outputs, u32(lockTime), u32(1)]));
}

test('the sighash made here is that of the example of BIP-143 (native P2WPKH)', () => {
  const raw =
    '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000';
  const keyHash = Buffer.from('1d0f172a0ecb48aee1be1f2687d2963ae33f71a1', 'hex');
  expect(sighash(Buffer.from(raw, 'hex'), 1, keyHash, 600_000_000n).toString('hex')).toBe(
    'c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670',
  );
});

const coinLists = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 12,
    selector: String,
  })
  .chain((places) =>
    fc
      .array(fc.bigInt({ min: 1_000n, max: 10n ** 9n }), { minLength: places.length, maxLength: places.length })
      .map((amounts) => places.map(([seed, index], at) => coin(seed, amounts[at] ?? 0n, index))),
  );
const anyRecipient = fc.constantFrom(...Object.values(recipients));
const rates = fc.bigInt({ min: 1n, max: 50n });

test('any transfer spends its coins and nothing else, pays the rate, gives back the rest, and can be replaced', async () => {
  const property = fc.asyncProperty(coinLists, anyRecipient, rates, async (coins, to, rate) => {
    const held = coins.reduce((sum, { amount }) => sum + amount, 0n);
    const transfer = transferOf(held / 2n, to);
    const reservation = { coins };
    const built = await chain.build(transfer, quoteOf(rate), reservation).catch((error: unknown) => {
      expect(error).toMatchObject({ name: expect.stringMatching(/^(ImpossibleTransfer|ChainError)$/) });
      fc.pre(false);
      throw error;
    });
    expect(await chain.build(transfer, quoteOf(rate), { coins: coins.toReversed() })).toEqual(built);

    const digests = digestsOf(built.payloads);
    const signed = chain.assemble(
      built.unsigned,
      digests.map((digest) => signWith(secret, digest)),
      publicKeyHex,
    );
    const raw = Buffer.from(signed.raw.slice(2), 'hex');
    const transaction = RawTx.decode(raw);
    const spent = transaction.inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`);
    expect(spent).toEqual(coins.map(({ txHash, index }) => `${txHash}:${index}`).sort());
    expect(transaction.inputs.every(({ sequence }) => sequence < 0xfffffffe)).toBe(true);

    const change = transaction.outputs.filter(({ script }) => Buffer.compare(script, p2wpkh(publicKey).script) === 0);
    const paid = transaction.outputs.filter((output) => !change.includes(output));
    expect(paid.map(({ amount }) => amount)).toEqual([transfer.amount]);
    const fee = held - transaction.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    const { vsize, id } = Transaction.fromRaw(raw, { allowUnknownInputs: true });
    expect(id).toBe(signed.txHash);
    expect(fee).toBeGreaterThanOrEqual(rate * BigInt(vsize));
    const looseFee = rate * BigInt(vsize + coins.length + (change.length === 0 ? 32 : 1)); // a vB for signatures shorter than the longest
    expect(fee).toBeLessThanOrEqual(change.length === 0 ? looseFee + 294n : looseFee);

    const keyHash = p2wpkh(publicKey).hash;
    const amountOf = new Map(coins.map(({ txHash, index, amount }) => [`${txHash}:${index}`, amount]));
    expect(digests).toEqual(spent.map((outpoint, at) => sighash(raw, at, keyHash, amountOf.get(outpoint) ?? 0n)));
  });
  await fc.assert(property, { numRuns: 30 });
});

describe('is refused', () => {
  const coins = [coin(1, 50_000n), coin(2, 30_000n)];
  const build = (transfer: Transfer, quote = quoteOf(5n), reserved: ReservedCoin[] = coins) =>
    chain.build(transfer, quote, { coins: reserved });

  test.each([
    ['dust to P2WPKH', () => build(transferOf(293n)), /dust/],
    ['dust to P2PKH', () => build(transferOf(545n, recipients.p2pkh)), /dust/],
    ['more than the coins hold with the fee', () => build(transferOf(79_999n)), /do not pay/],
    ['no coins', () => chain.build(transferOf(1_000n), quoteOf(5n), {}), /not 0/],
    ['a coin twice', () => build(transferOf(1_000n), quoteOf(5n), [coin(1, 5_000n), coin(1, 5_000n)]), /twice/],
    ['another asset', () => build({ ...transferOf(1_000n), asset: { contract: 'x', decimals: 8 } }), /one asset/],
    ['another kind of sender', () => build({ ...transferOf(1_000n), from: recipients.p2pkh }), /P2WPKH/],
    ['a fee above the quote', () => build(transferOf(1_000n), quoteOf(5n, 500n)), /above the 500/],
    ['a quote without a rate', () => build(transferOf(1_000n), { ...quoteOf(1n), parameters: {} }), /no fee rate/],
  ])('%s', async (_name, act, words) => {
    const name = words.source === 'do not pay' ? 'ChainError' : 'ImpossibleTransfer';
    await expect(act()).rejects.toMatchObject({ name, message: expect.stringMatching(words) });
  });

  test('as little as can be relayed is not', async () => {
    await expect(build(transferOf(294n))).resolves.toBeDefined();
    await expect(build(transferOf(546n, recipients.p2pkh))).resolves.toBeDefined();
    await expect(build(transferOf(540n, recipients.p2sh))).resolves.toBeDefined();
  });
});

describe('a signature', () => {
  const coins = [coin(1, 50_000n), coin(2, 30_000n)];
  const built = chain.build(transferOf(60_000n), quoteOf(5n), { coins });

  test('with the higher s is turned into the one that nodes relay', async () => {
    const { unsigned, payloads } = await built;
    const low = digestsOf(payloads).map((digest) => signWith(secret, digest));
    const high = low.map((signature) => {
      const { n } = secp256k1.Point.CURVE();
      const s = n - BigInt(`0x${signature.slice(66, 130)}`);
      return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}1c`;
    });
    expect(chain.assemble(unsigned, high, publicKeyHex)).toEqual(chain.assemble(unsigned, low, publicKeyHex));
  });

  test('that is wrong, missing or in the wrong place is never put in', async () => {
    const { unsigned, payloads } = await built;
    const signatures = digestsOf(payloads).map((digest) => signWith(secret, digest));
    const other = Buffer.alloc(32, 8);
    const [first = '', second = ''] = signatures;
    for (const wrong of [
      [second, first],
      [first],
      [first, second, second],
      [first, signWith(other, Buffer.alloc(32, 1))],
    ])
      expect(() => chain.assemble(unsigned, wrong, publicKeyHex)).toThrow(/[Ss]ignature/);
    const otherKey = Buffer.from(secp256k1.getPublicKey(other, true)).toString('hex');
    expect(() => chain.assemble(unsigned, signatures, otherKey)).toThrow("not this key's to spend");
  });
});
