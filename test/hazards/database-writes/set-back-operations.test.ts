// Goal: an operation that has ended (a caller cancelled it, an approver rejected it, the worker gave it up) and that
// SQL sets back to open is neither signed nor sent, is found by the audit log in one look, and its workspace is frozen
// before a minute is over; and so is a wallet that was frozen or archived and that SQL calls active. Method: the API
// with Temporal away, so that nothing goes on meanwhile; the worker's activities called by hand; SQL as the owner of
// the tables with every trigger off; then one round of the check.
import { MockActivityEnvironment } from '@temporalio/testing';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clusters } from '../../../activities/mpc/port.ts';
import { createApprovalActivities } from '../../../activities/signing/approvals.ts';
import { createSigningActivities } from '../../../activities/signing/signing-requests.ts';
import { createWithdrawalActivities } from '../../../activities/withdrawals/withdrawals.ts';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { listSetBackRows, resolveSetBack } from '../../../drizzle/sealed-rows/rolled-back-rows.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { sealRows } from '../../../src/commands/seal-rows.ts';
import { VersionCheck } from '../../../src/worker/check-sealed-versions.ts';
import { startApi } from '../../support/api/api.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { ApprovalStage, type Kind } from '../../support/rows/approvals.ts';
import { makeSigningRequest } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

let stage: ApprovalStage;
let walletId: string;
let check: VersionCheck;
beforeAll(async () => {
  stage = new ApprovalStage(await startApi({ temporalAddress: '127.0.0.1:1', production: true }));
  await stage.connect();
});
afterAll(() => stage.api.stop());
beforeEach(async () => {
  walletId = await stage.makeFundedWallet();
  const log = { warn: () => {}, error: () => {} };
  check = new VersionCheck({ db: stage.api.db, seals: testSeals, log });
});
/** As after a drill: what was found is forgotten with its entries. */
afterEach(async () => {
  await asOwner(sql`delete from set_back_rows`);
  await asOwner(sql`update audit_logs set sealed = null`);
  await asOwner(sql`update workspaces set withdrawals_frozen_at = null, seal = null, seal_version = 0`);
});

/** How often the nodes were asked. */
let asked = 0;
const clusters = {
  sign: () => {
    asked += 1;
    throw new Error('nobody signs here');
  },
} as unknown as Clusters;
const worker = () => {
  const dependencies = { db: stage.api.db, seals: testSeals, clusters, chains: noChains };
  return {
    ...createSigningActivities(dependencies),
    ...createWithdrawalActivities(dependencies),
    ...createApprovalActivities(dependencies),
  };
};
const inActivity = <Result>(work: () => Promise<Result>): Promise<Result> =>
  new MockActivityEnvironment().run<[], Result, () => Promise<Result>>(work);

const asOwner = (statement: ReturnType<typeof sql>) =>
  stage.api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(statement);
  });

async function setBack(kind: Kind, id: string): Promise<void> {
  await asOwner(
    kind === 'withdrawal'
      ? sql`update ${withdrawals} set status = 'pending_approval', completed_at = null where id = ${id}`
      : sql`update ${signingRequests} set status = 'pending', status_reason = 'awaiting_approval', completed_at = null where id = ${id}`,
  );
  await asOwner(sql`update ${approvalRounds} set status = 'pending', decided_at = null where subject_id = ${id}`);
}

const found = async () => (await check.round()).map(({ kind, rowId }) => [kind, rowId]);
const isFrozen = async () => {
  const [row] = await stage.api.db.select().from(workspaces).where(eq(workspaces.id, stage.api.workspaceId));
  return row?.withdrawalsFrozenAt !== null;
};
const kinds = { withdrawal: 'withdrawal', signing: 'signing_request' } as const;

test.each(['withdrawal', 'signing'] as const)('a %s that was cancelled', async (kind) => {
  const id = await stage.askId(kind, walletId);
  expect((await stage.cancel(kind, id)).status).toBe(200);
  expect(await found()).toEqual([]);
  await setBack(kind, id);
  expect(await found()).toEqual([[kinds[kind], id]]);
  expect(await isFrozen()).toBe(true);
});

test.each(['withdrawal', 'signing'] as const)('a %s that was rejected', async (kind) => {
  const approver = await stage.makeApprover();
  const id = await stage.askId(kind, walletId);
  expect((await stage.decide(kind, id, { verb: 'reject', key: approver })).status).toBe(200);
  expect(await found()).toEqual([]);
  await setBack(kind, id);
  expect(await found()).toEqual([[kinds[kind], id]]);
  expect(await isFrozen()).toBe(true);
});

describe('an operation that the worker ended', () => {
  const failure = { errorCode: 'frozen', errorReason: 'the wallet is frozen' } as const;
  const expire = async (id: string) => {
    await stage.expireAt(id, new Date(Date.now() - 1_000));
    await worker().checkApproval(id);
  };
  const ends = {
    signing: [
      ['failed', (id: string) => worker().failSigningRequest(id, { statusReason: 'frozen', ...failure })],
      ['was not approved in time', expire],
    ],
    withdrawal: [
      ['was given up', (id: string) => worker().abandonWithdrawal(id, failure)],
      ['was not approved in time', expire],
    ],
  } as const;
  const cases = (['signing', 'withdrawal'] as const).flatMap((kind) =>
    ends[kind].map(([name, end]) => [kind, name, end] as const),
  );

  const entriesOf = (id: string) =>
    stage.api.db
      .select()
      .from(auditLogs)
      .where(sql`${auditLogs.resourceId} = ${id} and ${auditLogs.sealed} is not null`);

  test.each(cases)('a %s that %s', async (kind, _name, end) => {
    const id = await stage.askId(kind, walletId);
    for (let times = 0; times < 2; times += 1) await end(id);
    expect(await entriesOf(id)).toMatchObject([{ actor: 'system', workspaceId: stage.api.workspaceId, walletId }]);
    expect(await found()).toEqual([]);
    await setBack(kind, id);
    expect(await found()).toEqual([[kinds[kind], id]]);
    expect(await isFrozen()).toBe(true);
  });

  test('is not signed when it is open again, also by a worker that never looked before', async () => {
    const { signingId } = await makeSigningRequest(stage.api.db, stage.api.workspaceId, walletId);
    await worker().failSigningRequest(signingId, { statusReason: 'frozen', ...failure });
    await asOwner(sql`update ${signingRequests} set status = 'submitted', completed_at = null where id = ${signingId}`);
    const before = asked;
    await expect(inActivity(() => worker().fulfilSigningRequest({ signingId }))).rejects.toMatchObject({
      type: 'row_not_sealed',
      nonRetryable: true,
    });
    expect(asked).toBe(before);
  });

  test('is not begun when it is open again', async () => {
    const id = await stage.askId('withdrawal', walletId);
    await worker().abandonWithdrawal(id, failure);
    await asOwner(sql`update ${withdrawals} set status = 'approved', completed_at = null where id = ${id}`);
    await expect(worker().beginWithdrawal(id)).rejects.toMatchObject({ type: 'row_not_sealed', nonRetryable: true });
  });

  test.each(['signing', 'withdrawal'] as const)(
    'a %s that is open again for a moment only, between two looks, is found by its second end',
    async (kind) => {
      const end = ends[kind][0][1];
      const id = await stage.askId(kind, walletId);
      await end(id);
      expect(await found()).toEqual([]);
      await setBack(kind, id);
      await end(id);
      expect(await found()).toEqual([[kinds[kind], id]]);
      expect(await isFrozen()).toBe(true);
    },
  );
});

describe('a wallet', () => {
  const move = async (verb: 'freeze' | 'archive') =>
    expect((await stage.call('POST', `/api/v1/wallets/${walletId}/${verb}`)).status).toBe(200);
  const unfreeze = async () => stage.unfreeze(`/api/v1/wallets/${walletId}`, await stage.makeApprover());
  const setActive = () => asOwner(sql`update ${wallets} set status = 'active' where id = ${walletId}`);

  test.each(['freeze', 'archive'] as const)('that has a %s behind it, called active by SQL, is found', async (verb) => {
    await move(verb);
    expect(await found()).toEqual([]);
    await setActive();
    expect(await found()).toEqual([['wallet', walletId]]);
    expect(await isFrozen()).toBe(true);
  });

  test('that was unfrozen by the API is as it should be, and found when its next freeze is taken off', async () => {
    await move('freeze');
    await unfreeze();
    expect(await found()).toEqual([]);
    await move('freeze');
    await setActive();
    expect(await found()).toEqual([['wallet', walletId]]);
  });

  test('that was mended after an operator resolved the finding is found again the next time', async () => {
    await move('freeze');
    await setActive();
    expect(await found()).toEqual([['wallet', walletId]]);
    const { db } = stage.api;
    for (const row of await listSetBackRows(db, { all: false }))
      await db.transaction((tx) => resolveSetBack(tx, testSeals, row, 'a drill'));
    await move('freeze');
    expect(await found()).toEqual([]);
    await setActive();
    expect(await found()).toEqual([['wallet', walletId]]);
    expect(await listSetBackRows(db, { all: false })).toHaveLength(1);
  });

  test('that was frozen, called active by SQL: nothing is signed with it and no withdrawal is begun', async () => {
    const { db, workspaceId } = stage.api;
    const { signingId } = await makeSigningRequest(db, workspaceId, walletId);
    const id = await stage.askId('withdrawal', walletId);
    await move('freeze');
    await setActive();
    await asOwner(sql`update ${withdrawals} set status = 'approved' where id = ${id}`);
    const before = asked;
    const refused = { type: 'row_not_sealed', nonRetryable: true };
    await expect(inActivity(() => worker().fulfilSigningRequest({ signingId }))).rejects.toMatchObject(refused);
    await expect(worker().beginWithdrawal(id)).rejects.toMatchObject(refused);
    expect(asked).toBe(before);
  });

  test('that was unfrozen by the API signs', async () => {
    await move('freeze');
    await unfreeze();
    const { signingId } = await makeSigningRequest(stage.api.db, stage.api.workspaceId, walletId);
    const before = asked;
    await expect(inActivity(() => worker().fulfilSigningRequest({ signingId }))).rejects.toThrow('nobody signs here');
    expect(asked).toBe(before + 1);
  });

  test('that was frozen before this version is held once the operator has sealed the rows', async () => {
    await asOwner(sql`update ${wallets} set status = 'frozen' where id = ${walletId}`);
    await asOwner(sql`delete from row_sealing`);
    await sealRows(stage.api.db, testSeals);
    expect(await found()).toEqual([]);
    await setActive();
    expect(await found()).toEqual([['wallet', walletId]]);
  });
});
