// Goal: who writes the database gains no authority: what was written, copied or set back by SQL lets nobody in and
// approves nothing. Method: the API with production's default policy; each attack is SQL as the owner of the tables
// with every trigger off, then the API and the worker's own count are asked.

import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiKeyRow, apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { approvalRounds, approvals } from '../../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../../drizzle/database/connection.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { authorityChanges } from '../../../drizzle/users/authority-changes.ts';
import { users } from '../../../drizzle/users/users.ts';
import { signingDigest } from '../../../drizzle/votes/approved-content.ts';
import { isApproved } from '../../../drizzle/votes/counted-votes.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { VersionCheck } from '../../../src/worker/check-sealed-versions.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { testSeals } from '../../support/rows/seals.ts';

const SELF = '/api/v1/api-keys/self';
const REMEMBERED_MS = 850;

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approver: KnownKey;
let check: VersionCheck;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', production: true });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await stage.makeFundedWallet();
});
afterAll(() => api.stop());
beforeEach(async () => {
  approver = await stage.makeApprover();
  check = new VersionCheck({ db: api.db, seals: testSeals, log: { warn: () => {}, error: () => {} } });
});

/** As the owner of the tables, with every trigger off. */
const attack = (write: (tx: Transaction) => Promise<unknown>) =>
  api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await write(tx);
  });

const rowOf = async (key: TestKey): Promise<ApiKeyRow> => {
  const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.apiKey, key.apiKey));
  if (row === undefined) throw new Error('there is no key');
  return row;
};
/** After what a process remembers of a key. */
async function statusWith(key: TestKey): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REMEMBERED_MS));
  return (await api.call('GET', SELF, undefined, { key })).status;
}

describe('a key', () => {
  const edits: [string, (row: ApiKeyRow) => Partial<ApiKeyRow>][] = [
    ['given more scopes', () => ({ scopes: ['api_keys:admin', 'withdrawals:approve'] })],
    ['given another user', () => ({ userId: uuidv7() })],
    ['given back after it was revoked', () => ({ revokedAt: null, sealVersion: 9 })],
    ['freed of its wallets', () => ({ walletIds: [uuidv7()] })],
    ['freed of its addresses', () => ({ ipAllowlist: ['127.0.0.1'] })],
    ['given another end', () => ({ expiresAt: new Date(Date.now() + 3_600_000) })],
    ['allowed to sign as of old', () => ({ legacyPathSigning: true })],
    ['given its former secret back', (row) => ({ previousSecretEncrypted: row.secretEncrypted })],
    ['without a seal', () => ({ seal: null })],
  ];
  test.each(edits)('%s by SQL lets nobody in', async (_name, edit) => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    expect((await api.call('GET', SELF, undefined, { key })).status).toBe(200);
    const row = await rowOf(key);
    await attack((tx) => tx.update(apiKeys).set(edit(row)).where(eq(apiKeys.id, row.id)));
    expect(await statusWith(key)).toBe(401);
  });

  test('moved to another workspace, or copied with another id, lets nobody in', async () => {
    const other = await api.makeWorkspace();
    const [moved, copied] = [await api.makeKey({}), await api.makeKey({})];
    const { id } = await rowOf(moved);
    await attack((tx) => tx.update(apiKeys).set({ workspaceId: other.workspaceId }).where(eq(apiKeys.id, id)));
    expect(await statusWith(moved)).toBe(401);
    const copy = { ...(await rowOf(copied)), id: uuidv7(), apiKey: `ck_${'0'.repeat(32)}` };
    await attack((tx) => tx.insert(apiKeys).values(copy));
    expect(await statusWith({ ...copied, apiKey: copy.apiKey })).toBe(401);
  });

  test('whose user was enabled again by SQL lets nobody in', async () => {
    const key = await api.makeKey({});
    const { userId } = await rowOf(key);
    const path = `/api/v1/users/${userId}`;
    expect((await api.call('PATCH', path, { status: 'disabled' })).status).toBe(200);
    await attack((tx) => tx.update(users).set({ status: 'active' }).where(eq(users.id, userId)));
    const set = { revokedAt: null };
    await attack((tx) => tx.update(apiKeys).set(set).where(eq(apiKeys.userId, userId)));
    expect(await statusWith(key)).toBe(401);
  });
});

describe('an approval', () => {
  let id: string;
  beforeEach(async () => {
    id = await stage.askId('signing', walletId);
  });
  const digestOf = async () => {
    const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
    if (row === undefined) throw new Error('there is no operation');
    return signingDigest(row);
  };
  const countNow = async () => isApproved(api.db, testSeals, id, await digestOf());
  const setRound = (fields: Partial<typeof approvalRounds.$inferInsert>) =>
    attack((tx) => tx.update(approvalRounds).set(fields).where(eq(approvalRounds.subjectId, id)));
  const forge = async (seal: string | null) => {
    const vote = {
      id: uuidv7(),
      subjectId: id,
      apiKeyId: approver.id,
      userId: approver.id,
      decision: 'approved',
    } as const;
    const digest = await digestOf();
    await attack((tx) => tx.insert(approvals).values({ ...vote, digest, seal }));
    await setRound({ status: 'approved' });
  };

  test('that nobody gave does not count, without a seal or with that of another vote', async () => {
    const other = await stage.askId('signing', walletId);
    await stage.decide('signing', other, { verb: 'approve', key: approver });
    const [given] = await api.db.select().from(approvals).where(eq(approvals.subjectId, other));
    for (const seal of [null, given?.seal ?? '']) {
      await forge(seal);
      expect(await countNow()).toBe(false);
      await attack((tx) => tx.delete(approvals).where(eq(approvals.subjectId, id)));
    }
    await setRound({ status: 'pending' });
    expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
    expect(await countNow()).toBe(true);
  });

  test('of a round that was made to need none, or to be asked for by somebody else, does not count', async () => {
    for (const fields of [{ required: 0 }, { requestedBy: uuidv7() }, { expiresAt: new Date(Date.now() + 9e9) }]) {
      id = await stage.askId('signing', walletId);
      await setRound({ ...fields, status: 'approved' });
      expect(await countNow()).toBe(false);
      await setRound({ status: 'pending' });
      expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(409);
    }
  });

  test('stays rejected when the round is opened again by SQL and approved by another', async () => {
    expect((await stage.decide('signing', id, { verb: 'reject', key: approver })).status).toBe(200);
    await setRound({ status: 'pending' });
    await attack((tx) =>
      tx
        .update(signingRequests)
        .set({ status: 'pending', statusReason: 'awaiting_approval' })
        .where(eq(signingRequests.id, id)),
    );
    await stage.decide('signing', id, { verb: 'approve', key: await stage.makeApprover() });
    await setRound({ status: 'approved' });
    expect(await countNow()).toBe(false);
  });

  test('of a key that was given the scope by SQL, or moved to another user, does not count', async () => {
    await stage.decide('signing', id, { verb: 'approve', key: approver });
    expect(await countNow()).toBe(true);
    await attack((tx) =>
      tx
        .update(approvals)
        .set({ userId: uuidv7() })
        .where(and(eq(approvals.subjectId, id), eq(approvals.apiKeyId, approver.id))),
    );
    expect(await countNow()).toBe(false);
  });
});

test('a change of a key that waits, of which SQL replaced the user or the scopes, is not applied', async () => {
  const other = await stage.makeApprover();
  const key = await api.makeKey({ scopes: ['wallets:read'] });
  const { id } = await rowOf(key);
  const edits = [{ userId: uuidv7() }, { details: { overlap_seconds: 0, scopes: ['withdrawals:approve'] } }];
  for (const edit of edits) {
    const asked = await stage.call('POST', `/api/v1/api-keys/${id}/rotate`, { overlap_seconds: 0 });
    expect(asked.status).toBe(202);
    const changeId: string = asked.body.data.id;
    await attack((tx) => tx.update(authorityChanges).set(edit).where(eq(authorityChanges.id, changeId)));
    const answer = await stage.call('POST', `/api/v1/changes/${changeId}/approve`, undefined, { key: other });
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'What is stored is not what was asked for: it can only be rejected.' },
    });
    expect((await rowOf(key)).sealVersion).toBe(1);
  }
});

// At the end: it finds what the others left, and freezes their workspace.
test('a key that is set back to what it was before it was revoked, with its seal of then, is found and freezes the workspace', async () => {
  const { workspaceId, key: admin } = await api.makeWorkspace();
  const body = { name: 'a key', scopes: ['wallets:read'] };
  const made = await api.call('POST', `/api/v1/workspaces/${workspaceId}/api-keys`, body, { key: admin });
  const key = { apiKey: made.body.data.api_key, apiSecret: made.body.data.api_secret };
  const before = await rowOf(key);
  await api.call('DELETE', `/api/v1/api-keys/${before.id}`, undefined, { key: admin });
  const foundHere = async () => (await check.round()).filter((found) => found.workspaceId === workspaceId);
  expect(await foundHere()).toEqual([]);
  await attack((tx) => tx.update(apiKeys).set(before).where(eq(apiKeys.id, before.id)));
  expect(await foundHere()).toMatchObject([{ kind: 'api_key', rowId: before.id, expectedVersion: 2, foundVersion: 1 }]);
  const [frozen] = await api.db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  expect(frozen?.withdrawalsFrozenAt).not.toBeNull();
});
