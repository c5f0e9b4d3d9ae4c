// Goal: a row moves only along the arrows of domain/statuses.ts and never after its end, whatever is asked of it, one
// after another or at once. Method: property tests over random sequences of every statement that writes to a row, on
// real PostgreSQL; the arrows are read off what the row became.

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingArrows, signingStatuses, walletArrows, walletStatuses } from '../../../domain/statuses.ts';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { noteSigningWait } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { activateWallet, advanceWallet, noteWalletWaiting } from '../../../drizzle/wallets/wallet-steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  readSigningRequest,
  readWallet,
} from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let db: Database;
let workspaceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 8, name: 'test-transitions' });
  db = connection.db;
  workspaceId = await makeWorkspace(db);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

interface Resource<Status extends string> {
  arrows: Readonly<Record<Status, readonly Status[]>>;
  make(): Promise<string>;
  /** The whole row, and its status. */
  read(id: string): Promise<{ status: Status; row: unknown }>;
  advance(id: string, from: Status, to: Status): Promise<boolean>;
  /** Every other statement that writes to the row, and the only moves that these may make. */
  note(id: string): Promise<unknown>;
  movedByNote: Partial<Record<Status, Status>>;
}

type Move<Status> = { from: Status; to: Status } | 'note';

const movesOf = <Status>(statuses: readonly Status[]): fc.Arbitrary<Move<Status>> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ from: fc.constantFrom(...statuses), to: fc.constantFrom(...statuses) }) },
    { weight: 2, arbitrary: fc.constant('note' as const) },
  );

const signing: Resource<(typeof signingStatuses)[number]> = {
  arrows: signingArrows,
  make: async () => {
    const walletId = await makeWallet(db, workspaceId);
    return (await makeSigningRequest(db, workspaceId, walletId)).signingId;
  },
  read: async (id) => {
    const row = await readSigningRequest(db, id);
    return { status: row.status, row };
  },
  advance: (id, from, to) => advanceSigningRequest(db, id, { from, to, fields: { errorReason: `${from} → ${to}` } }),
  note: (id) => noteSigningWait(db, id, 'cluster_not_ready'),
  movedByNote: {},
};

const wallet: Resource<(typeof walletStatuses)[number]> = {
  arrows: walletArrows,
  make: () => makeWallet(db, workspaceId),
  read: async (id) => {
    const row = await readWallet(db, id);
    return { status: row.wallet.status, row };
  },
  advance: (id, from, to) => advanceWallet(db, id, { from, to, fields: { errorReason: `${from} → ${to}` } }),
  note: async (id) => {
    await noteWalletWaiting(db, id, 'cluster_not_ready');
    await activateWallet(db, testSeals, id, {
      keys: [{ curve: 'ed25519', publicKey: Buffer.alloc(32), chainCode: Buffer.alloc(32) }],
      addresses: [{ addressType: 'sol', address: 'address', derivationPath: 'm' }],
    });
  },
  movedByNote: { creating: 'active' },
};

async function apply<Status extends string>(
  resource: Resource<Status>,
  id: string,
  move: Move<Status>,
): Promise<boolean> {
  if (move === 'note') {
    await resource.note(id);
    return false;
  }
  const isArrow = resource.arrows[move.from].includes(move.to);
  const moved = resource.advance(id, move.from, move.to);
  if (isArrow) return moved;
  await expect(moved).rejects.toThrow('no arrow');
  return false;
}

function properties<Status extends string>(resource: Resource<Status>, statuses: readonly Status[]): void {
  test('one after another: each call moves the row along its own arrow or not at all', async () => {
    const sequences = fc.array(movesOf(statuses), { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequences, async (moves) => {
        const id = await resource.make();
        for (const move of moves) {
          const before = await resource.read(id);
          const moved = await apply(resource, id, move);
          const after = await resource.read(id);
          if (resource.arrows[before.status].length === 0) expect(after).toEqual(before);
          if (move === 'note') {
            expect(after.status).toBe(resource.movedByNote[before.status] ?? before.status);
          } else {
            expect(moved).toBe(before.status === move.from && resource.arrows[move.from].includes(move.to));
            expect(after.status).toBe(moved ? move.to : before.status);
            if (!moved) expect(after).toEqual(before);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('all at once: at most one caller is told that it ended the row, and it did', async () => {
    const sequences = fc.array(movesOf(statuses), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sequences, async (moves) => {
        const id = await resource.make();
        const ends = moves.filter((move) => move !== 'note' && resource.arrows[move.to].length === 0);
        const results = await Promise.all(moves.map((move) => apply(resource, id, move)));
        const winners = ends.filter((move) => results[moves.indexOf(move)]);
        expect(winners.length).toBeLessThanOrEqual(1);
        const { status } = await resource.read(id);
        const [winner] = winners;
        if (winner !== undefined && winner !== 'note') expect(status).toBe(winner.to);
      }),
      { numRuns: 40 },
    );
  });
}

describe('signing requests', () => properties(signing, signingStatuses));
describe('wallets', () => properties(wallet, walletStatuses));

test('twenty callers end one request in two ways: exactly one is told that it did', async () => {
  const id = await signing.make();
  await signing.advance(id, 'pending', 'submitted');
  const ends = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'success' : 'failed'));
  const answers = await Promise.all(ends.map((to) => signing.advance(id, 'submitted', to)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect((await signing.read(id)).status).toBe(ends[answers.indexOf(true)]);
});
