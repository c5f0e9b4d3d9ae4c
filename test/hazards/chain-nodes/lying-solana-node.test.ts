// Goal: whoever holds one of the two nodes of Solana has no withdrawal signed anew while the first transaction has
// landed or may land, and none given back that was paid. Method: the product's workflow and activities on real
// PostgreSQL and Temporal, against the sandbox's Solana with a clock of the test; two proxies stand before it, and one
// of them lies.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signWithKey } from '../../../activities/mpc/software/software-keys.ts';
import { storedPath } from '../../../domain/paths.ts';
import { findLostSignatures } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { chainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { serveSolana } from '../../../src/local/solana/server.ts';
import {
  type AnsweringProxy,
  alters,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { SOL } from '../../support/chains/solana.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'SOL_SANDBOX';
const SLOT_MS = 400;
const FUNDED = 10n * SOL;
const waiting = { timeout: 60_000, interval: 50 };
type Role = 'first' | 'second';

let directory: string;
let aheadMs = 0;
let sandbox: SolanaChain;
let server: Server;
let nodes: Record<Role, AnsweringProxy>;
let stacks: { one: WithdrawalStack; two: WithdrawalStack };
let stack: WithdrawalStack;
let walletId: string;
let from: Address;
let to: Address;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  sandbox = await SolanaChain.open(directory, () => Date.now() + aheadMs);
  const port = await findFreePort();
  server = await serveSolana(sandbox, port);
  const url = `http://127.0.0.1:${port}`;
  rpc = createSolanaRpc(url);
  nodes = { first: await startAnsweringProxy(url), second: await startAnsweringProxy(url) };
  const first = { [networkCode]: `http://${nodes.first.host}` };
  const secondRpcUrls = { [networkCode]: `http://${nodes.second.host}` };
  stacks = {
    one: await startWithdrawals(first, { fastRetries: true }),
    two: await startWithdrawals(first, { fastRetries: true, secondRpcUrls }),
  };
});
afterAll(async () => {
  await Promise.all([stacks.one.stop(), stacks.two.stop()]);
  for (const node of Object.values(nodes)) node.stop();
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => makeWallet(stacks.two));
afterEach(() => {
  for (const node of Object.values(nodes)) node.answers.clear();
});

async function makeWallet(of: WithdrawalStack): Promise<void> {
  stack = of;
  walletId = await stack.makeWallet();
  from = address(await stack.addressOf(walletId, networkCode));
  to = (await generateKeyPairSigner()).address;
  await sandbox.airdrop(from, FUNDED);
  await stack.credit(walletId, networkCode, FUNDED);
  wait(1);
}

function wait(slots: number): void {
  aheadMs += slots * SLOT_MS;
}
const lamportsOf = async (owner: Address) => (await rpc.getBalance(owner).send()).value as bigint;
const statusesOf = async (id: string) =>
  (await stack.transactionsOf(id)).map(({ kind, status }) => `${kind} ${status}`);
const looks = () => nodes.first.asked.filter(({ method }) => method === 'getSignatureStatuses').length;
async function untilLooked(times: number): Promise<void> {
  const before = looks();
  await expect.poll(looks, waiting).toBeGreaterThanOrEqual(before + times);
}

async function ask(): Promise<string> {
  const id = await stack.withdraw({ walletId, networkCode, amount: SOL, to });
  await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('confirming');
  return id;
}

/** Takes what is sent and gives it to nobody. */
const swallow = (role: Role) => nodes[role].answers.set('sendTransaction', says('1'.repeat(64)));

/** Calls everything expired, whatever has landed: the heights, the time and the blockhash fit together. */
function declareExpired(role: Role): void {
  const { answers } = nodes[role];
  const far = 1_000_000;
  answers.set(
    'getEpochInfo',
    alters((info: { absoluteSlot: number; blockHeight: number }) => ({
      ...info,
      absoluteSlot: info.absoluteSlot + far,
      blockHeight: info.blockHeight + far,
    })),
  );
  answers.set('getBlockTime', says(Math.floor(Date.now() / 1_000) + 1_000_000));
  answers.set('getFirstAvailableBlock', says(0));
  answers.set(
    'isBlockhashValid',
    alters(({ context }: { context: { slot: number } }) => ({ context: { slot: context.slot + far }, value: false })),
  );
  answers.set(
    'getSignatureStatuses',
    alters(({ context }: { context: { slot: number } }) => ({ context: { slot: context.slot + far }, value: [null] })),
  );
}

async function assertWaits(id: string, why: RegExp): Promise<void> {
  const last = async () => (await listWithdrawalEvents(stack.db, id)).at(-1)?.details;
  await expect.poll(last, waiting).toMatch(why);
  await untilLooked(4);
  expect(await stack.read(id)).toMatchObject({
    status: 'processing',
    subStatus: 'stuck',
    disputedAt: expect.any(Date),
  });
  expect(await stack.transactionsOf(id)).toHaveLength(1);
  expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(SOL);
}

async function assertPaidOnce(id: string): Promise<void> {
  for (const node of Object.values(nodes)) node.answers.clear();
  await stack.until(id, 'completed');
  expect(await lamportsOf(to)).toBe(SOL);
  wait(2);
  await expectSettled(stack, walletId, networkCode, { SOL: await lamportsOf(from) });
}

test('the first node calls expired what has landed: nothing is signed anew, and it is paid once', async () => {
  declareExpired('first');
  const id = await ask();
  await assertWaits(
    id,
    /first node says that it did not land.*second node says that (it may land|its blockhash|no block|it has landed)/,
  );
  wait(200);
  await assertWaits(id, /second node says that it has landed/);
  await assertPaidOnce(id);
  expect(await statusesOf(id)).toEqual(['transfer included']);
});

test('the second node calls expired what may still land: the first one is asked before, and says so', async () => {
  declareExpired('second');
  swallow('first');
  const id = await ask();
  await untilLooked(4);
  expect(await stack.transactionsOf(id)).toHaveLength(1);
  await assertPaidOnce(id);
});

test('the first node says that it failed: nothing is given back', async () => {
  const fails = alters(
    (shown: { meta: object } | null) =>
      shown && { ...shown, meta: { ...shown.meta, err: { InstructionError: [0, 'Custom'] } } },
  );
  nodes.first.answers.set('getTransaction', fails);
  const id = await ask();
  await assertWaits(id, /second node shows it with another result/);
  await assertPaidOnce(id);
});

describe('what has expired is not signed anew while the second node', () => {
  const silences: [what: string, silence: () => void, why: RegExp][] = [
    [
      'cannot be asked',
      () => nodes.second.answers.set('getEpochInfo', refuses('not now')),
      /second node says that it cannot answer/,
    ],
    [
      'has a history that begins later',
      () => nodes.second.answers.set('getFirstAvailableBlock', says(sandbox.slots.completed + 300)),
      /first node says that it did not land.*second node says that its history begins with slot \d+, after/,
    ],
    [
      'is behind',
      () =>
        nodes.second.answers.set(
          'getSignatureStatuses',
          alters((answer: { context: { slot: number } }) => ({
            ...answer,
            context: { slot: answer.context.slot - 100 },
          })),
        ),
      /second node says that it cannot answer.*behind/,
    ],
  ];
  test.each(silences)('%s', async (_what, silence, why) => {
    swallow('first');
    const id = await ask();
    silence();
    wait(400);
    await assertWaits(id, why);
    await assertPaidOnce(id);
    expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
  });
});

describe('a withdrawal whose signature an MPC node kept, and which it sent itself', () => {
  /** The row as if it were old enough for every clock. */
  const age = (id: string) =>
    stack.db
      .update(chainTransactions)
      .set({ createdAt: new Date(Date.now() - 20 * 60_000) })
      .where(eq(chainTransactions.withdrawalId, id));
  const signedElsewhere = async (id: string) => {
    const [row] = await stack.transactionsOf(id);
    const message = Buffer.from(row?.unsigned.slice(2) ?? '', 'hex');
    const { derivationPath } = await stack.read(id);
    const secret = stack.cluster.privateKey(walletId, 'ed25519', storedPath(derivationPath));
    const { bytes } = signWithKey('ed25519', secret, message);
    return Buffer.concat([Buffer.from([1]), bytes, message]);
  };

  test('is not given back because one node hides it, and is when none of them has it', async () => {
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const id = await stack.withdraw({ walletId, networkCode, amount: SOL, to });
    const lost = async () => (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
    await expect.poll(async () => findLostSignatures(stack.db, await lost()), waiting).toBe('possible');
    sandbox.send(await signedElsewhere(id), false);
    wait(400);
    nodes.first.answers.set('getSignaturesForAddress', says([]));
    await age(id);
    const details = async () => (await listWithdrawalEvents(stack.db, id)).at(-1)?.details;
    await expect
      .poll(details, waiting)
      .toMatch(/first node says that it did not land.*second node says that it has landed as/);
    expect(await stack.read(id)).toMatchObject({ status: 'processing', disputedAt: expect.any(Date) });
    expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(SOL);
    nodes.second.answers.set('getSignaturesForAddress', says([]));
    await stack.until(id, 'failed');
  });

  test('is not given back while its transaction is not what this service wrote, whatever the nodes say', async () => {
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const id = await stack.withdraw({ walletId, networkCode, amount: SOL, to });
    const lost = async () => (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
    await expect.poll(async () => findLostSignatures(stack.db, await lost()), waiting).toBe('possible');
    const [row] = await stack.transactionsOf(id);
    const write = (validUntil: number | null) =>
      stack.db.update(chainTransactions).set({ validUntil }).where(eq(chainTransactions.withdrawalId, id));
    await write(1);
    await age(id);
    wait(400);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(await stack.read(id)).toMatchObject({ status: 'processing' });
    expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(SOL);
    await write(row?.validUntil ?? null);
    await stack.until(id, 'failed');
  });
});

describe.each(['one', 'two'] as const)(
  'with %s node(s), the first of which lies while the transaction is built',
  (count) => {
    beforeEach(() => makeWallet(stacks[count]));
    const claim = (lastValidBlockHeight: number) =>
      nodes.first.answers.set(
        'getLatestBlockhash',
        alters((answer: { value: object }) => ({ ...answer, value: { ...answer.value, lastValidBlockHeight } })),
      );

    test('a last block height that is past: it is signed anew only when the blockhash has expired', async () => {
      claim(1);
      swallow('first');
      const id = await ask();
      nodes.first.answers.delete('getLatestBlockhash');
      wait(100);
      await untilLooked(4);
      const [first, ...more] = await stack.transactionsOf(id);
      expect(more).toEqual([]);
      // The thief sends it while it is good.
      sandbox.send(Buffer.from(first?.signed?.slice(2) ?? '', 'hex'), false);
      await assertPaidOnce(id);
      expect(await stack.transactionsOf(id)).toHaveLength(1);
    });

    test('a last block height that never comes: it is signed anew all the same', async () => {
      claim(2 ** 50);
      swallow('first');
      const id = await ask();
      nodes.first.answers.delete('getLatestBlockhash');
      wait(200);
      await assertPaidOnce(id);
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
    });
  },
);
