// Goal: signatures that go together in groups end once each, and verify, when the API that formed the groups or the
// worker that runs them is killed in their midst. Method: API and worker as processes and three real nodes; SIGKILL
// while members of a group are on their way; each end is read back from the service, its rows and its events.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnreachableError } from '../../../src/client/client.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { isValid } from '../../support/api/verify.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';

const MINUTE_MS = 60_000;
/** Callers: more than go alone, so that most of what they ask for is grouped. */
const AT_ONCE = 80;
const ENDS = ['signing.success', 'signing.failed'];

let stack: Stack;
let database: Sql;
let walletId: string;
let parts: Record<'api' | 'worker', Part>;
beforeAll(async () => {
  stack = await startStack();
  parts = { api: stack.api, worker: stack.worker };
  database = postgres(stack.databaseUrl, { max: 1 });
  walletId = (await stack.client.createWallet({ name: 'grouped' }).wait()).wallet_id;
}, 8 * MINUTE_MS);
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});

/** The rows of this test, by their marks. */
const rowsOf = (mark: string) => database<{ status: string; group: string | null; ends: number }[]>`
  select r.status, r.group_workflow_id as group,
    (select count(*)::int from events e where e.data ->> 'id' = r.id::text and e.type = any(${ENDS})) as ends
  from signing_requests r where r.external_id like ${`${mark}-%`}`;

/** As a caller who does not give up: with one idempotency key, so that it stays one operation. */
async function signUntilAnswered(name: string): Promise<boolean> {
  const body = { ...anyDigest(), external_id: name };
  for (;;) {
    try {
      const signed = await stack.client.sign(walletId, body, { idempotencyKey: name }).wait();
      expect(signed).toMatchObject({ status: 'success', signing_hash: body.signing_hash });
      return await isValid(signed);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      await sleep(200);
    }
  }
}

const anyDigest = () => ({
  network_internal_code: 'ETHEREUM_SANDBOX',
  key_type: 'secp256k1' as const,
  signing_hash: `0x${randomBytes(32).toString('hex')}`,
});

async function untilMembersAreUnderWay(mark: string): Promise<void> {
  await expect
    .poll(async () => (await rowsOf(mark)).filter(({ group, status }) => group && status !== 'success').length, {
      timeout: MINUTE_MS,
      interval: 5,
    })
    .toBeGreaterThan(0);
}

test.each(['api', 'worker'] as const)(
  'kill -9 of the %s in the midst of groups ends in one verified signature each',
  async (name) => {
    const mark = randomBytes(4).toString('hex');
    let isKilled = false;
    // Until the kill each asks again and again: a group may have ended before the test has seen it.
    const ask = async (caller: number) => {
      const answers: boolean[] = [];
      do answers.push(await signUntilAnswered(`${mark}-${caller}-${answers.length}`));
      while (!isKilled);
      return answers;
    };
    const asked = Promise.all(Array.from({ length: AT_ONCE }, (_, caller) => ask(caller)));
    await untilMembersAreUnderWay(mark);
    parts[name].kill('SIGKILL');
    isKilled = true;
    await parts[name].exited;
    parts[name] = await (name === 'api' ? stack.startApi() : stack.startWorker());
    const answers = (await asked).flat();
    expect(answers).toEqual(answers.map(() => true));
    const endsOf = async () => (await rowsOf(mark)).map(({ status, ends }) => ({ status, ends }));
    const once = answers.map(() => ({ status: 'success', ends: 1 }));
    await expect.poll(endsOf, { timeout: MINUTE_MS }).toEqual(once);
    // What a lost worker had begun may come to an end late, and must change nothing.
    await sleep(2_000);
    expect(await endsOf()).toEqual(once);
    const rows = await rowsOf(mark);
    const groups = new Set(rows.map(({ group }) => group).filter((group) => group !== null));
    expect(groups.size).toBeGreaterThan(0);
  },
  5 * MINUTE_MS,
);
