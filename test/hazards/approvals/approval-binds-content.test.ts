// Goal: T9, an approval binds exactly what was shown, once, with an expiry; any changed byte voids it (0 signatures).
// And T8 where it meets a caller: what gives power away is refused by default. Method: requests over HTTP with the
// policy of production, approved by another key and then tampered with in the database or in the workflow's task, and
// the worker's own activity over a cluster in memory with real keys.
import { ApplicationFailure } from '@temporalio/common';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, erc20Abi, type Hex, keccak256, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import type { GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import { assertApproved, createApprovalActivities } from '../../../activities/signing/approvals.ts';
import type { Curve } from '../../../domain/statuses.ts';
import type { SigningTask } from '../../../domain/workflow-inputs.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { approvalRounds, approvals, recordApproval } from '../../../drizzle/approvals/approvals.ts';
import { sealedSigningRequests, signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { signingDigest, withdrawalDigest } from '../../../drizzle/votes/approved-content.ts';
import { isApproved } from '../../../drizzle/votes/counted-votes.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, mail, signPath } from '../../support/api/sign.ts';
import { isValid } from '../../support/api/verify.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { makeWallet, readSigningRequest } from '../../support/rows/operation-rows.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';
import { testSeals, writeRound } from '../../support/rows/seals.ts';

let api: TestApi;
let stage: ApprovalStage;
let cluster: FakeCluster;
let activities: ReturnType<typeof createActivities>;
let walletId: string;
let approver: KnownKey;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', production: true });
  stage = new ApprovalStage(api);
  await stage.connect();
  approver = await stage.makeApprover();
  cluster = new FakeCluster();
  activities = createActivities({
    db: api.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  walletId = await makeWallet(api.db, api.workspaceId);
  const generate = (curve: Curve): Promise<GeneratedKey> =>
    quietEnvironment().run(() => activities.generateKey(walletId, curve));
  const keys = [await generate('secp256k1'), await generate('ed25519')];
  await activities.activateWallet(walletId, keys);
});
afterAll(() => api.stop());

const network_internal_code = 'ETHEREUM_SANDBOX';
const to = `0x${'11'.repeat(20)}` as const;
const transactionOf = (fields: object) =>
  serializeTransaction({ type: 'eip1559', chainId: 31337, nonce: 0, to, maxFeePerGas: 2n, gas: 21_000n, ...fields });

type Route = Parameters<typeof signPath>[0];
const bodies: Record<string, [Route, object]> = {
  'a digest': ['signRaw', { network_internal_code, signing_hash: 'ab'.repeat(32) }],
  'a message': ['signMessage', { network_internal_code, message: 'Pay Bob 1 ETH' }],
  'typed data': ['signTyped', { chain_id: 1, typed_data: mail }],
  'a transaction': ['signTransaction', { network_internal_code, unsigned_tx: transactionOf({ value: 1n }) }],
};

interface Asked {
  id: string;
  task: SigningTask;
}

async function ask(what: string): Promise<Asked> {
  const [route, body] = bodies[what] as [Route, object];
  const answer = await stage.call('POST', signPath(route, walletId), body);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  const id = answer.body.data.transaction_id as string;
  const [entry] = await outboxEntriesOf(api.db, 'sign', id);
  return { id, task: entry?.input as SigningTask };
}

async function approved(what: string): Promise<Asked> {
  const asked = await ask(what);
  const answer = await stage.decide('signing', asked.id, {
    verb: 'approve',
    key: approver,
    body: {
      digest: (await stage.roundOf(asked.id)).digest,
    },
  });
  expect(answer.status).toBe(200);
  return asked;
}

const fulfil = (task: SigningTask) =>
  quietEnvironment(1).run((frozen: SigningTask) => activities.fulfilSigningRequest(frozen), task);

async function assertNothingSigned(asked: Asked, task = asked.task, type = 'approval_void'): Promise<void> {
  const before = cluster.signaturesMade;
  const error = await fulfil(task).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ type, nonRetryable: true });
  expect(cluster.signaturesMade).toBe(before);
  expect(await readSigningRequest(api.db, asked.id)).toMatchObject({ status: 'pending', signature: null });
}

describe.each(Object.keys(bodies))('T9: %s', (what) => {
  test('approved as it is: signed, exactly that', async () => {
    const { id, task } = await approved(what);
    expect(await fulfil(task)).toMatchObject({ status: 'success' });
    const { keyType: key_type, signingHash: signing_hash, publicKey, ...row } = await readSigningRequest(api.db, id);
    const signed = { key_type, signing_hash, public_key: publicKey, signature: row.signature, address: row.address };
    expect(await isValid(signed as Parameters<typeof isValid>[0])).toBe(true);
    // Once: a second attempt finds it done.
    const made = cluster.signaturesMade;
    expect(await fulfil(task)).toMatchObject({ status: 'success' });
    expect(cluster.signaturesMade).toBe(made);
  });

  test('not approved: not signed, whoever starts it', async () => {
    const asked = await ask(what);
    await assertNothingSigned(asked);
    const { approvalUntil: _, ...unaware } = asked.task;
    await assertNothingSigned(asked, unaware);
  });

  test('approved, and its workflow does not know of it: signed, since the row decides', async () => {
    const asked = await approved(what);
    const { approvalUntil: _, ...unaware } = asked.task;
    expect(await fulfil(unaware)).toMatchObject({ status: 'success' });
  });

  test('any column of the row changed since: not signed', async () => {
    const asked = await approved(what);
    const row = await readSigningRequest(api.db, asked.id);
    const other = await makeWallet(api.db, api.workspaceId);
    const changes: Partial<typeof signingRequests.$inferInsert>[] = [
      { signingHash: `0x${'cd'.repeat(32)}` },
      { unsignedTx: `${row.unsignedTx}00` },
      { derivationPath: 'm/44/60/0/0/1' },
      { payloadKind: row.payloadKind === 'raw_digest' ? 'evm_transaction' : 'raw_digest' },
      { walletId: other },
      { networkInternalCode: 'BSC_MAINNET' },
      { keyType: 'ed25519' },
      { typedData: { ...mail, primaryType: 'Person' } },
      { externalId: 'another' },
      { operationType: 'withdrawal' },
      { withdrawalId: other },
    ];
    for (const change of changes) {
      await api.db.update(signingRequests).set(change).where(eq(signingRequests.id, asked.id));
      await assertNothingSigned(asked, asked.task, 'row_not_sealed');
      // Also when it was sealed as it is now: what was approved is something else.
      await api.db.update(signingRequests).set({ seal: null }).where(eq(signingRequests.id, asked.id));
      await sealedSigningRequests.sealAll(api.db, testSeals);
      await assertNothingSigned(asked);
      await api.db.update(signingRequests).set(row).where(eq(signingRequests.id, asked.id));
    }
    expect(await fulfil(asked.task)).toMatchObject({ status: 'success' });
  });

  test('the history says something else than the row: exactly what was approved is signed', async () => {
    const { id, task } = await approved(what);
    const before = await readSigningRequest(api.db, id);
    // As inputs were before they held ids only.
    const foreign = {
      payload: { kind: 'raw_digest', hex: `0x${'cd'.repeat(32)}` },
      path: [44, 60, 0, 0, 1],
      curve: 'ed25519',
      networkCode: 'BSC_MAINNET',
      walletId: await makeWallet(api.db, api.workspaceId),
    };
    expect(await fulfil({ ...task, ...foreign })).toMatchObject({ status: 'success' });
    const { keyType: key_type, publicKey: public_key, signature, address } = await readSigningRequest(api.db, id);
    const signed = { key_type, signing_hash: before.signingHash, public_key, signature, address };
    expect(await isValid(signed as Parameters<typeof isValid>[0])).toBe(true);
  });
});

describe('T9: an approval that nobody gave', () => {
  const set = (id: string, fields: Partial<typeof approvalRounds.$inferInsert>) => writeRound(api.db, id, fields);
  const speak = async (id: string, apiKeyId: string, digest?: string, userId = apiKeyId) =>
    api.db.transaction(async (tx) =>
      recordApproval(tx, testSeals, {
        id: uuidv7(),
        subjectId: id,
        apiKeyId,
        userId,
        decision: 'approved',
        digest: digest ?? (await stage.roundOf(id)).digest,
      }),
    );

  test('a round that only says that it is approved', async () => {
    const asked = await ask('a message');
    await set(asked.id, { status: 'approved' });
    await assertNothingSigned(asked);
  });

  test('the voice of who asked, of another digest, or of nobody who is named', async () => {
    const asked = await ask('a message');
    const { requestedBy } = await stage.roundOf(asked.id);
    await set(asked.id, { status: 'approved' });
    const [asking] = await api.db.select().from(apiKeys).where(eq(apiKeys.userId, requestedBy));
    await speak(asked.id, asking?.id ?? '', undefined, requestedBy);
    await assertNothingSigned(asked);
    await speak(asked.id, (await stage.makeApprover()).id, '00'.repeat(32));
    await assertNothingSigned(asked);
    await set(asked.id, { approvers: [approver.id] });
    await speak(asked.id, (await stage.makeApprover()).id);
    await assertNothingSigned(asked);
    await speak(asked.id, approver.id);
    expect(await fulfil(asked.task)).toMatchObject({ status: 'success' });
  });

  test('a round that is taken away, or a voice that is changed: the database refuses both', async () => {
    const asked = await approved('a message');
    const refused = { cause: expect.objectContaining({ message: expect.stringMatching(/is only added to/) }) };
    const { db } = api;
    await expect(db.delete(approvalRounds).where(eq(approvalRounds.subjectId, asked.id))).rejects.toMatchObject(
      refused,
    );
    await expect(db.delete(approvals).where(eq(approvals.subjectId, asked.id))).rejects.toMatchObject(refused);
    const digest = '00'.repeat(32);
    const change = db.update(approvals).set({ digest }).where(eq(approvals.subjectId, asked.id));
    await expect(change).rejects.toMatchObject(refused);
  });

  test('row and round changed together: the voices were for what it was', async () => {
    const asked = await approved('a message');
    const changed = { unsignedTx: `0x${Buffer.from('\x19Ethereum Signed Message:\n3Bad').toString('hex')}` as const };
    await api.db.update(signingRequests).set(changed).where(eq(signingRequests.id, asked.id));
    await set(asked.id, { digest: signingDigest(await readSigningRequest(api.db, asked.id)) });
    await assertNothingSigned(asked, asked.task, 'row_not_sealed');
  });

  test('that of another operation of the same content', async () => {
    const [one, other] = [await approved('a message'), await ask('a message')];
    const { digest } = await stage.roundOf(one.id);
    expect((await stage.roundOf(other.id)).digest).not.toBe(digest);
    expect(await stage.decide('signing', other.id, { verb: 'approve', key: approver, body: { digest } })).toMatchObject(
      { status: 409 },
    );
    expect(await isApproved(api.db, testSeals, other.id, digest)).toBe(false);
    await assertNothingSigned(other);
  });
});

test('T9: not approved in time, never signed, whoever approves after it', async () => {
  const asked = await ask('a transaction');
  await stage.expireAt(asked.id, new Date(Date.now() - 1));
  expect((await stage.decide('signing', asked.id, { verb: 'approve', key: approver })).status).toBe(409);
  expect(await createApprovalActivities({ db: api.db, seals: testSeals }).checkApproval(asked.id)).toEqual({
    standing: 'ended',
    expiresInMs: 0,
    reason: 'it was not approved in time',
  });
  const { digest } = await stage.roundOf(asked.id);
  expect((await stage.decide('signing', asked.id, { verb: 'approve', key: approver, body: { digest } })).status).toBe(
    409,
  );
  const before = cluster.signaturesMade;
  expect(await fulfil(asked.task)).toMatchObject({ status: 'failed' });
  expect(cluster.signaturesMade).toBe(before);
  expect(await readSigningRequest(api.db, asked.id)).toMatchObject({ statusReason: 'approval_expired' });
});

test('T9: one digit changed anywhere in what is signed is another digest', async () => {
  const { id } = await approved('a transaction');
  const row = await readSigningRequest(api.db, id);
  const digest = signingDigest(row);
  expect(await isApproved(api.db, testSeals, id, digest)).toBe(true);
  for (const column of ['unsignedTx', 'signingHash'] as const)
    for (let at = 2; at < row[column].length; at += 1) {
      const digit = row[column][at] === '0' ? '1' : '0';
      const changed = { ...row, [column]: `${row[column].slice(0, at)}${digit}${row[column].slice(at + 1)}` };
      expect(signingDigest(changed)).not.toBe(digest);
    }
});

test('T9: a withdrawal, of which any column that says what is sent was changed since its approval', async () => {
  const funded = await stage.makeFundedWallet();
  const id = await stage.askId('withdrawal', funded);
  expect((await stage.decide('withdrawal', id, { verb: 'approve', key: approver })).status).toBe(200);
  const read = async () => (await api.db.select().from(withdrawals).where(eq(withdrawals.id, id)))[0];
  const row = await read();
  if (row === undefined) throw new Error('there is no withdrawal');
  await assertApproved(api.db, testSeals, id, withdrawalDigest(row));
  const changes: Partial<typeof withdrawals.$inferInsert>[] = [
    { recipientAddress: `0x${'66'.repeat(20)}` },
    { amountBaseUnits: row.amountBaseUnits + 1n },
    { walletId },
    { feeLevel: 'high' },
    { maxFeeBaseUnits: 1n },
    { method: 'contract_call' },
    { call: { data: '0x' } },
    { fromAddress: `0x${'66'.repeat(20)}` },
    { derivationPath: 'm/44/60/0/0/1' },
    { notes: 'Changed.' },
  ];
  for (const change of changes) {
    await api.db.update(withdrawals).set(change).where(eq(withdrawals.id, id));
    const changed = await read();
    await expect(assertApproved(api.db, testSeals, id, withdrawalDigest(changed ?? row))).rejects.toMatchObject({
      type: 'approval_void',
    });
    await api.db.update(withdrawals).set(row).where(eq(withdrawals.id, id));
  }
});

describe('T8: refused by default in production, and nothing of it is stored', () => {
  const data = (functionName: 'approve' | 'transfer'): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName, args: [to, 1n] });
  const permit = {
    types: { Permit: [{ name: 'spender', type: 'address' }] },
    primaryType: 'Permit',
    domain: { name: 'Token', chainId: 1 },
    message: { spender: to },
  };
  const send = (fields: object) =>
    ['signTransaction', { network_internal_code, unsigned_tx: transactionOf(fields) }] as const;

  test.each<[string, readonly [Route, object]]>([
    ['an approval', send({ data: data('approve') })],
    ['an upgrade', send({ data: `0x3659cfe6${'00'.repeat(32)}` })],
    ['a transaction of a Safe, which may be a delegatecall', send({ data: `0x6a761202${'00'.repeat(320)}` })],
    ['an unknown function', send({ data: '0xdeadbeef' })],
    ['a contract that is created', send({ to: undefined, data: '0x6000' })],
    ['a permit', ['signTyped', { chain_id: 1, typed_data: permit }]],
    ['an unknown function under a raw digest that shows it', ['signRaw', rawOf(transactionOf({ data: '0xdeadbeef' }))]],
  ])('%s', async (_name, [route, body]) => {
    const before = await countSigningRequests(api);
    const answer = await stage.call('POST', signPath(route, walletId), body);
    expect(answer).toMatchObject({ status: 403, body: { code: 'policy_denied', data: null } });
    expect(answer.body.message).toMatch(/denied unless a rule names (dangerous|unknown) calls/);
    expect(await countSigningRequests(api)).toBe(before);
  });

  test('a transfer waits for approval', async () => {
    for (const fields of [{ value: 1n }, { data: data('transfer') }]) {
      const [route, body] = send(fields);
      expect(await stage.call('POST', signPath(route, walletId), body)).toMatchObject({
        status: 202,
        body: { data: { signing_request: { status_reason: 'awaiting_approval' } } },
      });
    }
  });
});

function rawOf(unsigned_tx: Hex) {
  return { network_internal_code, signing_hash: keccak256(unsigned_tx), unsigned_tx };
}
