// Goal: a withdrawal names the nodes that signed the transaction that stands for it: each once however many signatures
// there are, those of a replacement in the place of those before it, and none where one of them is not known. Method:
// the API on a real database; the rows are moved as the workers move them.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBroadcast } from '../../../activities/withdrawals/note-broadcast.ts';
import { eventOutbox } from '../../../drizzle/events/events.ts';
import { beginSigningAttempt } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { advanceSigningRequest, insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import {
  insertChainTransaction,
  listChainTransactions,
  storeSigned,
} from '../../../drizzle/withdrawals/chain-transactions.ts';
import { findWithdrawalContext } from '../../../drizzle/withdrawals/withdrawal-context.ts';
import { advanceWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { connectNetwork, credit, noQuote, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let walletId: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.BTC.networkId);
  walletId = await api.makeActiveWallet();
  await credit(api.db, walletId, sandbox.BTC, 10n ** 10n);
});
afterAll(() => api.stop());

const read = async (id: string) => (await api.call('GET', `/api/v1/withdrawals/${id}`)).body.data;

async function ask(external: string): Promise<string> {
  const { body } = await api.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
    asset_id: sandbox.BTC.assetId,
    amount: '0.25',
    recipient_address: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
    external_id: external,
  });
  const { id } = body.data.withdrawal;
  await api.db.transaction((tx) =>
    advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', details: 'Taken up.' }),
  );
  return id;
}

/** By the nodes of each signature; of a worker of the former version, which keeps none, by null. */
async function send(id: string, ordinal: number, signatures: readonly (readonly number[] | null)[]): Promise<void> {
  const context = await findWithdrawalContext(api.db, id);
  if (context === undefined) throw new Error('there is no withdrawal');
  const { withdrawal, network } = context;
  const signingIds = signatures.map(() => uuidv7());
  await api.db.transaction(async (tx) => {
    for (const signingId of signingIds)
      await insertSigningRequest(tx, testSeals, {
        id: signingId,
        workspaceId: withdrawal.workspaceId,
        walletId,
        operationType: 'withdrawal',
        withdrawalId: id,
        networkInternalCode: network.internalCode,
        keyType: 'secp256k1',
        signingHash: '0x',
        unsignedTx: '0x',
        derivationPath: 'm',
      });
    await insertChainTransaction(tx, testSeals, {
      id: uuidv7(),
      withdrawalId: id,
      ordinal,
      kind: ordinal === 0 ? 'transfer' : 'speed_up',
      networkId: network.id,
      fromAddress: withdrawal.fromAddress,
      fee: noQuote,
      maxFeeBaseUnits: 1n,
      unsigned: '0x',
      payloads: [],
      signingIds,
    });
  });
  for (const [index, nodes] of signatures.entries()) {
    const signingId = signingIds[index] ?? '';
    await beginSigningAttempt(api.db, { id: signingId, mpcCorrelationId: `${signingId}.1`, before: null });
    const signedByNodes = nodes === null ? null : [...nodes];
    await advanceSigningRequest(api.db, signingId, { from: 'submitted', to: 'success', fields: { signedByNodes } });
  }
  const txHash = `0x${ordinal}`;
  const row = (await listChainTransactions(api.db, id)).find((one) => one.ordinal === ordinal);
  if (row === undefined) throw new Error('there is no transaction');
  await storeSigned(api.db, testSeals, row, { signed: '0x00', txHash });
  await noteBroadcast(api.db, context, row, txHash);
}

test('several signatures: each node once, in the record and in its event', async () => {
  const id = await ask('several');
  expect(await read(id)).not.toHaveProperty('signed_by_nodes');
  await send(id, 0, [
    [2, 3],
    [1, 3],
    [2, 3],
  ]);
  expect(await read(id)).toMatchObject({ tx_hash: '0x0', signed_by_nodes: [1, 2, 3] });
  const events = await api.db.select().from(eventOutbox).where(eq(eventOutbox.type, 'withdrawal.broadcast'));
  expect(events.map(({ resource }) => resource?.['signedByNodes'])).toEqual([[1, 2, 3]]);
});

test('a replacement: the nodes of the transaction that stands for it now', async () => {
  const id = await ask('replaced');
  await send(id, 0, [[1, 2]]);
  await send(id, 1, [[2, 3]]);
  expect(await read(id)).toMatchObject({ tx_hash: '0x1', signed_by_nodes: [2, 3] });
  // The first one lands all the same.
  const fields = { txHash: '0x0', blockNumber: 7 };
  const details = 'In a block.';
  await api.db.transaction((tx) =>
    advanceWithdrawal(tx, id, { from: 'processing', to: 'processing', fields, details }),
  );
  expect(await read(id)).toMatchObject({ tx_hash: '0x0', signed_by_nodes: [1, 2] });
});

test('one signature of which nobody kept the nodes: none are named', async () => {
  const id = await ask('unknown');
  await send(id, 0, [[1, 2], null]);
  expect(await read(id)).not.toHaveProperty('signed_by_nodes');
});
