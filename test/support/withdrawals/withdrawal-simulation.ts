// Withdrawals from one wallet under a seeded chance: what befalls the chain, its nodes, the cluster, the database, the
// worker and the callers, and whether what came of it is safe. The workflow, the activities and the queries are the
// product's; the chain and the cluster are in memory.

import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { asc, eq, gt, sql } from 'drizzle-orm';
import { parseEther } from 'viem';
import { expect } from 'vitest';
import type { Activities } from '../../../activities/index.ts';
import { isFinal, withdrawalArrows } from '../../../domain/statuses.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { chainTransactions, listChainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { advanceWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { noChains } from '../chains/no-chains.ts';
import type { Fault } from '../cluster/fake-cluster.ts';
import { startAnswerLosingProxy } from '../processes/answer-losing-proxy.ts';
import { testSeals } from '../rows/seals.ts';
import { SimulatedChain } from './simulated-chain.ts';
import { SimulatedNode } from './simulated-node.ts';
import { findWithdrawalViolations } from './withdrawal-invariants.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from './withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const CONFIRMATIONS = 3;
const FUNDED = parseEther('100');
const AMOUNT = parseEther('1');
const WITHDRAWALS_MAX = 30;
/** For so long the reconciler leaves an operation alone: less, and it would close what is about to be started. */
const OPEN_FOR_MS = 2_000;
export const MORE_IN_CALM = 3;
/**
 * Between two ticks the worker ends so many activities, on a slow machine as on a fast one; when nothing is to be done,
 * it has so long.
 */
const ACTIVITIES_PER_TICK = 4;
const TICK_MS_MAX = 160;

/** Mulberry32: from 0 to 1, the same for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Act = (...args: unknown[]) => Promise<unknown>;

export class WithdrawalSimulation {
  readonly #chance: () => number;
  readonly #workerChance: () => number;
  readonly #databaseChance: () => number;
  readonly #chain: SimulatedChain;
  readonly #node: SimulatedNode;
  /** Of another operator. */
  readonly #secondNode: SimulatedNode;
  readonly #recipients = new Map<string, `0x${string}`>();
  #stack!: WithdrawalStack;
  #abandoned!: OrphanedOperations;
  #walletId = '';
  #address = '';
  #stopProxy = () => {};
  #activitiesEnded = 0;
  /** While true, answers of the database and completions of activities are lost. */
  #losing = false;

  private constructor(seed: number) {
    // Each has its own, so that one that asks more often does not change what befalls the others.
    const part = (index: number) => chanceOf(seed * 1_000 + index);
    this.#chance = part(0);
    this.#workerChance = part(1);
    this.#databaseChance = part(2);
    this.#chain = new SimulatedChain(part(3), CONFIRMATIONS);
    this.#node = new SimulatedNode(this.#chain, part(4), { lags: true });
    this.#secondNode = new SimulatedNode(this.#chain, part(5), { lags: false });
  }

  /** With a wallet that has money, and nothing that fails. */
  static async start(seed: number): Promise<WithdrawalSimulation> {
    const simulation = new WithdrawalSimulation(seed);
    await simulation.#open();
    return simulation;
  }

  async #open(): Promise<void> {
    const isLost = (bytes: Buffer) => this.#losing && bytes.includes('COMMIT\0') && this.#databaseChance() < 0.05;
    const through = async (url: string) => {
      const proxy = await startAnswerLosingProxy(url, isLost);
      this.#stopProxy = () => proxy.stop();
      return proxy.url;
    };
    const chains = { ...noChains, find: () => this.#node, findSecond: () => this.#secondNode };
    const around = (activities: Activities) => this.#around(activities);
    const stack = await startWithdrawals(
      {},
      { fastRetries: true, confirmations: CONFIRMATIONS, chains, around, through },
    );
    this.#stack = stack;
    this.#walletId = await stack.makeWallet();
    this.#address = await stack.addressOf(this.#walletId, networkCode);
    this.#chain.fund(this.#address, FUNDED);
    await stack.credit(this.#walletId, networkCode, FUNDED);
    const { client, taskQueue } = stack.worker;
    const quiet = { db: stack.db, client, log: { warn: () => {} } };
    const starter = new WorkflowStarter({ ...quiet, taskQueue });
    this.#abandoned = new OrphanedOperations({ seals: testSeals, ...quiet, starter, openForMs: OPEN_FOR_MS });
  }

  async stop(): Promise<void> {
    this.#strike(false);
    await this.#stack.stop();
    this.#stopProxy();
  }

  #around(activities: Activities): Partial<Activities> {
    const call =
      (act: Act): Act =>
      async (...args) => {
        const result = await act(...args)
          .catch((error: unknown) => this.#terminateFailing(error))
          .finally(() => (this.#activitiesEnded += 1));
        // The worker dies before it can say what it has done.
        if (this.#losing && this.#workerChance() < 0.2) throw new Error('the completion is lost');
        return result;
      };
    return Object.fromEntries(Object.entries(activities).map(([name, act]) => [name, call(act as Act)]));
  }

  /** An operator sees that something fails, and ends its workflow: what was done may be done all the same. */
  async #terminateFailing(error: unknown): Promise<never> {
    if (this.#losing && this.#workerChance() < 0.2) await this.#terminate(activityInfo().workflowExecution?.workflowId);
    throw error;
  }

  /** From now on nodes, database and worker fail at times. */
  stir(): void {
    this.#strike(true);
  }

  /** From now on nothing fails. Some more are asked for, which shall not suffer from what was before. */
  async calmDown(): Promise<void> {
    this.#strike(false);
    this.#stack.cluster.spare();
    await this.#freeze(false);
    for (let more = 0; more < MORE_IN_CALM; more += 1) await this.#ask();
  }

  #strike(strikes: boolean): void {
    this.#node.faulty = strikes;
    this.#secondNode.faulty = strikes;
    this.#losing = strikes;
  }

  /** One thing happens, and the worker goes on for a while. */
  async tick(): Promise<void> {
    const goal = this.#activitiesEnded + ACTIVITIES_PER_TICK;
    const latest = Date.now() + TICK_MS_MAX;
    await this.#befall();
    while (this.#activitiesEnded < goal && Date.now() < latest) await sleep(10);
  }

  async #befall(): Promise<void> {
    if (this.#chance() < 0.3) await this.#freeze(false);
    if (this.#chance() < 0.3 && this.#recipients.size < WITHDRAWALS_MAX) return this.#ask();
    const acts: [share: number, act: () => unknown][] = [
      [0.26, () => this.#chain.mine()],
      [0.23, () => this.#chain.forget()],
      [0.07, () => this.#chain.turnBack(1 + Math.floor(this.#chance() * 2))],
      [0.02, () => this.#chain.intrude(this.#address)],
      [0.12, () => this.#meetCluster()],
      [0.14, () => this.#replace()],
      [0.05, () => this.#cancel()],
      [0.04, () => this.#freeze(true)],
      [0.04, async () => this.#terminateAny()],
    ];
    let rest = this.#chance();
    for (const [share, act] of acts) {
      rest -= share;
      if (rest >= 0) continue;
      await act();
      return;
    }
  }

  mine(): void {
    this.#chain.mine();
  }

  async #ask(): Promise<void> {
    const to = anyEvmAddress();
    const id = await this.#stack.withdraw({ walletId: this.#walletId, networkCode, amount: AMOUNT, to });
    this.#recipients.set(id, to);
  }

  async #anyOpen(): Promise<WithdrawalRow | undefined> {
    const open = (await this.#rows()).filter(isOpen);
    return open[Math.floor(this.#chance() * open.length)];
  }

  #meetCluster(): void {
    const faults: Fault[] = ['cluster_not_ready', 'mpc_error', 'mpc_refused', { lost: 'mpc_error' }, { delayMs: 400 }];
    const fault = faults[Math.floor(this.#chance() * faults.length)];
    if (fault !== undefined) this.#stack.cluster.meet('sign', fault);
  }

  /** As the API allows it (src/withdrawals/change-withdrawal.ts). */
  async #replace(): Promise<void> {
    const row = await this.#anyOpen();
    if (row === undefined || row.blockNumber !== null || row.errorCode !== null || row.status !== 'processing') return;
    if (!['confirming', 'stuck', 'replaced'].includes(row.subStatus ?? '')) return;
    const transactions = await listChainTransactions(this.#stack.db, row.id);
    const shallMoveNothing = transactions.some(({ kind }) => kind === 'drop' || kind === 'fill');
    const kind = shallMoveNothing || this.#chance() < 0.4 ? 'drop' : 'speed_up';
    await this.#stack.replace(row.id, kind).catch(() => {}); // its workflow may have been terminated
  }

  /** As the API allows it, too. */
  async #cancel(): Promise<void> {
    const row = await this.#anyOpen();
    if (row === undefined) return;
    await this.#stack.db.transaction(async (tx) => {
      const { status, subStatus } = (await lockWithdrawal(tx, row.id)) ?? row;
      if (status !== 'processing' || !(subStatus === 'queued' || subStatus === 'insufficient_funds')) return;
      if ((await listChainTransactions(tx, row.id)).length > 0) return;
      await advanceWithdrawal(tx, row.id, { from: 'processing', to: 'cancelled', details: 'Cancelled.' });
    });
    await this.#stack.signal(row.id).catch(() => {});
  }

  async #freeze(frozen: boolean): Promise<void> {
    const status = frozen ? 'frozen' : 'active';
    await this.#stack.db.update(wallets).set({ status }).where(eq(wallets.id, this.#walletId));
  }

  async #terminateAny(): Promise<void> {
    const row = await this.#anyOpen();
    if (row !== undefined) await this.#terminate(workflowIdOf('withdraw', row.id));
  }

  async #terminate(workflowId: string | undefined): Promise<void> {
    if (workflowId === undefined) return;
    const workflow = this.#stack.worker.client.workflow.getHandle(workflowId);
    await workflow.terminate('by an operator').catch(() => {});
  }

  /**
   * The ten minutes in which what may have left the wallet is found: until they are over, the product waits where a
   * node may have a signature that it did not hand over.
   */
  async letMinutesPass(): Promise<void> {
    const { createdAt } = chainTransactions;
    const longAgo = sql`now() - interval '11 minutes'`;
    await this.#stack.db.update(chainTransactions).set({ createdAt: longAgo }).where(gt(createdAt, longAgo));
    const { disputedAt } = withdrawals;
    await this.#stack.db.update(withdrawals).set({ disputedAt: longAgo }).where(gt(disputedAt, longAgo));
  }

  /** What the worker's loop does once a minute, and as it does it: what fails is tried again in the next round. */
  closeAbandoned(): Promise<void> {
    return this.#abandoned.closeSome().catch(() => {});
  }

  #rows(): Promise<WithdrawalRow[]> {
    const ofWallet = eq(withdrawals.walletId, this.#walletId);
    return this.#stack.db.select().from(withdrawals).where(ofWallet).orderBy(asc(withdrawals.id));
  }

  /** How each has ended, or `open` and where it stands. */
  async ends(): Promise<string[]> {
    const endOf = (row: WithdrawalRow) =>
      isOpen(row) ? `open ${row.id} ${row.status} ${row.subStatus}` : `${row.status} ${row.errorCode ?? ''}`.trim();
    return (await this.#rows()).map(endOf);
  }

  /** Of each that is open: what it waits for, its transactions and its whole history. */
  async describeOpen(): Promise<string> {
    const described: string[] = [];
    for (const { id, subStatus, disputedAt, errorCode } of (await this.#rows()).filter(isOpen)) {
      const transactions = (await listChainTransactions(this.#stack.db, id)).map(
        ({ ordinal, kind, status, nonce, txHash }) => `${ordinal} ${kind} ${status}, nonce ${nonce}, ${txHash}`,
      );
      const history = (await listWithdrawalEvents(this.#stack.db, id)).map(({ details }) => details ?? '');
      described.push(`${id} ${subStatus} ${errorCode}, disputed: ${disputedAt !== null}`, ...transactions, ...history);
    }
    return described.join('\n');
  }

  /**
   * Nobody is paid twice, or for a withdrawal that has failed; everybody is for one that has completed, and no such one
   * was given up before.
   */
  async assertPaidOnce(): Promise<void> {
    // The rows first: what ends after they were read has changed nothing that was read.
    for (const row of await this.#rows()) {
      const transfers = this.#chain.transfersTo(this.#recipients.get(row.id) ?? '').map(({ value }) => value);
      if (isOpen(row) && transfers.length === 0) continue;
      if (row.status === 'completed') expect(row.errorCode, row.id).toBeNull();
      const due = isOpen(row) || row.status === 'completed' ? [AMOUNT] : [];
      expect(transfers, `${row.id} is ${row.status} ${row.errorCode ?? ''}`).toEqual(due);
    }
  }

  /** The rules of withdrawal-invariants.ts. */
  async assertBooks(): Promise<void> {
    expect(await findWithdrawalViolations(this.#stack.db)).toEqual([]);
  }

  /** When all have ended: the wallet has in the ledger what it has on the chain, and nothing is held. */
  async assertSettled(): Promise<void> {
    const balance = (kind: 'available' | 'held') => this.#stack.balance(this.#walletId, networkCode, kind);
    const left = this.#chain.balanceOf(this.#address);
    expect({ available: await balance('available'), held: await balance('held') }).toEqual({
      available: left,
      held: 0n,
    });
  }
}

const isOpen = ({ status }: WithdrawalRow) => !isFinal(withdrawalArrows, status);
