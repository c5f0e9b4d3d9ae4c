// Goal: who writes the database makes no policy weaker and no destination known: a version or an entry that was
// written, changed or taken away by SQL allows nothing, and an older one that is put back with its seal is found and
// freezes the workspace. Method: a workspace whose policy allows only known destinations; SQL as the owner of the
// tables with every trigger off; then a withdrawal is asked for, and the worker's check looks once.
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import type { Transaction } from '../../../drizzle/database/connection.ts';
import { addressBook } from '../../../drizzle/policies/address-book.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { VersionCheck } from '../../../src/worker/check-sealed-versions.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';

const KNOWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const THIEF = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const strict: PolicyDocument = {
  rules: [{ name: 'known', when: { destination: { in_address_book: true } }, then: { action: 'allow' } }],
  default: { action: 'deny' },
};
const open: PolicyDocument = { rules: [], default: { action: 'allow' } };

let api: TestApi;
let workspaceId: string;
let key: TestKey;
let walletId: string;
let check: VersionCheck;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  const fees = { low: level, medium: level, high: level, quotedAt: new Date().toISOString() };
  await connectNetwork(api.db, sandbox.ETH.networkId, fees);
});
afterAll(() => api.stop());
beforeEach(async () => {
  ({ workspaceId, key } = await api.makeWorkspace());
  walletId = await api.makeActiveWallet(workspaceId);
  await credit(api.db, walletId, sandbox.ETH, 10n ** 20n);
  check = new VersionCheck({ db: api.db, seals: testSeals, log: { warn: () => {}, error: () => {} } });
});

const level = { maxFee: '0', parameters: {} };
let seconds = 0;
/** Each at a second of its own, so that equal writes are no replays. */
const call = (method: string, path: string, body?: unknown) => {
  seconds = (seconds + 1) % 250;
  return api.call(method, path, body, { key, timestamp: Math.floor(Date.now() / 1000) - seconds });
};
const inWorkspace = (path: string) => `/api/v1/workspaces/${workspaceId}/${path}`;
async function setPolicy(document: PolicyDocument): Promise<void> {
  expect((await call('PUT', inWorkspace('policy'), document)).status).toBe(200);
}
async function addKnown(): Promise<string> {
  const entry = { network_id: sandbox.ETH.networkId, address: KNOWN, label: 'A supplier' };
  const { status, body } = await call('POST', inWorkspace('address-book'), entry);
  expect(status).toBe(201);
  return body.data.id;
}
const pay = async (recipient_address: string): Promise<number> => {
  const body = { asset_id: sandbox.ETH.assetId, amount: '0.25', recipient_address };
  return (await call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, body)).status;
};
/** As the owner of the tables, with every trigger off. */
const attack = (write: (tx: Transaction) => Promise<unknown>) =>
  api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await write(tx);
  });
const versions = () => api.db.select().from(policies).where(eq(policies.workspaceId, workspaceId));
const isFrozen = async () => {
  const [row] = await api.db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return row?.withdrawalsFrozenAt !== null;
};

test('the policy allows known destinations and no others, and nothing is found', async () => {
  await setPolicy(strict);
  await addKnown();
  expect([await pay(KNOWN), await pay(THIEF)]).toEqual([202, 403]);
  expect((await check.round()).filter((found) => found.workspaceId === workspaceId)).toEqual([]);
});

describe('a policy', () => {
  beforeEach(() => setPolicy(strict));
  const ofWorkspace = () => eq(policies.workspaceId, workspaceId);

  test.each([
    [
      'whose document is written by SQL',
      () => attack((tx) => tx.update(policies).set({ document: open }).where(ofWorkspace())),
    ],
    ['whose seal is taken away', () => attack((tx) => tx.update(policies).set({ seal: null }).where(ofWorkspace()))],
    [
      'that is called superseded',
      () => attack((tx) => tx.update(policies).set({ status: 'superseded' }).where(ofWorkspace())),
    ],
    [
      'in whose place another is written',
      () =>
        attack(async (tx) => {
          await tx.update(policies).set({ status: 'superseded' }).where(ofWorkspace());
          const row = { id: uuidv7(), workspaceId, version: 9, document: open, createdBy: uuidv7() };
          await tx.insert(policies).values({ ...row, status: 'active' });
        }),
    ],
  ])('%s allows nothing', async (_name, write) => {
    await addKnown();
    await write();
    expect([await pay(KNOWN), await pay(THIEF)]).toEqual([403, 403]);
  });

  test('that another workspace has, moved here with its seal, allows nothing', async () => {
    const [row] = await versions();
    const other = await api.makeWorkspace();
    if (row === undefined) throw new Error('there is no policy');
    await attack(async (tx) => {
      await tx.delete(policies).where(ofWorkspace());
      await tx.insert(policies).values({ ...row, workspaceId: other.workspaceId });
    });
    workspaceId = other.workspaceId;
    key = other.key;
    walletId = await api.makeActiveWallet(workspaceId);
    await credit(api.db, walletId, sandbox.ETH, 10n ** 20n);
    expect(await pay(THIEF)).toBe(403);
  });

  test('that is deleted is missed, and the workspace is frozen', async () => {
    await attack((tx) => tx.delete(policies).where(ofWorkspace()));
    await check.round();
    expect([await isFrozen(), await pay(THIEF)]).toEqual([true, 423]);
  });

  test('of before, put back with its seal, is found, and the workspace is frozen', async () => {
    await setPolicy(open);
    const before = await versions();
    await setPolicy(strict);
    await attack(async (tx) => {
      await tx.delete(policies).where(ofWorkspace());
      await tx.insert(policies).values(before);
    });
    const found = (await check.round()).filter((one) => one.workspaceId === workspaceId);
    expect(found.map(({ kind }) => kind)).toContain('policy');
    expect([await isFrozen(), await pay(THIEF)]).toEqual([true, 423]);
  });
});

describe('an entry of the address book', () => {
  beforeEach(() => setPolicy(strict));

  test('that is written by SQL is not in the book', async () => {
    const row = { workspaceId, networkId: sandbox.ETH.networkId, label: 'me', status: 'active' } as const;
    await attack((tx) => tx.insert(addressBook).values({ ...row, id: uuidv7(), address: THIEF, createdBy: uuidv7() }));
    expect(await pay(THIEF)).toBe(403);
  });

  test('whose address is changed by SQL is not in the book', async () => {
    const id = await addKnown();
    await attack((tx) => tx.update(addressBook).set({ address: THIEF }).where(eq(addressBook.id, id)));
    expect([await pay(THIEF), await pay(KNOWN)]).toEqual([403, 403]);
  });

  test('that was removed, put back with its seal, is found, and the workspace is frozen', async () => {
    const id = await addKnown();
    const [row] = await api.db.select().from(addressBook).where(eq(addressBook.id, id));
    if (row === undefined) throw new Error('there is no entry');
    expect((await call('DELETE', inWorkspace(`address-book/${id}`))).status).toBe(200);
    await attack((tx) => tx.insert(addressBook).values(row));
    const found = (await check.round()).filter((one) => one.workspaceId === workspaceId);
    expect(found).toMatchObject([{ kind: 'address_book_entry', rowId: id }]);
    expect(await pay(KNOWN)).toBe(423);
  });
});
