// Withdrawals on a Solana whose time the test sets, behind a node that answers as the test says; each test has a wallet
// of its own, with SOL and dollars. The cluster is in memory.
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
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from '@solana-program/token';
import { expect } from 'vitest';
import { DOLLAR_DECIMALS, dollars, treasuries } from '../../../domain/catalog/sandbox.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { serveSolana } from '../../../src/local/solana/server.ts';
import { type AnsweringProxy, alters, says, startAnsweringProxy } from '../chains/answering-proxy.ts';
import { SOL, signFor, tokenAccountOf } from '../chains/solana.ts';
import { expectSettled } from './expect-settled.ts';
import { startWithdrawals, type WithdrawalStack } from './withdrawals.ts';

export const networkCode = 'SOL_SANDBOX';
const SLOT_MS = 400;
export const USDC = 1_000_000n;
export const DOLLAR = address(dollars.SOL_SANDBOX);
export const FUNDED = { SOL: 10n * SOL, USDC: 100n * USDC };
/** One signature, and the price of the units that a transfer may take. */
export const FEE = { SOL: 5_010n, USDC: 5_900n };
/** Of a token account. */
export const RENT = 2_039_280n;

export const newDirectory = () => mkdtempSync(join(tmpdir(), 'countersign-solana-'));
export const stranger = async () => (await generateKeyPairSigner()).address;
export const until = (isSo: () => Promise<unknown>, what: unknown, timeout = 60_000) =>
  expect.poll(isSo, { timeout }).toEqual(what);

/** What the test sets: how far the clock of the chain is ahead, and where it stands still if it does. */
interface Clock {
  aheadMs: number;
  stoppedMs?: number | undefined;
}

interface Parts {
  directory: string;
  clock: Clock;
  sandbox: SolanaChain;
  server: Server;
  url: string;
  node: AnsweringProxy;
  stack: WithdrawalStack;
}

export class SolanaWithdrawals {
  readonly sandbox: SolanaChain;
  readonly node: AnsweringProxy;
  readonly stack: WithdrawalStack;
  /** Of the test that runs. */
  walletId = '';
  from: Address = DOLLAR;
  readonly #parts: Parts;
  readonly #rpc: ReturnType<typeof createSolanaRpc>;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.sandbox = parts.sandbox;
    this.node = parts.node;
    this.stack = parts.stack;
    this.#rpc = createSolanaRpc(parts.url);
  }

  static async start(): Promise<SolanaWithdrawals> {
    const directory = newDirectory();
    const clock: Clock = { aheadMs: 0 };
    const sandbox = await SolanaChain.open(directory, () => clock.stoppedMs ?? Date.now() + clock.aheadMs);
    const port = await findFreePort();
    const server = await serveSolana(sandbox, port);
    const url = `http://127.0.0.1:${port}`;
    const node = await startAnsweringProxy(url);
    const stack = await startWithdrawals({ [networkCode]: `http://${node.host}` }, { fastRetries: true });
    return new SolanaWithdrawals({ directory, clock, sandbox, server, url, node, stack });
  }

  readonly stop = async (): Promise<void> => {
    const { directory, server } = this.#parts;
    await this.stack.stop();
    this.node.stop();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  };

  /** Before each test. */
  readonly makeWallet = async (): Promise<{ walletId: string; from: Address }> => {
    const { stack } = this;
    this.walletId = await stack.makeWallet();
    this.from = address(await stack.addressOf(this.walletId, networkCode));
    await this.sandbox.airdrop(this.from, FUNDED.SOL);
    await this.payDollars(this.from, FUNDED.USDC);
    await stack.credit(this.walletId, networkCode, FUNDED.SOL);
    await stack.credit(this.walletId, networkCode, FUNDED.USDC, 'USDC');
    this.wait(1);
    return { walletId: this.walletId, from: this.from };
  };

  /** After each test. */
  readonly calm = (): void => {
    this.node.answers.clear();
    this.goOn();
  };

  readonly wait = (slots: number): void => {
    this.#parts.clock.aheadMs += slots * SLOT_MS;
  };

  /** Time stands still where `height` is the newest finalized one. */
  readonly stopAt = (height: number): void => {
    this.#parts.clock.stoppedMs = this.sandbox.slots.genesisMs + height * SLOT_MS;
    expect(this.sandbox.slots.completed).toBe(height);
  };

  readonly goOn = (): void => {
    const { clock } = this.#parts;
    if (clock.stoppedMs !== undefined) clock.aheadMs = clock.stoppedMs - Date.now();
    clock.stoppedMs = undefined;
  };

  readonly payDollars = async (owner: Address, amount: bigint): Promise<void> => {
    const { address: treasury, privateKey } = treasuries.SOL_SANDBOX;
    const payer = await createKeyPairSignerFromPrivateKeyBytes(Buffer.from(privateKey, 'hex'));
    const source = await tokenAccountOf(address(treasury), DOLLAR);
    const destination = await tokenAccountOf(owner, DOLLAR);
    const instructions = [
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: destination, owner, mint: DOLLAR }),
      getTransferCheckedInstruction({
        source,
        destination,
        mint: DOLLAR,
        amount,
        authority: payer,
        decimals: DOLLAR_DECIMALS,
      }),
    ];
    const transaction = await signFor(payer, instructions, this.sandbox.latestBlockhash());
    this.sandbox.send(getTransactionEncoder().encode(transaction), false);
  };

  readonly lamportsOf = async (owner: Address) => (await this.#rpc.getBalance(owner).send()).value as bigint;
  readonly dollarsOf = async (owner: Address): Promise<bigint> => {
    const account = await tokenAccountOf(owner, DOLLAR);
    const { value } = await this.#rpc.getAccountInfo(account, { encoding: 'base64' }).send();
    return value === null ? 0n : BigInt((await this.#rpc.getTokenAccountBalance(account).send()).value.amount);
  };
  readonly held = (symbol: string) => this.stack.balance(this.walletId, networkCode, 'held', symbol);
  readonly available = (symbol: string) => this.stack.balance(this.walletId, networkCode, 'available', symbol);
  readonly untilSubStatus = (id: string, subStatus: string) =>
    until(async () => (await this.stack.read(id)).subStatus, subStatus);
  readonly statusesOf = async (id: string) =>
    (await this.stack.transactionsOf(id)).map(({ kind, status }) => `${kind} ${status}`);
  readonly withdraw = (symbol: 'SOL' | 'USDC', amount: bigint, to: Address) =>
    this.stack.withdraw({ walletId: this.walletId, networkCode, amount, to, symbol });

  /** The message of a plain transfer, as an SDK makes it. */
  readonly callerTransfer = (to: Address, amount: bigint): string => {
    const { from } = this;
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
  };

  readonly expectLedgerIsChain = async (): Promise<void> => {
    this.wait(2);
    const onChain = { SOL: await this.lamportsOf(this.from), USDC: await this.dollarsOf(this.from) };
    await expectSettled(this.stack, this.walletId, networkCode, onChain);
  };

  /** The node takes what is sent and gives it to nobody. */
  readonly swallow = () => this.node.answers.set('sendTransaction', says('1'.repeat(64)));

  /** Nobody hears of what has landed. */
  readonly hide = () =>
    this.node.answers.set(
      'getSignatureStatuses',
      alters((result: object) => ({ ...result, value: [null] })),
    );

  /** The follower has asked so often whether it has expired. */
  readonly untilLooked = async (times: number): Promise<void> => {
    const looks = () => this.node.asked.filter(({ method }) => method === 'getEpochInfo').length;
    const before = looks();
    await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + times);
  };
}
