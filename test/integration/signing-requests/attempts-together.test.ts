// Goal: attempts that are begun and recorded in one statement are begun and recorded as each by itself: along the
// arrows, once, with an event each, only while wallet and workspace may sign and nothing has to be approved; and a row
// that somebody holds keeps no other waiting. Method: real PostgreSQL, with transactions that hold rows.
import { eq, inArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { listenForFinals } from '../../../drizzle/database/notifications.ts';
import { eventOutbox } from '../../../drizzle/events/events.ts';
import { type AttemptsTogether, attemptsTogether } from '../../../drizzle/signing-requests/attempts-together.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  readSigningRequest,
} from '../../support/rows/operation-rows.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let db: Database;
let together: AttemptsTogether;
let workspaceId: string;
let walletId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 8, name: 'test-attempts-together' });
  db = connection.db;
  together = attemptsTogether(db);
  workspaceId = await makeWorkspace(db);
  walletId = await makeActiveWallet(workspaceId);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function makeActiveWallet(owner: string): Promise<string> {
  const id = await makeWallet(db, owner);
  await db.update(wallets).set({ status: 'active' }).where(eq(wallets.id, id));
  return id;
}

const makeMany = (count: number, wallet = walletId, owner = workspaceId) =>
  Promise.all(Array.from({ length: count }, async () => (await makeSigningRequest(db, owner, wallet)).signingId));

const begin = (id: string, number = 1) =>
  together.begin({ id, mpcCorrelationId: `${id}.${number}`, before: null, groupWorkflowId: 'sign-group-of-test' });

const publicKey = `0x02${'cd'.repeat(32)}`;
const succeed = (id: string, signature = `0x${'ab'.repeat(65)}`, signedByNodes = [1, 3]) =>
  together.succeed({
    id,
    fields: { mpcCorrelationId: `${id}.1`, signature, publicKey, address: '0xaddress', signedByNodes },
  });

async function eventsOf(ids: readonly string[]) {
  const events = await db
    .select()
    .from(eventOutbox)
    .where(inArray(sql`${eventOutbox.resource} ->> 'id'`, [...ids]));
  return new Map(ids.map((id) => [id, events.filter(({ resource }) => resource?.['id'] === id)]));
}

test('many are begun and recorded at once, each with its events, and each end is announced', async () => {
  const ids = await makeMany(40);
  const heard = new Set<string>();
  await new Promise<void>((resolve) =>
    listenForFinals(db, { onFinal: (id) => heard.add(id), onListening: () => resolve() }),
  );
  const read = await Promise.all(ids.map(together.read));
  expect(read.map((work) => [work?.id, work?.hasRound, work?.walletStatus])).toEqual(
    ids.map((id) => [id, false, 'active']),
  );
  expect(new Set(await Promise.all(ids.map((id) => begin(id))))).toEqual(new Set([true]));
  expect(new Set(await Promise.all(ids.map((id) => begin(id))))).toEqual(new Set([false]));
  expect(new Set(await Promise.all(ids.map((id) => succeed(id))))).toEqual(new Set([true]));
  expect(new Set(await Promise.all(ids.map((id) => succeed(id))))).toEqual(new Set([false]));
  const events = await eventsOf(ids);
  for (const id of ids) {
    const row = await readSigningRequest(db, id);
    expect(row).toMatchObject({
      status: 'success',
      statusReason: null,
      mpcCorrelationId: `${id}.1`,
      attemptsOpen: [1],
      groupWorkflowId: 'sign-group-of-test',
      address: '0xaddress',
      signedByNodes: [1, 3],
    });
    expect(row.completedAt).not.toBeNull();
    expect(events.get(id)?.map(({ type }) => type)).toEqual(['signing.submitted', 'signing.success']);
    expect(events.get(id)?.[1]?.resource).toMatchObject({
      status: 'success',
      address: '0xaddress',
      signedByNodes: [1, 3],
    });
  }
  await expect.poll(() => ids.every((id) => heard.has(id))).toBe(true);
});

test('of several attempts at one operation, at once, one begins and one is recorded', async () => {
  const [id = ''] = await makeMany(1);
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin(id)));
  expect(begun.filter((isBegun) => isBegun)).toHaveLength(1);
  const recorded = await Promise.all(
    ['0x01', '0x02', '0x03'].map((signature, index) => succeed(id, signature, [index + 1])),
  );
  expect(recorded.filter((isRecorded) => isRecorded)).toHaveLength(1);
  const recordedOne = recorded.indexOf(true) + 1;
  expect(await readSigningRequest(db, id)).toMatchObject({
    signature: `0x0${recordedOne}`,
    signedByNodes: [recordedOne],
  });
});

test('a row that a transaction holds keeps no other waiting, and is moved once it is free', async () => {
  const ids = await makeMany(5);
  const [held = '', ...others] = ids;
  const [release, whenReleased] = gate();
  const holding = db.transaction(async (tx) => {
    await tx.select().from(signingRequests).where(eq(signingRequests.id, held)).for('update');
    await whenReleased;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const beginning = begin(held);
  expect(await Promise.all(others.map((id) => begin(id)))).toEqual(others.map(() => true));
  expect(await Promise.all(others.map((id) => succeed(id)))).toEqual(others.map(() => true));
  expect((await readSigningRequest(db, held)).status).toBe('pending');
  release();
  await holding;
  expect(await beginning).toBe(true);
});

test('nothing begins on a wallet that is frozen, in a workspace that is, or where approval is needed', async () => {
  const [frozen, workspace] = [await makeActiveWallet(workspaceId), await makeWorkspace(db)];
  const inFrozen = await makeActiveWallet(workspace);
  const ids = [...(await makeMany(2, frozen)), ...(await makeMany(2, inFrozen, workspace)), uuidv7()];
  const [waiting = '', ...free] = await makeMany(3);
  await db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, frozen));
  await db.update(workspaces).set({ withdrawalsFrozenAt: new Date() }).where(eq(workspaces.id, workspace));
  await db.insert(approvalRounds).values({
    subjectId: waiting,
    subject: 'signing_request',
    workspaceId,
    walletId,
    requestedBy: uuidv7(),
    required: 1,
    digest: 'of what is approved',
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  expect((await together.read(waiting))?.hasRound).toBe(true);
  const begun = await Promise.all([...ids, waiting, ...free].map((id) => begin(id)));
  expect(begun).toEqual([...ids.map(() => false), false, ...free.map(() => true)]);
  for (const id of [...ids.slice(0, 4), waiting]) expect((await readSigningRequest(db, id)).status).toBe('pending');
});

function gate(): [() => void, Promise<void>] {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [open, opened];
}
