// Goal: an operation that a caller has cancelled or an approver has rejected, and that SQL sets back to open, is found by the audit log in one look, and its workspace is frozen before a
// minute is over. Method: the API with Temporal away, so that nothing goes on meanwhile; SQL as the owner of the tables with every trigger off; then one round of the check.
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalRounds } from '../../../drizzle/approvals.ts';
import { signingRequests } from '../../../drizzle/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals.ts';
import { workspaces } from '../../../drizzle/workspaces.ts';
import { VersionCheck } from '../../../src/check-sealed-versions.ts';
import { startApi } from '../../support/api/api.ts';
import { ApprovalStage, type Kind } from '../../support/rows/approvals.ts';
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
  expect((await stage.decide(kind, id, 'reject', approver)).status).toBe(200);
  expect(await found()).toEqual([]);
  await setBack(kind, id);
  expect(await found()).toEqual([[kinds[kind], id]]);
  expect(await isFrozen()).toBe(true);
});
