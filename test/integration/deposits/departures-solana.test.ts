// Goal: on Solana too, what leaves a wallet by a transaction that was signed for its caller is booked when it is final,
// also the fee of one that failed, and a message that has expired is released, by its time and not before. Method: the
// sandbox's Solana with a clock of the test, keys of the test's in the place of the cluster, the product's readings one
// at a time.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, getBase58Encoder, type ReadonlyUint8Array } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getCloseAccountInstruction, getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExpiringChain } from '../../../activities/chains/port/chain.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { departures } from '../../../drizzle/departures/departures.ts';
import { sumUnlanded } from '../../../drizzle/signing-requests/caller-broadcasts.ts';
import { insertSigningMovements } from '../../../drizzle/signing-requests/signing-movements.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { serveSolana } from '../../../src/local/solana/server.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { fundedSolanaClient, makeMint, SOL, signFor, solanaKey, tokenAccountOf } from '../../support/chains/solana.ts';
import { testSeals } from '../../support/rows/seals.ts';

const NETWORK = 'SOL_SANDBOX';
const SLOT_MS = 400;
const MAY_TAKE = 7n * SOL;

let directory: string;
let nowMs: number;
let sandbox: SolanaChain;
let server: Server;
let url: string;
let chain: ExpiringChain;
let rows: DepositDatabase;
let sol: string;
let walletId: string;
let owner: ReturnType<typeof solanaKey>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  nowMs = Date.now();
  [sandbox, rows] = await Promise.all([SolanaChain.open(directory, () => nowMs), openDepositDatabase()]);
  const port = await findFreePort();
  server = await serveSolana(sandbox, port);
  url = `http://127.0.0.1:${port}`;
  chain = solanaChain({ rpcUrl: url });
  sol = await rows.nativeAsset(NETWORK);
  owner = solanaKey();
  walletId = await rows.makeWallet('sol', owner.address);
  await sandbox.airdrop(owner.address, 10n * SOL);
  wait(1);
  await read();
});
afterEach(async () => {
  expect(await rows.imbalances()).toEqual([]);
  server.closeAllConnections();
  server.close();
  await rows.stop();
  rmSync(directory, { recursive: true, force: true });
});

function wait(slots: number): void {
  nowMs += slots * SLOT_MS;
}
/** By a reader of its own, which looks at once after what was signed. */
const read = () => watchDeposits(rows.db, { networkCode: NETWORK, chain }).read();
const available = async () => (await rows.balances(walletId, sol)).available;
const onChain = () => chain.balance(owner.address, { contract: null, decimals: 9 });
const pendingOut = async () => (await sumUnlanded(rows.db, [walletId]))[0]?.amountBaseUnits ?? 0n;
const landing = async () => (await rows.db.select().from(signingRequests)).map((row) => row.landing);

/** As the API has it signed by the cluster for a caller. */
async function record(
  message: string,
  { publicKey, signature }: { publicKey: string; signature: string },
  of = walletId,
) {
  const [id, workspaceId] = [uuidv7(), rows.workspaceId];
  await rows.db.transaction(async (tx) => {
    await insertSigningRequest(tx, testSeals, {
      id,
      workspaceId,
      walletId: of,
      operationType: 'generic',
      networkInternalCode: NETWORK,
      keyType: 'ed25519',
      payloadKind: 'solana_transaction',
      signingHash: `0x${createHash('sha256')
        .update(Buffer.from(message.slice(2), 'hex'))
        .digest('hex')}`,
      unsignedTx: message,
      derivationPath: 'm/44/501/0/0/0',
      landing: 'open',
    });
    const moved = [{ assetId: sol, amountBaseUnits: MAY_TAKE }];
    await insertSigningMovements(tx, [{ signingId: id, workspaceId, walletId: of, moved }]);
  });
  const fields = { status: 'success', signature, publicKey: `0x${publicKey}` } as const;
  await rows.db.update(signingRequests).set(fields).where(eq(signingRequests.id, id));
  return id;
}

async function signed(amount = SOL) {
  const to = (await generateKeyPairSigner()).address;
  const transfer = { from: owner.address, to, asset: { contract: null, decimals: 9 }, amount };
  const fee = await chain.estimateFee(transfer, 'low');
  const { unsigned, validUntil = Number.NaN } = await chain.build(transfer, fee, {});
  const signature = owner.sign(unsigned);
  const id = await record(unsigned, { publicKey: owner.publicKey, signature });
  return { id, to, validUntil, ...chain.assemble(unsigned, [signature], owner.publicKey) };
}

test('booked with its fee when it is final, and pending out until then', async () => {
  const { id, to, raw, txHash, validUntil } = await signed();
  expect(await pendingOut()).toBe(MAY_TAKE);
  await chain.broadcast(raw, validUntil);
  wait(1);
  await read();
  const [departure] = await rows.db.select().from(departures);
  expect(departure).toMatchObject({ transactionId: id, txHash, toAddress: to, amountBaseUnits: SOL, succeeded: true });
  expect(departure?.feeBaseUnits).toBeGreaterThan(0n);
  expect(await available()).toBe(9n * SOL - (departure?.feeBaseUnits ?? 0n));
  expect(await available()).toBe(await onChain());
  expect(await pendingOut()).toBe(0n);
});

test('what the chain undid: the fee alone', async () => {
  const both = [await signed(6n * SOL), await signed(6n * SOL)];
  for (const { raw } of both) sandbox.send(Buffer.from(raw.slice(2), 'hex'), true);
  wait(1);
  await read();
  const outcomes = await rows.db.select().from(departures).orderBy(departures.succeeded);
  expect(outcomes).toMatchObject([
    { succeeded: false, amountBaseUnits: 0n },
    { succeeded: true, amountBaseUnits: 6n * SOL },
  ]);
  expect(await available()).toBe(await onChain());
  expect((await rows.activityOf(walletId)).map(({ status }) => status).toSorted()).toEqual([
    'completed',
    'confirmed',
    'failed',
  ]);
});

test('released when its blockhash has expired for the finalized chain and it has not landed, and not before', async () => {
  const { validUntil } = await signed();
  await read();
  expect(await landing()).toEqual(['open']);
  wait(validUntil - sandbox.slots.current);
  await read();
  expect(await landing()).toEqual(['open']);
  expect(await pendingOut()).toBe(MAY_TAKE);
  wait(20);
  await read();
  expect(await landing()).toEqual(['released']);
  expect(await pendingOut()).toBe(0n);
  expect(await available()).toBe(10n * SOL);
});

test('released by one and landed all the same: it is booked', async () => {
  const { id, raw, validUntil } = await signed();
  await rows.db.update(signingRequests).set({ landing: 'released' }).where(eq(signingRequests.id, id));
  await chain.broadcast(raw, validUntil);
  wait(1);
  await read();
  expect(await landing()).toEqual(['landed']);
  expect(await available()).toBe(await onChain());
});

test('landed though it took nothing from the wallet: it waits no longer', async () => {
  const ticking = setInterval(() => wait(1), 20);
  const client = await fundedSolanaClient(url);
  const signer = await generateKeyPairSigner();
  const other = await rows.makeWallet('sol', signer.address);
  const { mint } = await makeMint(client, 6);
  const account = await tokenAccountOf(signer.address, mint);
  await client.execute(
    getTransferSolInstruction({ source: client.payer, destination: signer.address, amount: SOL }),
    getCreateAssociatedTokenIdempotentInstruction({ payer: client.payer, ata: account, owner: signer.address, mint }),
  );
  // The rent of the account comes back, which is more than the fee.
  const close = getCloseAccountInstruction({ account, destination: signer.address, owner: signer });
  const { value: lifetime } = await client.rpc.getLatestBlockhash().send();
  const transaction = await signFor(signer, [close], lifetime);
  const [message, signature] = [transaction.messageBytes, transaction.signatures[signer.address]].map(hexOf);
  const publicKey = Buffer.from(getBase58Encoder().encode(signer.address)).toString('hex');
  await record(message ?? '', { publicKey, signature: signature ?? '' }, other);
  await client.confirm(await client.send(transaction));
  clearInterval(ticking);
  await read();
  await read();
  expect(await landing()).toEqual(['landed']);
  expect(await rows.db.select().from(departures)).toEqual([]);
  const asset = { contract: null, decimals: 9 };
  expect((await rows.balances(other, sol)).available).toBe(await chain.balance(signer.address, asset));
});

const hexOf = (bytes: ReadonlyUint8Array | null | undefined) => `0x${Buffer.from(bytes ?? []).toString('hex')}`;
