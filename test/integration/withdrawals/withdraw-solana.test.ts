// Goal: a withdrawal on Solana ends once, with a settled ledger, or fails at once where it can never be sent. Method:
// the product's workflow and activities on real PostgreSQL and Temporal, against the sandbox's Solana with a clock of
// the test behind a node that answers as the test says.
import { type Address, address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { says } from '../../support/chains/answering-proxy.ts';
import { SOL, tokenAccountOf } from '../../support/chains/solana.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import {
  DOLLAR,
  FEE,
  FUNDED,
  networkCode,
  RENT,
  SolanaWithdrawals,
  stranger,
  USDC,
  until,
} from '../../support/withdrawals/solana-withdrawals.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

let solana: SolanaWithdrawals;
let sandbox: SolanaWithdrawals['sandbox'];
let node: SolanaWithdrawals['node'];
let stack: SolanaWithdrawals['stack'];
let wait: SolanaWithdrawals['wait'];
let stopAt: SolanaWithdrawals['stopAt'];
let goOn: SolanaWithdrawals['goOn'];
let payDollars: SolanaWithdrawals['payDollars'];
let lamportsOf: SolanaWithdrawals['lamportsOf'];
let dollarsOf: SolanaWithdrawals['dollarsOf'];
let held: SolanaWithdrawals['held'];
let available: SolanaWithdrawals['available'];
let untilSubStatus: SolanaWithdrawals['untilSubStatus'];
let statusesOf: SolanaWithdrawals['statusesOf'];
let withdraw: SolanaWithdrawals['withdraw'];
let callerTransfer: SolanaWithdrawals['callerTransfer'];
let expectLedgerIsChain: SolanaWithdrawals['expectLedgerIsChain'];
let swallow: SolanaWithdrawals['swallow'];
let hide: SolanaWithdrawals['hide'];
let walletId: SolanaWithdrawals['walletId'];
let from: SolanaWithdrawals['from'];

beforeAll(async () => {
  solana = await SolanaWithdrawals.start();
  ({
    sandbox,
    node,
    stack,
    wait,
    stopAt,
    goOn,
    payDollars,
    lamportsOf,
    dollarsOf,
    held,
    available,
    untilSubStatus,
    statusesOf,
    withdraw,
    callerTransfer,
    expectLedgerIsChain,
    swallow,
    hide,
  } = solana);
});
afterAll(() => solana.stop());
beforeEach(async () => {
  ({ walletId, from } = await solana.makeWallet());
});
afterEach(() => solana.calm());

describe('a transfer', () => {
  test('of SOL is built, signed, stored, broadcast, finalized and settled', async () => {
    const to = await stranger();
    const id = await withdraw('SOL', 3n * SOL, to);
    const row = await stack.until(id, 'completed');
    expect(row).toMatchObject({ subStatus: null, errorCode: null, feePaidBaseUnits: FEE.SOL, signedByNodes: [1, 2] });
    expect(await stack.activityOf(id)).toMatchObject({ feeBaseUnits: FEE.SOL });
    expect(await lamportsOf(to)).toBe(3n * SOL);
    expect(await lamportsOf(from)).toBe(7n * SOL - FEE.SOL);
    expect(await statusesOf(id)).toEqual(['transfer included']);
    await expectLedgerIsChain();
    expect((await stack.historyOf(id)).slice(0, 5)).toEqual([
      'pending policy_check',
      'approved queued',
      'processing queued',
      'processing awaiting_signature',
      'processing confirming',
    ]);
  });

  test('of all SOL leaves nothing', async () => {
    const to = await stranger();
    const id = await withdraw('SOL', FUNDED.SOL - FEE.SOL, to);
    await stack.until(id, 'completed');
    expect(await lamportsOf(from)).toBe(0n);
    await expectLedgerIsChain();
  });

  test('of a token to who has no account for it: the rent is held and paid with the fee, in SOL', async () => {
    hide();
    const to = await stranger();
    const id = await withdraw('USDC', 40n * USDC, to);
    await untilSubStatus(id, 'confirming');
    expect([await held('SOL'), await available('SOL')]).toEqual([FEE.USDC + RENT, FUNDED.SOL - FEE.USDC - RENT]);
    expect([await held('USDC'), await available('USDC')]).toEqual([40n * USDC, 60n * USDC]);
    node.answers.clear();
    expect((await stack.until(id, 'completed')).feePaidBaseUnits).toBe(FEE.USDC + RENT);
    expect([await dollarsOf(to), await dollarsOf(from)]).toEqual([40n * USDC, 60n * USDC]);
    expect(await lamportsOf(from)).toBe(FUNDED.SOL - FEE.USDC - RENT);
    await expectLedgerIsChain();
  });

  test('of a token to who has an account for it costs no rent', async () => {
    const to = await stranger();
    await payDollars(to, 1n);
    const id = await withdraw('USDC', FUNDED.USDC, to);
    expect((await stack.until(id, 'completed')).feePaidBaseUnits).toBe(FEE.USDC);
    expect(await dollarsOf(to)).toBe(FUNDED.USDC + 1n);
    await expectLedgerIsChain();
  });

  test('whose recipient gets the account from somebody else meanwhile pays no rent, and what was held for it is free', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('USDC', 40n * USDC, to);
    await untilSubStatus(id, 'confirming');
    await payDollars(to, 1n);
    node.answers.clear();
    expect((await stack.until(id, 'completed')).feePaidBaseUnits).toBe(FEE.USDC);
    await expectLedgerIsChain();
  });

  test('equal to another at the same time is one of two', async () => {
    const to = await stranger();
    stopAt(sandbox.slots.completed); // one blockhash for both
    const ids = await Promise.all([withdraw('SOL', SOL, to), withdraw('SOL', SOL, to)]);
    await until(async () => Promise.all(ids.map(statusesOf)), [['transfer broadcast'], ['transfer broadcast']]);
    // A cluster signs one message in many ways, and a cluster of Solana's takes each message once.
    const [[one], [other]] = [await stack.transactionsOf(ids[0]), await stack.transactionsOf(ids[1])];
    expect(one?.unsigned).not.toBe(other?.unsigned);
    goOn();
    wait(1);
    for (const id of ids) await stack.until(id, 'completed');
    expect(await lamportsOf(to)).toBe(2n * SOL);
    await expectLedgerIsChain();
  });

  test('that a caller has written, equal to another at the same time: it waits for the next blockhash, and both land', async () => {
    const to = await stranger();
    const data = callerTransfer(to, SOL);
    const fields = { method: 'contract_call', call: { data } } as const;
    const ask = () => stack.withdraw({ walletId, networkCode, amount: SOL, to, symbol: 'SOL', fields });
    stopAt(sandbox.slots.completed); // one blockhash for both
    const ids = [await ask(), await ask()];
    const journaled = async () => (await Promise.all(ids.map((id) => stack.transactionsOf(id)))).flat();
    await until(async () => (await journaled()).map(({ status }) => status), ['broadcast']);
    await expect(until(async () => (await journaled()).length, 2, 1_500)).rejects.toThrow();
    goOn();
    wait(1);
    for (const id of ids) await stack.until(id, 'completed');
    const [one, other] = await journaled();
    expect(one?.unsigned).not.toBe(other?.unsigned);
    expect(await lamportsOf(to)).toBe(2n * SOL);
    await expectLedgerIsChain();
  });

  test('that fails when it is executed gives the amount back and pays the fee', async () => {
    swallow();
    const [one, other] = [await stranger(), await stranger()];
    for (const to of [one, other]) await payDollars(to, 1n);
    const first = await withdraw('USDC', 60n * USDC, one);
    await untilSubStatus(first, 'confirming');
    const [transaction] = await stack.transactionsOf(first);
    const wire = Buffer.from(transaction?.signed?.slice(2) ?? '', 'hex');
    node.answers.set('sendTransaction', async (response, truth) => {
      const [sent] = node.asked.findLast(({ method }) => method === 'sendTransaction')?.params ?? [];
      if ((sent as unknown) === wire.toString('base64')) says('1'.repeat(64))(response);
      else response.end(JSON.stringify(await truth()));
    });
    await stack.credit(walletId, networkCode, 20n * USDC, 'USDC'); // the ledger is told too much
    const second = await withdraw('USDC', 60n * USDC, other);
    await stack.until(second, 'completed');
    sandbox.send(wire, true);
    const row = await stack.until(first, 'failed');
    expect(row).toMatchObject({ subStatus: 'reverted', errorCode: 'reverted', feePaidBaseUnits: FEE.USDC });
    expect(await dollarsOf(one)).toBe(1n);
    expect(await available('USDC')).toBe((await dollarsOf(from)) + 20n * USDC);
    expect([await available('SOL'), await held('SOL'), await held('USDC')]).toEqual([await lamportsOf(from), 0n, 0n]);
    await stack.assertBalanced();
  });

  test('for whose rent there is no SOL waits, and goes on after a top-up', async () => {
    const poor = await stack.makeWallet();
    const owner = address(await stack.addressOf(poor, networkCode));
    await sandbox.airdrop(owner, SOL / 1_000n);
    await payDollars(owner, FUNDED.USDC);
    await stack.credit(poor, networkCode, SOL / 1_000n);
    await stack.credit(poor, networkCode, FUNDED.USDC, 'USDC');
    const to = await stranger();
    const id = await stack.withdraw({ walletId: poor, networkCode, amount: USDC, to, symbol: 'USDC' });
    await untilSubStatus(id, 'insufficient_funds');
    expect((await stack.read(id)).shortage).toMatchObject({ symbol: 'SOL', missing: '0.00104518' });
    expect(RENT + FEE.USDC - SOL / 1_000n).toBe(1_045_180n);
    expect(await stack.transactionsOf(id)).toEqual([]);
    await sandbox.airdrop(owner, SOL);
    await stack.credit(poor, networkCode, SOL);
    await stack.until(id, 'completed');
    expect(await dollarsOf(to)).toBe(USDC);
    const onChain = { SOL: await lamportsOf(owner), USDC: await dollarsOf(owner) };
    await expectSettled(stack, poor, networkCode, onChain);
  });
});

describe('what can never be sent fails at once, with everything released:', () => {
  const impossible: [what: string, symbol: 'SOL' | 'USDC', amount: bigint, to: () => Promise<Address> | Address][] = [
    ['SOL for a token account', 'SOL', SOL, () => tokenAccountOf(from, DOLLAR)],
    ['a token for a token account', 'USDC', USDC, () => tokenAccountOf(from, DOLLAR)],
    ['SOL for a mint', 'SOL', SOL, () => DOLLAR],
    ['SOL for a program', 'SOL', SOL, () => MEMO_PROGRAM],
    ['a token for a program', 'USDC', USDC, () => TOKEN_PROGRAM_ADDRESS],
    ['SOL for a built-in program', 'SOL', SOL, () => address('Stake11111111111111111111111111111111111111')],
    ['SOL for a variable of the chain', 'SOL', SOL, () => CLOCK_SYSVAR],
    ['less than the rent for who has nothing', 'SOL', 1_000n, stranger],
  ];
  test.each(impossible)('%s', async (_what, symbol, amount, to) => {
    const id = await withdraw(symbol, amount, await to());
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'impossible_transfer', txHash: null });
    expect(await stack.transactionsOf(id)).toEqual([]);
    await expectLedgerIsChain();
  });
});
