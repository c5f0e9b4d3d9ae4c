// Goal: what depends on slots holds at every one of them: when a transaction is past its time, what a walk by number
// meets where slots have no block, what is seen when nothing happens for days. Method: the port against the sandbox's
// front with a clock of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getTransactionEncoder,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExpiringChain } from '../../../activities/chains/port/chain.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { InboundTransfer } from '../../../activities/chains/port/movements.ts';
import { isExpiredSolana } from '../../../activities/chains/solana/follow-transaction.ts';
import { type AskSolana, connectSolana } from '../../../activities/chains/solana/rpc.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { serveSolana } from '../../../src/local/solana/server.ts';
import { SOL, solanaKey } from '../../support/chains/solana.ts';
import { watching } from '../../support/chains/watching.ts';

const SLOT_MS = 400;
const NATIVE = { contract: null, decimals: 9 };
/** A table that is in use: its kind, never deactivated, extended in slot 0 from index 0, without an authority. */
const LOOKUP_TABLE_HEADER = [1, 0, 0, 0, ...Array<number>(8).fill(255), ...Array<number>(44).fill(0)];

let directory: string;
let nowMs: number;
let sandbox: SolanaChain;
let server: Server;
let chain: ExpiringChain;
let ask: AskSolana;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  nowMs = Date.now();
  sandbox = await SolanaChain.open(directory, () => nowMs);
  const port = await findFreePort();
  server = await serveSolana(sandbox, port);
  const rpcUrl = `http://127.0.0.1:${port}`;
  chain = solanaChain({ rpcUrl });
  ask = connectSolana({ rpcUrl });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

function wait(slots: number): void {
  nowMs += slots * SLOT_MS;
}

async function signedTransfer() {
  const key = solanaKey();
  const to = (await generateKeyPairSigner()).address;
  await sandbox.airdrop(key.address, 10n * SOL);
  wait(1);
  const transfer = { from: key.address, to, asset: NATIVE, amount: SOL };
  const { unsigned, validUntil = Number.NaN } = await chain.build(
    transfer,
    await chain.estimateFee(transfer, 'low'),
    {},
  );
  return { to, validUntil, ...chain.assemble(unsigned, [key.sign(unsigned)], key.publicKey) };
}

test('lands at its last height, when it has not expired yet', async () => {
  const { raw, txHash, to, validUntil } = await signedTransfer();
  wait(validUntil - sandbox.slots.current);
  expect(await chain.broadcast(raw, validUntil)).toEqual({ outcome: 'accepted' });
  expect(await isExpiredSolana(ask, txHash, validUntil)).toBe(false);
  wait(1);
  expect(await chain.balance(to, NATIVE)).toBe(SOL);
  expect(await chain.follow(txHash)).toMatchObject({ state: 'included', blockNumber: validUntil });
});

test('has expired once the finalized height is past its last, and not before', async () => {
  const { raw, txHash, to, validUntil } = await signedTransfer();
  wait(validUntil - sandbox.slots.completed);
  expect(await isExpiredSolana(ask, txHash, validUntil)).toBe(false);
  await expect(chain.broadcast(raw, validUntil)).rejects.toThrow(ChainError); // too late to land, too early to say so
  wait(1);
  expect(await isExpiredSolana(ask, txHash, validUntil)).toBe(true);
  await expect(chain.broadcast(raw)).rejects.toThrow(ChainError);
  expect(await chain.broadcast(raw, validUntil)).toEqual({
    outcome: 'rejected',
    reason: `It did not land before block height ${validUntil}, its last.`,
    dead: true,
  });
  expect(await chain.follow(txHash)).toEqual({ state: 'unknown' });
  expect(await chain.balance(to, NATIVE)).toBe(0n);
});

test('what landed never expires, however late it is sent again', async () => {
  const { raw, txHash, to, validUntil } = await signedTransfer();
  await chain.broadcast(raw, validUntil);
  wait(1_000);
  expect(await isExpiredSolana(ask, txHash, validUntil)).toBe(false);
  expect(await chain.broadcast(raw, validUntil)).toEqual({ outcome: 'accepted' });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  expect(await chain.balance(to, NATIVE)).toBe(SOL);
});

test('a walk by number meets every inbound transfer once, and each block’s parent in the number before it', async () => {
  const ours = (await generateKeyPairSigner()).address;
  for (const slots of [3, 1, 1, 7]) {
    wait(slots);
    await sandbox.airdrop(ours, SOL);
  }
  const last = sandbox.slots.current;
  wait(1);
  const found: InboundTransfer[] = [];
  let parentHash = (await chain.block(0))?.hash;
  for (let number = 1; number <= last; number++) {
    const block = await chain.block(number);
    if (block === undefined) throw new Error(`no block ${number}`);
    expect(block).toMatchObject({ number, parentHash });
    found.push(...(await chain.inboundTransfers(block, watching([ours]))));
    parentHash = block.hash;
  }
  expect(found.map(({ block }) => block.number)).toEqual([last - 9, last - 8, last - 7, last]);
  expect(found.every(({ amount }) => amount === SOL)).toBe(true);
});

test('a pause of days is walked over at once, to the same inbound transfers with the same parents', async () => {
  const ours = (await generateKeyPairSigner()).address;
  for (const slots of [3, 400_000, 1, 7]) {
    wait(slots);
    await sandbox.airdrop(ours, SOL);
  }
  const last = sandbox.slots.current;
  wait(1);
  const found: InboundTransfer[] = [];
  const walked: number[] = [];
  let parentHash = (await chain.block(0))?.hash;
  for (let number = await chain.next(0); number <= last; number = await chain.next(number)) {
    const block = await chain.block(number);
    if (block === undefined) throw new Error(`no block ${number}`);
    expect(block).toMatchObject({ number, parentHash });
    found.push(...(await chain.inboundTransfers(block, watching([ours]))));
    parentHash = block.hash;
    walked.push(number);
  }
  expect(walked).toEqual([last - 400_008, last - 8, last - 7, last]);
  expect(found.map(({ block }) => block.number)).toEqual(walked);
  expect(await chain.next(last)).toBe(last + 1); // where there is nothing yet
  expect(await chain.next(last - 8)).toBe(last - 7);
});

test('nothing is said of a slot without a block before a later block proves it; the head moves on all the same', async () => {
  const ours = (await generateKeyPairSigner()).address;
  wait(5);
  await sandbox.airdrop(ours, SOL);
  const first = sandbox.slots.current;
  wait(1_200_000);
  const { hash } = (await chain.block(first)) ?? {};
  expect(await chain.head()).toEqual({ number: sandbox.slots.completed, hash, parentHash: hash });
  expect(await chain.block(first + 1)).toBeUndefined();
  await sandbox.airdrop(ours, SOL);
  wait(1);
  expect(await chain.block(first + 1)).toEqual({ number: first + 1, hash, parentHash: hash });
  expect(await chain.head()).toMatchObject({ number: sandbox.slots.completed, parentHash: hash });
  expect(await chain.head()).toEqual(await chain.block(sandbox.slots.completed));
  expect(await chain.block(sandbox.slots.completed + 1)).toBeUndefined();
});

test('an address that a transaction names through a lookup table gets its inbound transfer', async () => {
  const [payer, ours, table] = await Promise.all([0, 0, 0].map(() => generateKeyPairSigner()));
  if (payer === undefined || ours === undefined || table === undefined) throw new Error('no keys');
  const data = new Uint8Array([...LOOKUP_TABLE_HEADER, ...getBase58Encoder().encode(ours.address)]);
  const programAddress = address('AddressLookupTab1e1111111111111111111111111');
  const account = { lamports: lamports(SOL), programAddress, executable: false, data, space: BigInt(data.length) };
  sandbox.svm.setAccount({ address: table.address, ...account });
  await sandbox.airdrop(payer.address, 10n * SOL);
  wait(1);
  const transfer = getTransferSolInstruction({ source: payer, destination: ours.address, amount: SOL });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(sandbox.latestBlockhash(), paid),
    (timed) => appendTransactionMessageInstructions([transfer], timed),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, { [table.address]: [ours.address] }),
  );
  sandbox.send(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)), false);
  wait(1);
  const head = await chain.head();
  expect(await chain.inboundTransfers(head, watching([ours.address]))).toMatchObject([
    { to: ours.address, from: payer.address, amount: SOL },
  ]);
});
