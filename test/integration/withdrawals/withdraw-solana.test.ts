// Goal: a withdrawal on Solana ends once, with a settled ledger, whatever becomes of its transaction, its blockhash and
// its node. Method: the product's workflow and activities on real PostgreSQL and Temporal, against the sandbox's
// Solana: with a clock of the test behind a node that answers as the test says, and as a process of its own that is
// killed; the cluster is in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransactionMessage,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getCompiledTransactionMessageEncoder,
  getTransactionEncoder,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { DOLLAR_DECIMALS, dollars, treasuries } from '../../../domain/catalog/sandbox.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { recordOutflows, resolveOutflow } from '../../../drizzle/outflows/outflows.ts';
import { findLostSignatures } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { chainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { serveSolana } from '../../../src/local/solana/server.ts';
import { type AnsweringProxy, alters, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { fundedSolanaClient, SOL, type SolanaClient, signFor, tokenAccountOf } from '../../support/chains/solana.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'SOL_SANDBOX';
const SLOT_MS = 400;
const USDC = 1_000_000n;
const DOLLAR = address(dollars.SOL_SANDBOX);
const FUNDED = { SOL: 10n * SOL, USDC: 100n * USDC };
/** One signature, and the price of the units that a transfer may take. */
const FEE = { SOL: 5_010n, USDC: 5_900n };
/** Of a token account. */
const RENT = 2_039_280n;
const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

const newDirectory = () => mkdtempSync(join(tmpdir(), 'countersign-solana-'));
const stranger = async () => (await generateKeyPairSigner()).address;
const until = (isSo: () => Promise<unknown>, what: unknown, timeout = 60_000) =>
  expect.poll(isSo, { timeout }).toEqual(what);

describe('on a chain whose time the test sets', () => {
  let directory: string;
  let aheadMs = 0;
  let stoppedMs: number | undefined;
  let sandbox: SolanaChain;
  let server: Server;
  let node: AnsweringProxy;
  let stack: WithdrawalStack;
  let walletId: string;
  let from: Address;
  let rpc: ReturnType<typeof createSolanaRpc>;

  beforeAll(async () => {
    directory = newDirectory();
    sandbox = await SolanaChain.open(directory, () => stoppedMs ?? Date.now() + aheadMs);
    const port = await findFreePort();
    server = await serveSolana(sandbox, port);
    const url = `http://127.0.0.1:${port}`;
    rpc = createSolanaRpc(url);
    node = await startAnsweringProxy(url);
    stack = await startWithdrawals({ [networkCode]: `http://${node.host}` }, { fastRetries: true });
  });
  afterAll(async () => {
    await stack.stop();
    node.stop();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    walletId = await stack.makeWallet();
    from = address(await stack.addressOf(walletId, networkCode));
    await sandbox.airdrop(from, FUNDED.SOL);
    await payDollars(from, FUNDED.USDC);
    await stack.credit(walletId, networkCode, FUNDED.SOL);
    await stack.credit(walletId, networkCode, FUNDED.USDC, 'USDC');
    wait(1);
  });
  afterEach(() => {
    node.answers.clear();
    goOn();
  });

  function wait(slots: number): void {
    aheadMs += slots * SLOT_MS;
  }

  /** Time stands still where `height` is the newest finalized one. */
  function stopAt(height: number): void {
    stoppedMs = sandbox.slots.genesisMs + height * SLOT_MS;
    expect(sandbox.slots.completed).toBe(height);
  }

  function goOn(): void {
    if (stoppedMs !== undefined) aheadMs = stoppedMs - Date.now();
    stoppedMs = undefined;
  }

  async function execute(key: string, make: (signer: Awaited<ReturnType<typeof signerOf>>) => Instruction[]) {
    const signer = await signerOf(key);
    const transaction = await signFor(signer, make(signer), sandbox.latestBlockhash());
    return sandbox.send(getTransactionEncoder().encode(transaction), false);
  }
  const signerOf = (key: string) => createKeyPairSignerFromPrivateKeyBytes(Buffer.from(key, 'hex'));

  async function payDollars(owner: Address, amount: bigint): Promise<void> {
    const treasury = address(treasuries.SOL_SANDBOX.address);
    const [source, destination] = [await tokenAccountOf(treasury, DOLLAR), await tokenAccountOf(owner, DOLLAR)];
    await execute(treasuries.SOL_SANDBOX.privateKey, (payer) => [
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: destination, owner, mint: DOLLAR }),
      getTransferCheckedInstruction({
        source,
        destination,
        mint: DOLLAR,
        amount,
        authority: payer,
        decimals: DOLLAR_DECIMALS,
      }),
    ]);
  }

  const lamportsOf = async (owner: Address) => (await rpc.getBalance(owner).send()).value as bigint;
  const dollarsOf = async (owner: Address) => {
    const account = await tokenAccountOf(owner, DOLLAR);
    const { value } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send();
    return value === null ? 0n : BigInt((await rpc.getTokenAccountBalance(account).send()).value.amount);
  };
  const held = (symbol: string) => stack.balance(walletId, networkCode, 'held', symbol);
  const available = (symbol: string) => stack.balance(walletId, networkCode, 'available', symbol);
  const untilSubStatus = (id: string, subStatus: string) =>
    until(async () => (await stack.read(id)).subStatus, subStatus);
  const statusesOf = async (id: string) =>
    (await stack.transactionsOf(id)).map(({ kind, status }) => `${kind} ${status}`);
  const withdraw = (symbol: 'SOL' | 'USDC', amount: bigint, to: Address) =>
    stack.withdraw({ walletId, networkCode, amount, to, symbol });

  /** The message of a plain transfer, as an SDK makes it. */
  function callerTransfer(to: Address, amount: bigint): string {
    const transfer = getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount });
    const lifetime = { blockhash: '11111111111111111111111111111111' as Blockhash, lastValidBlockHeight: 0n };
    const message = pipe(
      createTransactionMessage({ version: 'legacy' }),
      (made) => setTransactionMessageFeePayer(from, made),
      (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
      (made) => appendTransactionMessageInstruction(transfer, made),
    );
    const bytes = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message));
    return `0x${Buffer.from(bytes).toString('hex')}`;
  }

  async function expectLedgerIsChain(): Promise<void> {
    wait(2);
    const onChain = { SOL: await lamportsOf(from), USDC: await dollarsOf(from) };
    await expectSettled(stack, walletId, networkCode, onChain);
  }

  test('of whose signature a node may have a copy: its money is held until it has expired and nothing unexplained has left', async () => {
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const id = await withdraw('SOL', SOL, await stranger());
    const signings = async () => (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
    await until(async () => findLostSignatures(stack.db, await signings()), 'possible');
    const failedWithin = (ms: number) => stack.until(id, 'failed', ms).then(({ errorCode }) => errorCode);
    await expect(failedWithin(1_500)).rejects.toThrow();
    expect(await statusesOf(id)).toEqual(['transfer built']);
    expect(await held('SOL')).toBe(SOL + FEE.SOL);
    const networkId = networkSeed.find(({ internalCode }) => internalCode === networkCode)?.id ?? '';
    const how = { kind: 'signed_elsewhere', toAddress: null, feeBaseUnits: null } as const;
    const what = { ...how, fromAddress: from, amountBaseUnits: SOL, assetId: null };
    const where = { txHash: 'kept', departureIndex: '0', blockNumber: 1, blockHash: 'kept' };
    const [outflow] = await stack.db.transaction((tx) =>
      recordOutflows(tx, [{ networkId, walletId, ...what, ...where }], false),
    );
    const createdAt = sql`now() - interval '1 hour'`;
    await stack.db.update(chainTransactions).set({ createdAt }).where(eq(chainTransactions.withdrawalId, id));
    wait(400);
    await expect(failedWithin(1_500)).rejects.toThrow();
    await stack.db.transaction((tx) => resolveOutflow(tx, outflow?.id ?? '', 'looked at'));
    expect(await failedWithin(90_000)).toBe('mpc_error');
    expect(await held('SOL')).toBe(0n);
  });

  /** Takes what is sent and gives it to nobody. */
  const swallow = () => node.answers.set('sendTransaction', says('1'.repeat(64)));
  /** Nobody hears of what has landed. */
  const hide = () =>
    node.answers.set(
      'getSignatureStatuses',
      alters((result: object) => ({ ...result, value: [null] })),
    );
  /** How often the follower has asked whether it has expired. */
  const looks = () => node.asked.filter(({ method }) => method === 'getEpochInfo').length;
  async function untilLooked(times: number): Promise<void> {
    const before = looks();
    await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + times);
  }

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

  describe('a transaction that does not land', () => {
    test('goes out again with the same bytes while it may still land', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      await untilLooked(2);
      node.answers.clear();
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer included']);
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: is signed anew only past its last block height at finalized, and lands once', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      const [first] = await stack.transactionsOf(id);
      const validUntil = first?.validUntil ?? Number.NaN;
      stopAt(validUntil);
      await untilLooked(3);
      expect(await stack.transactionsOf(id)).toHaveLength(1);
      node.answers.clear();
      goOn();
      wait(1);
      await stack.until(id, 'completed');
      const [, second, ...more] = await stack.transactionsOf(id);
      expect(more).toEqual([]);
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
      expect(second?.validUntil).toBeGreaterThan(validUntil);
      expect(second?.signingIds).not.toEqual(first?.signingIds);
      expect((await stack.read(id)).txHash).toBe(second?.txHash);
      expect(() => sandbox.send(Buffer.from(first?.signed?.slice(2) ?? '', 'hex'), false)).toThrow();
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: is signed anew as often as it expires', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('USDC', USDC, to);
      for (const made of [1, 2, 3]) {
        await until(async () => (await statusesOf(id)).filter((each) => each.endsWith('broadcast')).length, made);
        wait(200);
      }
      await until(async () => (await stack.transactionsOf(id)).length, 4);
      node.answers.clear();
      await stack.until(id, 'completed');
      expect(await dollarsOf(to)).toBe(USDC);
      await expectLedgerIsChain();
    });

    test('T6: since its signature came too late is signed anew', async () => {
      const sign = stack.cluster.hold('sign');
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await until(async () => (await stack.transactionsOf(id)).length, 1);
      wait(200);
      sign();
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: that expires between two questions is signed anew, not given up', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      node.answers.set('sendTransaction', async (response, truth) => {
        node.answers.delete('sendTransaction');
        wait(200);
        response.end(JSON.stringify(await truth()));
      });
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: and is being signed anew when its workflow is ended: a new run goes on with that, and signs no other', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      const sign = stack.cluster.hold('sign');
      wait(200);
      await until(async () => (await stack.transactionsOf(id)).length, 2);
      const { client, taskQueue } = stack.worker;
      await stack.workflowOf(id).terminate('by an operator');
      node.answers.clear();
      sign();
      const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode, sent: true };
      await client.workflow.start('withdraw', { workflowId: workflowIdOf('withdraw', id), taskQueue, args: [input] });
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: is not signed anew while a node that is behind knows nothing of it', async () => {
      const to = await stranger();
      node.answers.set(
        'getSignatureStatuses',
        alters(({ context }: { context: { slot: number } }) => ({
          context: { ...context, slot: Math.max(0, context.slot - 100) },
          value: [null],
        })),
      );
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      wait(200);
      await untilLooked(3);
      expect(await stack.transactionsOf(id)).toHaveLength(1);
      node.answers.clear();
      await stack.until(id, 'completed');
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('T6: is not signed anew when its history knows it, though the answer was lost and it is long forgotten', async () => {
      const to = await stranger();
      let sent = 0;
      node.answers.set('sendTransaction', async (response, truth) => {
        await truth();
        sent += 1;
        response.destroy();
      });
      const forgets = alters((result: object) => {
        const [, options] = node.asked.findLast(({ method }) => method === 'getSignatureStatuses')?.params ?? [];
        const searches = (options as { searchTransactionHistory?: boolean } | undefined)?.searchTransactionHistory;
        return searches === true ? result : { ...result, value: [null] };
      });
      const id = await withdraw('SOL', SOL, to);
      await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(0);
      wait(200);
      node.answers.clear();
      node.answers.set('getSignatureStatuses', forgets);
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer included']);
      expect(await lamportsOf(to)).toBe(SOL);
      await expectLedgerIsChain();
    });

    test('cannot be sped up or dropped: nothing else is signed, and it lands', async () => {
      for (const kind of ['speed_up', 'drop'] as const) {
        swallow();
        const to = await stranger();
        const id = await withdraw('SOL', SOL, to);
        await untilSubStatus(id, 'confirming');
        await stack.replace(id, kind);
        await untilLooked(3);
        expect(await stack.transactionsOf(id)).toHaveLength(1);
        node.answers.clear();
        await stack.until(id, 'completed');
        expect(await lamportsOf(to)).toBe(SOL);
      }
      await expectLedgerIsChain();
    });

    test('and may not be signed anew, since the wallet is frozen: it fails once nothing can land, with everything released', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('USDC', USDC, to);
      await untilSubStatus(id, 'confirming');
      await stack.db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, walletId));
      await untilLooked(2);
      expect((await stack.read(id)).status).toBe('processing');
      wait(200);
      expect(await stack.until(id, 'failed')).toMatchObject({
        errorCode: 'frozen',
        errorReason: expect.stringContaining('the wallet is frozen'),
      });
      expect(await statusesOf(id)).toEqual(['transfer abandoned']);
      expect(await dollarsOf(to)).toBe(0n);
      await expectLedgerIsChain();
    });

    test('and has become impossible: it fails once nothing can land, with everything released', async () => {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      const account = { lamports: lamports(SOL), data: new Uint8Array(165), space: 165n, executable: false };
      sandbox.svm.setAccount({ address: to, programAddress: TOKEN_PROGRAM_ADDRESS, ...account });
      wait(200);
      expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'impossible_transfer' });
      await expectLedgerIsChain();
    });
  });
});

describe('on a chain that is a process of its own', () => {
  let directory: string;
  let node: TestChain;
  let client: SolanaClient;
  let stack: WithdrawalStack;

  beforeAll(async () => {
    directory = newDirectory();
    node = await startTestSolana(directory);
    client = await fundedSolanaClient(node.address);
    stack = await startWithdrawals({ [networkCode]: node.address }, { fastRetries: true });
  });
  afterAll(async () => {
    await stack.stop();
    await node.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('killed again and again in the midst: every withdrawal lands once', async () => {
    const walletId = await stack.makeWallet();
    const from = address(await stack.addressOf(walletId, networkCode));
    await client.execute(getTransferSolInstruction({ source: client.payer, destination: from, amount: 10n * SOL }));
    await stack.credit(walletId, networkCode, 10n * SOL);
    const recipients = await Promise.all([0, 1, 2, 3].map(() => stranger()));
    const ids: string[] = [];
    for (const [index, to] of recipients.entries()) {
      ids.push(await stack.withdraw({ walletId, networkCode, amount: SOL, to }));
      await new Promise((resolve) => setTimeout(resolve, index * 150));
      node.part().kill('SIGKILL');
      await node.part().exited;
    }
    for (const id of ids) await stack.until(id, 'completed', 60_000);
    for (const to of recipients) expect((await client.rpc.getBalance(to).send()).value).toBe(SOL);
    const { value } = await client.rpc.getBalance(from).send();
    expect(value).toBe(6n * SOL - 4n * FEE.SOL);
    await expectSettled(stack, walletId, networkCode, { SOL: value });
  }, 120_000);
});
