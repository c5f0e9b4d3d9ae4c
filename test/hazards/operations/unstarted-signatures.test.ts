// Goal: the signatures of a withdrawal are started by its own workflow, however long no worker goes on with it: the
// search for lost workflows ends none that is still to be started, and leaves none that nobody will start. Method: rows
// as prepareTransaction writes them, and what that search does about them, on real PostgreSQL.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FailureCode, failedSigning } from '../../../domain/failures.ts';
import { connectDatabase, type Database } from '../../../drizzle/database/connection.ts';
import { readSigningRequest } from '../../../drizzle/signing-requests/signing-queries.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import {
  insertChainTransaction,
  listChainTransactions,
  storeSigned,
} from '../../../drizzle/withdrawals/chain-transactions.ts';
import { advanceWithdrawal, insertWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { sign } from '../../../src/operations/sign.ts';
import { withdraw } from '../../../src/operations/withdraw.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { credit, noQuote, sandbox } from '../../support/rows/funded.ts';
import { makeWallet, makeWorkspace } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

const FROM = '0x00000000000000000000000000000000000000aa';

let database: TestDatabase;
let connection: ReturnType<typeof connectDatabase>;
let db: Database;
let workspaceId: string;
let walletId: string;
const startedAgain: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 2, name: 'test-unstarted' });
  db = connection.db;
  workspaceId = await makeWorkspace(db);
  walletId = await makeWallet(db, workspaceId);
  await credit(db, walletId, sandbox.ETH, 1_000n);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function begin(): Promise<string> {
  const id = uuidv7();
  const { assetId, networkId } = sandbox.ETH;
  const asked = { assetId, networkId, feeAssetId: assetId, amountBaseUnits: 10n, decimals: 18 };
  const addresses = { fromAddress: FROM, derivationPath: 'm', recipientAddress: FROM };
  const row = { id, workspaceId, walletId, ...asked, ...addresses, requestedBy: uuidv7() };
  await db.transaction(async (tx) => {
    await insertWithdrawal(tx, testSeals, row);
    await advanceWithdrawal(tx, id, { from: 'pending', to: 'approved', details: 'Allowed.' });
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', details: 'Begun.' });
  });
  return id;
}

/** Answers the id of its signing operation. */
async function build(withdrawalId: string, ordinal: number, kind: 'transfer' | 'speed_up'): Promise<string> {
  const signingId = uuidv7();
  await db.transaction(async (tx) => {
    await insertSigningRequest(tx, testSeals, {
      id: signingId,
      workspaceId,
      walletId,
      operationType: 'withdrawal',
      withdrawalId,
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: '0x',
      unsignedTx: '0x',
      derivationPath: 'm',
    });
    const fee = { fee: noQuote, maxFeeBaseUnits: 0n };
    const content = { unsigned: '0x', payloads: [], signingIds: [signingId] };
    const where = { networkId: sandbox.ETH.networkId, fromAddress: FROM, nonce: 0 };
    await insertChainTransaction(tx, testSeals, {
      id: uuidv7(),
      withdrawalId,
      ordinal,
      kind,
      ...where,
      ...fee,
      ...content,
    });
  });
  return signingId;
}

const dependencies = () => ({
  db,
  seals: testSeals,
  starter: { startAgain: async ({ workflowId }: { workflowId: string }) => void startedAgain.push(workflowId) },
  log: { warn: () => {} },
});
const lose = (kind: typeof sign | typeof withdraw, id: string, code: FailureCode) =>
  kind.endLost(dependencies(), { id, workflowId: id, failure: failedSigning(code) });
const statusOf = async (signingId: string) => (await readSigningRequest(db, signingId))?.status;

test('one whose workflow was not started yet stays open as long as its withdrawal is, and ends with it', async () => {
  const id = await begin();
  const signingId = await build(id, 0, 'transfer');
  expect(await lose(sign, signingId, 'workflow_not_found')).toBe(false);
  expect(await statusOf(signingId)).toBe('pending');
  expect(await lose(withdraw, id, 'workflow_terminated')).toBe(true);
  expect(await statusOf(signingId)).toBe('failed');
});

test('one whose workflow was there and ended is ended', async () => {
  const signingId = await build(await begin(), 0, 'transfer');
  expect(await lose(sign, signingId, 'workflow_terminated')).toBe(true);
  expect(await statusOf(signingId)).toBe('failed');
});

test('one that nobody will start, since a new run follows what is out, is ended with its transaction', async () => {
  const id = await begin();
  await build(id, 0, 'transfer');
  const [sent] = await listChainTransactions(db, id);
  if (sent === undefined) throw new Error('it was not built');
  await storeSigned(db, testSeals, sent, { signed: '0x00', txHash: '0x01' });
  const signingId = await build(id, 1, 'speed_up');
  expect(await lose(withdraw, id, 'workflow_terminated')).toBe(false);
  expect(startedAgain).toEqual([id]);
  expect(await statusOf(signingId)).toBe('failed');
  expect((await listChainTransactions(db, id)).map(({ status }) => status)).toEqual(['signed', 'abandoned']);
});
