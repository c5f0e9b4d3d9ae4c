// Goal: the controls T1 to T4 of sending on an account chain, by id: signed once and stored first, nonces that heal,
// gas that is gone, and any of N transactions settles once. Method: the product's workflow and activities on real
// PostgreSQL, Temporal and anvil behind a proxy. More of what a node may do is in
// test/hazards/withdrawals/withdrawal-node.
import { sql } from 'drizzle-orm';
import { type Address, type Hex, keccak256, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  type AnsweringProxy,
  refuses,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { findWithdrawalViolations } from '../../support/withdrawals/withdrawal-invariants.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const SEND = 'eth_sendRawTransaction';
const FUNDED = parseEther('10');
const waiting = { timeout: 60_000, interval: 50 };

let anvil: Anvil;
let node: AnsweringProxy;
let stack: WithdrawalStack;
let walletId: string;
let address: Address;

beforeAll(async () => {
  anvil = await startAnvil();
  node = await startAnsweringProxy(anvil.url);
  stack = await startWithdrawals({ [networkCode]: `http://${node.host}` });
});
afterAll(async () => {
  await stack.stop();
  node.stop();
  await anvil.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  await anvil.client.setBalance({ address, value: FUNDED });
  await stack.credit(walletId, networkCode, FUNDED);
  stack.cluster.signCalls.length = 0;
  node.asked.length = 0;
});
afterEach(async () => {
  node.answers.clear();
  expect(await findWithdrawalViolations(stack.db)).toEqual([]);
});

const ask = (amount = 1n, to = anyEvmAddress()) => stack.withdraw({ walletId, networkCode, amount, to });
const askMany = (count: number) => Promise.all(Array.from({ length: count }, () => ask()));
const sent = () => node.asked.filter(({ method }) => method === SEND).map(({ params }) => params[0] as Hex);
const untilSubStatus = (id: string, subStatus: string) =>
  expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe(subStatus);
const noncesOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => stack.transactionsOf(id))))
    .flat()
    .map(({ nonce }) => nonce ?? -1)
    .sort((left, right) => left - right);

async function untilAllComplete(ids: readonly string[]): Promise<void> {
  const look = async () => {
    await anvil.client.mine({ blocks: 1 });
    return (await Promise.all(ids.map((id) => stack.read(id)))).map(({ status }) => status);
  };
  await expect.poll(look, { ...waiting, interval: 200 }).toEqual(ids.map(() => 'completed'));
  await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
}

describe('T1: signed once, stored before it is sent, and never signed at another nonce', () => {
  const cut: Answer = (response) => void response.destroy();
  const lost: Answer = async (response, truth) => {
    await truth();
    response.destroy();
  };
  const outcomes: [string, Answer][] = [
    ['its answer is lost', lost],
    ['it never arrives', cut],
    ['it is refused', refuses('the mempool is full')],
    ['it is called too cheap', refuses('transaction underpriced')],
    ['its nonce is called too low', refuses('nonce too low')],
  ];
  test.each(outcomes)('%s, twice: the same bytes until they are there', async (_outcome, answer) => {
    const stored: (string | null | undefined)[] = [];
    let id = '';
    node.answers.set(SEND, async (response, truth) => {
      stored.push((await stack.transactionsOf(id))[0]?.signed);
      if (stored.length <= 2) return answer(response, truth);
      return void response.end(JSON.stringify(await truth()));
    });
    const sign = stack.cluster.hold('sign');
    id = await ask();
    sign();
    await expect.poll(() => stored.length, waiting).toBeGreaterThan(2);
    await untilAllComplete([id]);
    expect(stored).toEqual(sent());
    expect(new Set(stored).size).toBe(1);
    expect(stack.cluster.signCalls).toHaveLength(1);
    expect(await noncesOf([id])).toEqual([0]);
  });
});

describe('T2: nonces', () => {
  test('nonce and transaction are one commit: what fails in between leaves neither', async () => {
    await stack.db.execute(sql`create sequence tries`);
    await stack.db.execute(sql`create function fail_sometimes() returns trigger language plpgsql as $$ begin
      if nextval('tries') <= 4 then raise exception 'the disk is full'; end if; return new; end $$`);
    await stack.db.execute(
      sql`create trigger fail_sometimes before insert on chain_transactions for each row execute function fail_sometimes()`,
    );
    try {
      const ids = await askMany(3);
      const count = async () =>
        (
          await stack.db.execute<{
            both: string;
          }>(sql`select (select count(*) from nonces where address = ${address}) || ' '
          || (select count(*) from chain_transactions where from_address = ${address}) as both`)
        )[0]?.both;
      const seen = new Set<string | undefined>();
      const look = async () => {
        seen.add(await count());
        return noncesOf(ids);
      };
      await expect.poll(look, { ...waiting, interval: 10 }).toEqual([0, 1, 2]);
      for (const both of seen) expect(both?.split(' ')[0]).toBe(both?.split(' ')[1]);
      await untilAllComplete(ids);
    } finally {
      await stack.db.execute(sql`drop function fail_sometimes cascade`);
      await stack.db.execute(sql`drop sequence tries`);
    }
  });

  test('three below: the chain is ahead of the journal, which passes them over', async () => {
    const before = await askMany(2);
    await untilAllComplete(before);
    await anvil.client.setNonce({ address, nonce: 5 });
    const ids = await askMany(4);
    await untilAllComplete(ids);
    expect(await noncesOf(ids)).toEqual([5, 6, 7, 8]);
  });

  test('four above: the node has forgotten all that was sent; no nonce is given out twice, and all land', async () => {
    const forgotten = await askMany(4);
    for (const id of forgotten) await untilSubStatus(id, 'confirming');
    expect(await noncesOf(forgotten)).toEqual([0, 1, 2, 3]);
    await anvil.client.request({ method: 'anvil_dropAllTransactions', params: [] } as never);
    const ids = await askMany(2);
    await untilAllComplete([...forgotten, ...ids]);
    expect(await noncesOf([...forgotten, ...ids])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(stack.cluster.signCalls).toHaveLength(6);
  });
});

test('T3: gas that is gone: all wait without a nonce, and go out in one row after a top-up', async () => {
  await anvil.client.setBalance({ address, value: 0n });
  const ids = await askMany(3);
  for (const id of ids) await untilSubStatus(id, 'insufficient_funds');
  expect(await noncesOf(ids)).toEqual([]);
  expect(stack.cluster.signCalls).toEqual([]);
  for (const id of ids) expect((await stack.read(id)).status).toBe('processing');
  await anvil.client.setBalance({ address, value: FUNDED });
  await untilAllComplete(ids);
  expect(await noncesOf(ids)).toEqual([0, 1, 2]);
});

describe('T4: any of three transactions settles once', () => {
  test.each([0, 1, 2])('the one with ordinal %i', async (lands) => {
    const to = anyEvmAddress();
    const id = await ask(parseEther('1'), to);
    for (const count of [1, 2, 3]) {
      if (count > 1) await stack.replace(id, 'speed_up');
      await expect
        .poll(
          async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length,
          waiting,
        )
        .toBe(count);
    }
    const bytes = (await stack.transactionsOf(id)).map(({ signed }) => signed as Hex);
    // A miner that has seen this one only.
    node.answers.set(SEND, refuses('nonce too low'));
    await anvil.client.request({ method: 'anvil_dropAllTransactions', params: [] } as never);
    await anvil.client.sendRawTransaction({ serializedTransaction: bytes[lands] as Hex });
    await untilAllComplete([id]);
    const row = await stack.read(id);
    expect(row.txHash).toBe(keccak256(bytes[lands] as Hex));
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    expect((await stack.historyOf(id)).filter((line) => line.startsWith('completed'))).toHaveLength(1);
  });

  test('it is taken off the chain again: on its way, then the next one lands, and it settles once', async () => {
    const to = anyEvmAddress();
    const id = await ask(parseEther('1'), to);
    await untilSubStatus(id, 'confirming');
    await stack.replace(id, 'speed_up');
    await expect.poll(async () => (await stack.transactionsOf(id))[1]?.status, waiting).toBe('broadcast');
    await anvil.client.mine({ blocks: 1 });
    await expect.poll(async () => (await stack.read(id)).confirmations, waiting).toBe(1);
    const [first] = await stack.transactionsOf(id);
    node.answers.set(SEND, refuses('nonce too low'));
    await anvil.reorganise(1);
    await anvil.client.sendRawTransaction({ serializedTransaction: first?.signed as Hex });
    await expect.poll(() => stack.historyOf(id), waiting).toContain('processing reorged');
    await untilAllComplete([id]);
    expect((await stack.read(id)).txHash).toBe(first?.txHash);
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  });
});
