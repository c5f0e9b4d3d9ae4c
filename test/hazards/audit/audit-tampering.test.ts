// Goal: whatever is done to the audit log by SQL is refused, or found by `verify` and by the offline verifier (control
// L2, the part of the database). Method: the roles of the database, then a superuser who switches the triggers off and
// changes, deletes, moves, inserts and cuts; each in a transaction that is undone.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSignedHead, type SignedHead } from '../../../domain/audit/audit-chain.ts';
import { findNewestHead } from '../../../drizzle/audit/audit-heads.ts';
import { auditHeads, auditLogs, auditSeals } from '../../../drizzle/audit/audit-tables.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import type { Verification } from '../../../src/audit/chain-check.ts';
import { readHead, verifyExport } from '../../../src/audit/verify-export.ts';
import { signerOf } from '../../../src/worker/seal-audit.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { auditPath, keyEncryptionKeys, sealAudit } from '../../support/rows/audit.ts';

const WRITES = 12;

let api: TestApi;
let app: DatabaseConnection;
beforeAll(async () => {
  api = await startApi();
  app = connectDatabase(api.serviceUrl, { poolSize: 1, name: 'test-service-login' });
  await write(api.admin, WRITES / 2);
  await sealAudit(api);
  await write(api.admin, WRITES / 2);
  await ageHead();
  await sealAudit(api);
});
afterAll(async () => {
  await app.close();
  await api.stop();
});

async function write(key: TestKey, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { status } = await api.call(
      'POST',
      '/api/v1/wallets',
      { name: `wallet ${Math.random()}`, wallet_type: 'mpc' },
      { key },
    );
    expect(status).toBe(202);
  }
}

/** As if the head were of two minutes ago: the next one is due. */
async function ageHead(): Promise<void> {
  const newest = await findNewestHead(api.db, api.workspaceId);
  if (newest === undefined) throw new Error('there is no head');
  const signedAt = new Date(Date.now() - 120_000).toISOString();
  const { signature } = (await signerOf(api.db, keyEncryptionKeys))({ ...newest, signedAt });
  await asSuperuser(`update audit_heads set signed_at = '${signedAt}', signature = '${signature}'`);
}

/** With every trigger off. */
const asSuperuser = (...statements: string[]) =>
  api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });

const verify = async (key = api.admin, workspaceId = api.workspaceId): Promise<Verification> => {
  const { status, body } = await api.call('GET', auditPath(workspaceId, '/verify'), undefined, { key });
  expect(status).toBe(200);
  return body.data;
};

async function verifyOffline(kept: SignedHead[] = [], query = ''): Promise<Verification> {
  const { status, body } = await api.call('GET', auditPath(api.workspaceId, `/export?format=jsonl${query}`));
  expect(status).toBe(200);
  const { publicKey } = (await findNewestHead(api.db, api.workspaceId)) as SignedHead;
  return verifyExport(String(body).trimEnd().split('\n'), { workspaceId: api.workspaceId, publicKey, kept });
}

const head = async (): Promise<SignedHead> => {
  const { body } = await api.call('GET', auditPath(api.workspaceId, '/head'));
  const read = readHead(body);
  if (read === undefined) throw new Error('the API shows no head');
  return read;
};

describe('a log that nobody touched', () => {
  test('is valid, for the service and offline', async () => {
    await sealAudit(api);
    const verified = await verify();
    expect(verified).toMatchObject({ valid: true, problems: [] });
    expect(verified.entries).toBeGreaterThanOrEqual(WRITES + 1);
    await sealAudit(api);
    const offline = await verifyOffline([await head()]);
    expect(offline).toMatchObject({ valid: true, problems: [] });
    expect(offline.seq).toBeGreaterThanOrEqual(verified.seq);
  });

  test('goes on from a place that was kept', async () => {
    const kept = await head();
    await write(api.admin, 2);
    await sealAudit(api);
    expect(await verifyOffline([kept], `&after_seq=${kept.seq}`)).toMatchObject({ valid: true });
    expect(await verifyOffline([], `&after_seq=${kept.seq}`)).toMatchObject({ valid: false });
    const beyond = await api.call('GET', auditPath(api.workspaceId, '/export?format=jsonl&after_seq=99999'));
    expect([beyond.status, beyond.body.code]).toEqual([400, 'invalid_request']);
  });

  test('has a head that is signed as the document says', async () => {
    const { body } = await api.call('GET', auditPath(api.workspaceId, '/head'));
    expect(Object.keys(body.data).sort()).toEqual([
      'hash',
      'public_key',
      'seq',
      'signature',
      'signed_at',
      'workspace_id',
    ]);
    const shown = await head();
    expect(isSignedHead(shown.publicKey, shown)).toBe(true);
    expect(isSignedHead(shown.publicKey, { ...shown, seq: shown.seq + 1 })).toBe(false);
  });
});

const forbidden = [
  `update audit_logs set action = 'nothing'`,
  'delete from audit_logs',
  'truncate audit_logs cascade',
  `update audit_seals set hash = ''`,
  'delete from audit_seals',
  'truncate audit_seals',
  `update audit_heads set signature = ''`,
  'delete from audit_heads',
  'truncate audit_heads',
];

describe('the login of the service', () => {
  const later = [
    'update ledger_entries set amount = 0',
    'delete from ledger_events',
    `update approvals set decision = 'approved'`,
    'delete from approval_rounds',
  ];
  test.each([
    ...forbidden,
    ...later,
    'drop table audit_logs',
    'alter table audit_logs disable trigger all',
    'set session_replication_role = replica',
  ])('may not: %s', async (statement) => {
    await expect(app.db.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  test('may add, read, and note that a head is kept elsewhere', async () => {
    await app.db.update(auditHeads).set({ keptAt: new Date() });
    expect((await app.db.select().from(auditLogs)).length).toBeGreaterThan(WRITES);
  });
});

test.each(forbidden)('the owner is refused by the triggers: %s', async (statement) => {
  await expect(api.db.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '23000' } });
});

describe('a superuser who switches the triggers off is found by verify and offline', () => {
  const seq = (at: number) =>
    `(select audit_id from audit_seals where workspace_id = '${api.workspaceId}' and seq = ${at})`;
  const zeros = '0'.repeat(64);
  const done: [string, () => string[]][] = [
    ['an entry says another outcome', () => [`update audit_logs set outcome = 'refused' where id = ${seq(5)}`]],
    ['another key', () => [`update audit_logs set actor_id = gen_random_uuid() where id = ${seq(5)}`]],
    [
      'another time',
      () => [`update audit_logs set created_at = created_at + interval '1 millisecond' where id = ${seq(5)}`],
    ],
    ['another body', () => [`update audit_logs set body = replace(body, 'mpc', 'mpd') where id = ${seq(5)}`]],
    [
      'the same body, written in another way',
      () => [`update audit_logs set body = replace(body, ':', ': ') where id = ${seq(5)}`],
    ],
    ['the body as a text', () => [`update audit_logs set body = to_json(body)::text where id = ${seq(5)}`]],
    ['no address', () => [`update audit_logs set ip = null where id = ${seq(5)}`]],
    [
      'the last entry',
      () => [
        `update audit_logs set action = 'nothing' where id = (select audit_id from audit_seals where workspace_id = '${api.workspaceId}' order by seq desc limit 1)`,
      ],
    ],
    ['an entry is deleted', () => [`delete from audit_logs where id = ${seq(4)}`]],
    [
      'an entry and its seal',
      () => [
        `delete from audit_logs where id = ${seq(4)}`,
        `delete from audit_seals where workspace_id = '${api.workspaceId}' and seq = 4`,
      ],
    ],
    ['everything', () => ['delete from audit_logs', 'delete from audit_seals']],
    [
      'the first entry and its seal',
      () => [
        `delete from audit_logs where id = ${seq(1)}`,
        `delete from audit_seals where workspace_id = '${api.workspaceId}' and seq = 1`,
      ],
    ],
    [
      'the last entries and their seals',
      () => [
        `delete from audit_logs where id in (select audit_id from audit_seals where workspace_id = '${api.workspaceId}' and seq > 9)`,
        `delete from audit_seals where workspace_id = '${api.workspaceId}' and seq > 9`,
      ],
    ],
    [
      'two entries change places',
      () => [
        `update audit_seals set seq = -3 where workspace_id = '${api.workspaceId}' and seq = 3`,
        `update audit_seals set seq = 3 where workspace_id = '${api.workspaceId}' and seq = 4`,
        `update audit_seals set seq = 4 where workspace_id = '${api.workspaceId}' and seq = -3`,
      ],
    ],
    [
      'a hash',
      () => [`update audit_seals set hash = '${zeros}' where workspace_id = '${api.workspaceId}' and seq = 6`],
    ],
    [
      'the signature of a head',
      () => [`update audit_heads set signature = translate(signature, 'ABCDEFG', 'GABCDEF')`],
    ],
    ['the place of a head', () => ['update audit_heads set seq = seq - 1']],
  ];

  test.each(done)('%s', async (_name, statements) => {
    const kept = await head();
    await keepingAll(async () => {
      await asSuperuser(...statements());
      const [service, offline] = [await verify(), await verifyOffline([kept])];
      expect([service.valid, offline.valid], JSON.stringify(service)).toEqual([false, false]);
      expect(service.problems.length).toBeGreaterThan(0);
    });
    expect((await verify()).valid).toBe(true);
  });

  test('everything, and the heads', async () => {
    await keepingAll(async () => {
      await asSuperuser('delete from audit_logs', 'delete from audit_seals', 'delete from audit_heads');
      const { valid, problems } = await verify();
      expect(valid).toBe(false);
      expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('no entry'));
    });
  });

  test('an entry that was added beside the chain, and one that was deleted before it was sealed', async () => {
    await keepingAll(async () => {
      await asSuperuser(
        `insert into audit_logs (id, workspace_id, actor, action, outcome, created_at) values (gen_random_uuid(), '${api.workspaceId}', 'operator', 'x', 'accepted', '2020-01-01')`,
      );
      expect((await verify()).problems).toMatchObject([{ seq: null, message: expect.stringContaining('no place') }]);
    });
    await keepingAll(async () => {
      await write(api.admin, 1);
      await asSuperuser('delete from audit_logs where id not in (select audit_id from audit_seals)');
      expect((await verify()).problems).toMatchObject([{ seq: null, message: expect.stringContaining('deleted') }]);
    });
  });

  test('a chain that is written anew, every hash of it right, but for the signed heads', async () => {
    const kept = await head();
    await keepingAll(async () => {
      await asSuperuser(
        `update audit_logs set ip = '192.0.2.1' where id = ${seq(2)}`,
        'delete from audit_seals',
        'insert into audit_unsealed select position, workspace_id from audit_logs on conflict do nothing',
      );
      await sealAudit(api);
      expect(await verify()).toMatchObject({ valid: false });
      // Without the heads that the database held, only one that was kept elsewhere tells.
      await asSuperuser('delete from audit_heads');
      await sealAudit(api);
      expect(await verify()).toMatchObject({ valid: true });
      expect(await verifyOffline()).toMatchObject({ valid: true });
      expect(await verifyOffline([kept])).toMatchObject({ valid: false });
    });
  });

  test('the head of another key, and the public key of another', async () => {
    await keepingAll(async () => {
      await asSuperuser(
        `update service_keys set public_key = '${Buffer.alloc(32, 7).toString('base64')}' where purpose = 'audit'`,
      );
      expect(await verify()).toMatchObject({ valid: false });
    });
  });
});

test('each workspace has a chain of its own', async () => {
  const other = await api.makeWorkspace();
  await write(other.key, 3);
  await sealAudit(api);
  expect(await verify(other.key, other.workspaceId)).toMatchObject({ valid: true, entries: 4, seq: 4 });
  expect((await api.call('GET', auditPath(other.workspaceId, '/verify'))).status).toBe(404);
});

/**
 * Does it, and puts every row back as it was. Whatever still waits for its place in the chain (exports are entries too)
 * gets it first: after ten seconds without one it would be a finding of its own.
 */
async function keepingAll(act: () => Promise<void>): Promise<void> {
  await sealAudit(api);
  const tables = ['audit_logs', 'audit_seals', 'audit_heads', 'audit_unsealed', 'service_keys'];
  await api.db.execute(sql.raw(tables.map((table) => `create table kept_${table} as table ${table};`).join('')));
  try {
    await act();
  } finally {
    const restore = tables.map((table) => {
      const values = table === 'audit_logs' ? 'overriding system value ' : '';
      return `delete from ${table}; insert into ${table} ${values}select * from kept_${table}; drop table kept_${table};`;
    });
    await asSuperuser(...restore.flatMap((text) => text.split('; ').map((statement) => statement.replace(/;$/, ''))));
  }
}

test('no two of the entries have the same hash', async () => {
  const seals = await api.db.select().from(auditSeals);
  expect(new Set(seals.map(({ hash }) => hash)).size).toBe(seals.length);
});
