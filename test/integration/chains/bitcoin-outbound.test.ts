// Goal: coins that leave an address are told of, with every signature that spent them, less what came back. Method: a
// real btcd of its own, mined by the test, keys of the test's.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2sh, p2wpkh, Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BitcoinAddresses } from '../../../activities/chains/bitcoin/addresses.ts';
import { readOutboundTransfers } from '../../../activities/chains/bitcoin/outbound-transfers.ts';
import { BitcoinNode } from '../../../activities/chains/bitcoin/rpc.ts';
import type { OutboundTransfer } from '../../../activities/chains/port/movements.ts';
import { bitcoinCodecs } from '../../../domain/payloads/bitcoin-codecs.ts';
import { newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { watching } from '../../support/chains/watching.ts';

const BUILD_MS = 300_000;

let bitcoin: TestBitcoin;
beforeAll(async () => {
  bitcoin = await startBitcoin();
}, BUILD_MS);
afterAll(() => bitcoin.node.stop());

async function outboundTransfersFrom(...ours: string[]): Promise<OutboundTransfer[]> {
  const block = await bitcoin.blockAt((await bitcoin.chain.head()).number);
  const watched = watching(ours);
  const { inboundTransfers, outboundTransfers } = await bitcoin.chain.movements(block, watched);
  expect(watched.asked).toHaveLength(1);
  expect(inboundTransfers).toEqual(await bitcoin.chain.inboundTransfers(block, watching(ours)));
  return outboundTransfers;
}

/** r‖s of each input, as the library reads them. */
function signaturesIn(raw: string): string[] {
  const transaction = Transaction.fromRaw(Buffer.from(raw.slice(2), 'hex'), { allowUnknownInputs: true });
  return Array.from({ length: transaction.inputsLength }, (_, at) => {
    const [der = new Uint8Array()] = transaction.getInput(at).finalScriptWitness ?? [];
    return `0x${Buffer.from(secp256k1.Signature.fromBytes(der.subarray(0, -1), 'der').toBytes('compact')).toString('hex')}`;
  });
}

test('all the inputs of an address together, less the change; nothing of addresses of others', async () => {
  const wallet = await bitcoin.newFundedWallet(600_000n);
  await bitcoin.pay(bitcoin.miner, wallet.address, 500_000n);
  await bitcoin.mine();
  const to = newWallet().address;
  const { txHash, raw } = await bitcoin.pay(wallet, to, 900_000n);
  await bitcoin.mine();
  const left = (await bitcoin.coinsOf(wallet.address)).reduce((sum, { amount }) => sum + amount, 0n);
  const [outboundTransfer, ...more] = await outboundTransfersFrom(wallet.address, to);
  expect(more).toEqual([]);
  const fee = 1_100_000n - left - 900_000n;
  expect(fee).toBeGreaterThan(0n);
  expect(outboundTransfer).toMatchObject({ txHash, index: 'vin:0', contract: null, from: wallet.address, to, fee });
  expect(outboundTransfer?.amount).toBe(1_100_000n - left);
  expect(outboundTransfer?.signatures).toEqual(signaturesIn(raw));
  expect(outboundTransfer?.signatures).toHaveLength(2);
  expect(await outboundTransfersFrom(to)).toEqual([]);
});

test('whoever turns the s of a signature over shows the same one', async () => {
  const wallet = await bitcoin.newFundedWallet();
  const transfer = {
    from: wallet.address,
    to: newWallet().address,
    asset: { contract: null, decimals: 8 },
    amount: 9_000n,
  };
  const { raw } = await bitcoin.sign(wallet, transfer, wallet.coins);
  const transaction = Transaction.fromRaw(Buffer.from(raw.slice(2), 'hex'), { allowUnknownInputs: true });
  const [der = new Uint8Array(), publicKey = new Uint8Array()] = transaction.getInput(0).finalScriptWitness ?? [];
  const { r, s } = secp256k1.Signature.fromBytes(der.subarray(0, -1), 'der');
  const turned = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s).toBytes('der');
  const [signature] = signaturesIn(raw);
  const shown = await outboundTransfersOfWitness(wallet.address, [Uint8Array.of(...turned, 1), publicKey]);
  expect(shown).toEqual([signature]);
});

/** No node relays such a transaction, and a miner may mine it: it is put into what the node shows of a block. */
async function outboundTransfersOfWitness(address: string, witness: readonly Uint8Array[]): Promise<string[]> {
  const [coin] = await bitcoin.coinsOf(address);
  if (coin === undefined) throw new Error('no coin');
  const txinwitness = witness.map((each) => Buffer.from(each).toString('hex'));
  const transaction = { txid: 'ab'.repeat(32), vin: [{ txid: coin.txHash, vout: coin.index, txinwitness }], vout: [] };
  const node = new BitcoinNode(bitcoin.node.rpcUrl, 'regtest');
  const head = await bitcoin.chain.head();
  const ours = new Set([address]);
  const source = { node, addresses: new BitcoinAddresses('regtest'), block: head };
  const outboundTransfers = await readOutboundTransfers(source, [transaction], ours);
  return outboundTransfers.flatMap(({ signatures }) => signatures);
}

test('another script over the same key is another address', async () => {
  const wallet = newWallet();
  const inner = p2wpkh(Buffer.from(wallet.publicKey.slice(2), 'hex'));
  const nested = p2sh(inner);
  const address = bitcoinCodecs.regtest.encode({ type: 'sh', hash: nested.hash ?? new Uint8Array() } as never);
  const paid = await bitcoin.pay(bitcoin.miner, address, 400_000n);
  await bitcoin.mine();
  const funding = Transaction.fromRaw(Buffer.from(paid.raw.slice(2), 'hex'), { allowUnknownInputs: true });
  const index = Array.from({ length: funding.outputsLength }, (_, at) => at).find(
    (at) => Buffer.compare(funding.getOutput(at).script ?? new Uint8Array(), nested.script) === 0,
  );
  const spending = new Transaction();
  const witnessUtxo = { script: nested.script, amount: 400_000n };
  spending.addInput({ txid: paid.txHash, index: index ?? 0, witnessUtxo, redeemScript: inner.script });
  spending.addOutput({ script: inner.script, amount: 390_000n });
  spending.sign(wallet.secret);
  spending.finalize();
  expect(await bitcoin.chain.broadcast(`0x${spending.hex}`)).toEqual({ outcome: 'accepted' });
  await bitcoin.mine();
  expect(await outboundTransfersFrom(wallet.address)).toEqual([]);
});
