// Goal: whoever holds one node of an EVM chain makes no address unusable by the nonces that it tells: none is taken
// that the record, the signatures of the key and the other node do not bear out, and an operator repairs what went
// wrong before. Method: the product's workflow and activities on real PostgreSQL, Temporal and anvil, behind a proxy
// that lies about nonces; the operator's command as a process.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { desc, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Address, parseEther, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { nonceRepairs } from '../../../drizzle/withdrawals/nonces.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import {
  type Answer,
  type AnsweringProxy,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { makeSigningRequest } from '../../support/rows/operation-rows.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const networkId = networkSeed.find(({ internalCode }) => internalCode === networkCode)?.id ?? '';
const FUNDED = parseEther('20');
const ABSURD = 2 ** 40;
const CONFIRMATIONS = 2;
const waiting = { timeout: 60_000, interval: 50 };

let anvil: Anvil;
let nodes: { first: AnsweringProxy; second: AnsweringProxy };
let stacks: { one: WithdrawalStack; two: WithdrawalStack };
let stack: WithdrawalStack;
let walletId: string;
let address: Address;
let to: Address;

beforeAll(async () => {
  anvil = await startAnvil();
  nodes = { first: await startAnsweringProxy(anvil.url), second: await startAnsweringProxy(anvil.url) };
  const first = { [networkCode]: `http://${nodes.first.host}` };
  const secondRpcUrls = { [networkCode]: `http://${nodes.second.host}` };
  const options = { fastRetries: true, confirmations: CONFIRMATIONS } as const;
  stacks = {
    one: await startWithdrawals(first, options),
    two: await startWithdrawals(first, { ...options, secondRpcUrls }),
  };
});
afterAll(async () => {
  await Promise.all([stacks.one.stop(), stacks.two.stop()]);
  for (const node of [nodes.first, nodes.second]) node.stop();
  await anvil.stop();
});
afterEach(() => {
  for (const node of [nodes.first, nodes.second]) node.answers.clear();
});

async function makeWallet(of: WithdrawalStack): Promise<void> {
  stack = of;
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  to = anyEvmAddress();
  await anvil.client.setBalance({ address, value: FUNDED });
  await stack.credit(walletId, networkCode, FUNDED);
}

const ask = () => stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
const detailsOf = (id: string) =>
  listWithdrawalEvents(stack.db, id).then((events) => events.map(({ details }) => details));
const noncesOf = async (id: string) => (await stack.transactionsOf(id)).map(({ nonce }) => nonce);

/** Of the nonce that comes next; what has landed is told truly unless it is said to be used. */
const claims =
  (nonce: number, isUsed: boolean): Answer =>
  async (response, truth) => {
    const [, block] = (nodes.first.asked.findLast(({ method }) => method === 'eth_getTransactionCount')?.params ??
      []) as unknown[];
    if (block === 'pending' || isUsed) says(toHex(nonce))(response);
    else response.end(JSON.stringify(await truth()));
  };
const lie = (nonce: number, isUsed = false) =>
  nodes.first.answers.set('eth_getTransactionCount', claims(nonce, isUsed));

async function assertWaits(id: string, why: RegExp): Promise<void> {
  await expect.poll(async () => (await detailsOf(id)).at(-1), waiting).toMatch(why);
  expect(await stack.transactionsOf(id)).toEqual([]);
  expect((await stack.read(id)).subStatus).toBe('queued');
}

async function untilCompleted(id: string): Promise<void> {
  const look = async () => {
    await anvil.client.mine({ blocks: 1 });
    return (await stack.read(id)).status;
  };
  await expect.poll(look, { timeout: 60_000, interval: 100 }).toBe('completed');
}

/** As `signRaw` leaves one behind. */
async function haveSigned(): Promise<void> {
  const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId);
  await stack.db.update(signingRequests).set({ status: 'success' }).where(eq(signingRequests.id, signingId));
}

describe.each(['one', 'two'] as const)('with %s node(s)', (count) => {
  beforeEach(() => makeWallet(stacks[count]));

  test.each([ABSURD, 9])('a next nonce of %i, where nothing was ever signed, is taken by nobody', async (nonce) => {
    lie(nonce);
    const id = await ask();
    await assertWaits(id, count === 'one' ? /signatures that were never made here/ : /do not agree on the next nonce/);
    nodes.first.answers.clear();
    await untilCompleted(id);
    expect(await noncesOf(id)).toEqual([0]);
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });

  test('a nonce that is no whole number of a program is no nonce', async () => {
    nodes.first.answers.set('eth_getTransactionCount', says(`0x${'f'.repeat(40)}`));
    await assertWaits(await ask(), /the next nonce of/);
  });

  test('a nonce that was used by what the key signed besides is believed', async () => {
    await haveSigned();
    await anvil.client.impersonateAccount({ address });
    await anvil.client.sendTransaction({ account: address, to: anyEvmAddress(), value: 1n, nonce: 0 });
    await anvil.client.stopImpersonatingAccount({ address });
    await anvil.client.mine({ blocks: 1 });
    const id = await ask();
    await untilCompleted(id);
    expect(await noncesOf(id)).toEqual([1]);
  });
});

test('what one node may make up is eight nonces in all, and they are used by the withdrawals that come after', async () => {
  await makeWallet(stacks.one);
  lie(8);
  const first = await ask();
  await assertWaits(first, /on their way that are not known here \(nonce 0 of 8\)/);
  lie(8, true);
  await expect.poll(() => noncesOf(first), waiting).toEqual([8]);
  lie(10);
  await assertWaits(await ask(), /takes 9 signatures that were never made here/);
  nodes.first.answers.clear();
  const others = await Promise.all(Array.from({ length: 7 }, ask));
  for (const id of [...others, first]) await untilCompleted(id);
}, 120_000);

describe('where the key has signed besides, so that one node could lie', () => {
  beforeEach(async () => {
    await makeWallet(stacks.two);
    await haveSigned();
  });

  test('two nodes must agree', async () => {
    lie(1);
    const id = await ask();
    await assertWaits(id, /do not agree on the next nonce of 0x\w{40}: 1, and 0/);
    nodes.first.answers.clear();
    await untilCompleted(id);
    expect(await noncesOf(id)).toEqual([0]);
  });

  test('a second node that cannot be asked is none that agrees', async () => {
    lie(1);
    nodes.second.answers.set('eth_getTransactionCount', refuses('not now'));
    await assertWaits(await ask(), /not now/);
  });
});

describe('an address whose record went wrong under an older version', () => {
  const repair = (...args: string[]) =>
    runCommand(
      {
        dist: resolve(import.meta.dirname, '../../../dist'),
        logDirectory: tmpdir(),
        onStart: () => {},
        environment: {
          PATH: process.env['PATH'],
          DATABASE_URL: stack.databaseUrl,
          KEY_ENCRYPTION_KEY: keyEncryptionKey,
        },
      },
      'repair-nonces',
      ['--network', networkCode, '--address', address, ...args],
    );

  /** A withdrawal with that nonce: its transaction is out, and never lands. */
  async function haveTaken(nonce: number): Promise<string> {
    await stack.db.insert(nonceRepairs).values({ id: uuidv7(), networkId, address, nextNonce: nonce, note: 'wrong' });
    const id = await ask();
    await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('confirming');
    expect(await noncesOf(id)).toEqual([nonce]);
    await stack.db.delete(nonceRepairs).where(eq(nonceRepairs.address, address));
    return id;
  }

  beforeEach(() => makeWallet(stacks.two));

  test('is not unusable: withdrawals that come after take the nonces that the chain waits for', async () => {
    await haveTaken(ABSURD);
    const id = await ask();
    await untilCompleted(id);
    expect(await noncesOf(id)).toEqual([0]);
  });

  test('an operator is told what a repair would do, and nothing is done', async () => {
    const id = await haveTaken(ABSURD);
    const shown = await repair('--next', '0');
    expect(shown).toContain(`withdrawal ${id} with nonce ${ABSURD} (processing)`);
    expect(shown).toMatch(/never land.*\n.*\nNothing was changed/);
    expect((await stack.read(id)).status).toBe('processing');
    await expect(repair('--next', '0', '--apply')).rejects.toThrow(/--note TEXT/);
    await expect(repair('--next', '-1')).rejects.toThrow(/Usage/);
  });

  test('an operator repairs it: what can never land fails and gives its money back, and it is in the audit log', async () => {
    const id = await haveTaken(ABSURD);
    expect(await repair('--next', '0', '--apply', '--note', 'a node lied')).toMatch(/Done\./);
    expect(await stack.read(id)).toMatchObject({ status: 'failed', errorCode: 'nonce_unreachable' });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(FUNDED);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
    expect((await stack.transactionsOf(id)).map(({ status }) => status)).toEqual(['abandoned']);
    const [entry] = await stack.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.action, 'nonces repair'))
      .orderBy(desc(auditLogs.createdAt));
    expect(entry).toMatchObject({ actor: 'operator', resourceId: address, walletId, outcome: 'accepted' });
    expect(entry?.after).toContain('a node lied');
    await stack.workflowOf(id).result();
    const following = await ask();
    await untilCompleted(following);
    expect(await noncesOf(following)).toEqual([0]);
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });

  test('what waits a few nonces ahead is left alone, and lands when those before it are used', async () => {
    const id = await haveTaken(2);
    expect(await repair('--next', '0', '--apply', '--note', 'a gap')).toMatch(
      /land once the nonces before theirs are used/,
    );
    const before = [await ask(), await ask()];
    for (const each of [...before, id]) await untilCompleted(each);
    expect(new Set((await Promise.all(before.map(noncesOf))).flat())).toEqual(new Set([0, 1]));
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });
});
