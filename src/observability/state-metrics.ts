// The service's state as metrics: what waits, how far the chains are read, how the nodes are. Read when somebody asks,
// at most every few seconds, and never waited for longer than a moment: when the database does not answer, these
// metrics are absent and `countersign_database_up` is 0. Whether Temporal answers is asked beside it.
import { Gauge, type Registry } from 'prom-client';
import { diskSetBack } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { GAUGES_WITHIN_MS, type Gauges, readGauges } from '../../drizzle/observability/gauges.ts';
import { within } from '../process/within.ts';

const KEPT_FOR_MS = 5_000;
/** Enough to tell two policies apart, and short enough to read. */
const POLICY_CHARACTERS = 12;

interface Watched {
  db: Database;
  /** Absent where Temporal is not asked. */
  askTemporal?: () => Promise<unknown>;
}

export class StateMetrics {
  readonly #watched: Watched;
  readonly #up: Gauge;
  readonly #temporalUp: Gauge | undefined;
  readonly #gauges: ReturnType<typeof makeGauges>;
  #refreshing: Promise<void> | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  constructor(watched: Watched, registry: Registry) {
    this.#watched = watched;
    this.#up = new Gauge({
      name: 'countersign_database_up',
      help: '1 when the database told its state in time, else 0.',
      registers: [registry],
    });
    this.#temporalUp =
      watched.askTemporal &&
      new Gauge({
        name: 'countersign_temporal_up',
        help: '1 when Temporal answered in time, else 0.',
        registers: [registry],
      });
    this.#gauges = makeGauges(registry);
  }

  /** To be awaited before the registry is read. Never throws. */
  refresh(): Promise<void> {
    if (performance.now() - this.#refreshedAtMs < KEPT_FOR_MS) return Promise.resolve();
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshedAtMs = performance.now();
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #read(): Promise<void> {
    for (const gauge of Object.values(this.#gauges)) {
      gauge.reset();
      gauge.remove({}); // one without labels stands at 0 after a reset
    }
    const { db, askTemporal } = this.#watched;
    const [state, isTemporalUp] = await Promise.all([
      within(GAUGES_WITHIN_MS, () => readGauges(db)).catch(() => undefined),
      askTemporal && isAnswered(askTemporal),
    ]);
    this.#up.set(state === undefined ? 0 : 1);
    this.#temporalUp?.set(isTemporalUp === true ? 1 : 0);
    if (state !== undefined) show(state, this.#gauges);
  }
}

const isAnswered = (ask: () => Promise<unknown>): Promise<boolean> =>
  within(GAUGES_WITHIN_MS, ask).then(
    () => true,
    () => false,
  );

function makeGauges(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `countersign_${name}`, help, labelNames, registers: [registry] });
  return {
    backlog: gauge('backlog', 'What waits to be carried out, by queue.', 'queue'),
    backlogAge: gauge('backlog_oldest_age_seconds', 'How long the oldest of a queue has waited.', 'queue'),
    webhooksPending: gauge('webhooks_pending', 'Deliveries of webhooks that are not done, also those not due yet.'),
    operations: gauge('open_operations', 'Operations without an end, by kind and status.', 'kind', 'status'),
    operationAge: gauge(
      'open_operation_oldest_age_seconds',
      'Age of the oldest operation without an end; of a withdrawal since its last step.',
      'kind',
      'status',
    ),
    chainHead: gauge('chain_head_block', 'The newest block that the node of a network has told of.', 'network'),
    chainLag: gauge('chain_lag_blocks', 'Blocks up to the head that are not read yet.', 'network'),
    chainAge: gauge('chain_head_age_seconds', 'Time since the node of a network told its head.', 'network'),
    chainHalted: gauge('chain_halted', '1 when a network is halted until an operator resumes it.', 'network'),
    unconfirmedDeposits: gauge(
      'unconfirmed_deposits',
      'Deposits deep enough to be confirmed that the second node does not tell of.',
      'network',
    ),
    nonceGaps: gauge('nonce_gaps', 'Nonces under which nothing is out while a later one is.', 'network'),
    disputes: gauge('withdrawal_disputes', 'Withdrawals of which the nodes do not agree how they end.', 'network'),
    disputeAge: gauge('withdrawal_dispute_oldest_age_seconds', 'How long the oldest of them has waited.', 'network'),
    nodeUp: gauge('mpc_node_up', '1 when a node answered the workers.', 'cluster', 'node'),
    threshold: gauge('mpc_threshold', 'How many nodes of a cluster sign together.', 'cluster'),
    nodeBans: gauge('mpc_node_bans', 'Peers that a node refuses to sign with.', 'cluster', 'node'),
    nodeSetBack: gauge(
      'mpc_node_set_back',
      '1 when the disk of a node was put back to an earlier state.',
      'cluster',
      'node',
    ),
    nodePolicy: gauge('mpc_node_policy', '1: the beginning of the hash of its policy.', 'cluster', 'node', 'policy'),
    nodeAge: gauge('mpc_node_checked_age_seconds', 'Time since a worker asked a node how it is.', 'cluster', 'node'),
    backupAge: gauge('backup_age_seconds', 'Time since the last backup that an operator has told of.', 'of'),
    refreshAge: gauge('mpc_refresh_age_seconds', 'Time since all keys of a cluster got new shares.', 'cluster'),
    outflows: gauge('unexplained_outflows', 'Transfers from our addresses that no operation asked for.'),
    findings: gauge('audit_findings', 'Contradictions that the checks of the audit log found.'),
    setBackRows: gauge('set_back_rows', 'Rows that stand at an older sealed version than the audit log tells of.'),
  };
}

function show(state: Gauges, gauges: ReturnType<typeof makeGauges>): void {
  const { outbox, unsequencedEvents: events, unsealedAudit: audit, webhooksOverdue: webhooks } = state;
  for (const [queue, { count, oldestSeconds }] of Object.entries({ outbox, events, audit, webhooks })) {
    gauges.backlog.set({ queue }, count);
    gauges.backlogAge.set({ queue }, oldestSeconds);
  }
  gauges.webhooksPending.set(state.webhooksPending);
  for (const { kind, status, count, oldestSeconds } of state.operations) {
    gauges.operations.set({ kind, status }, count);
    gauges.operationAge.set({ kind, status }, oldestSeconds);
  }
  for (const { network, headBlock, lagBlocks, headAgeSeconds, haltedReason, unconfirmedDeposits } of state.chains) {
    gauges.unconfirmedDeposits.set({ network }, unconfirmedDeposits);
    gauges.chainHead.set({ network }, headBlock);
    gauges.chainLag.set({ network }, lagBlocks);
    gauges.chainAge.set({ network }, headAgeSeconds);
    gauges.chainHalted.set({ network }, haltedReason === null ? 0 : 1);
  }
  for (const { network, count, oldestSeconds } of state.disputes) {
    gauges.disputes.set({ network }, count);
    gauges.disputeAge.set({ network }, oldestSeconds);
  }
  for (const { network, count } of state.nonceGaps) gauges.nonceGaps.set({ network }, count);
  for (const { cluster, node, status, bans, threshold, error, policySha256, checkedAgeSeconds } of state.nodes) {
    gauges.nodeUp.set({ cluster, node }, status === 'up' ? 1 : 0);
    gauges.nodeBans.set({ cluster, node }, bans);
    gauges.nodeSetBack.set({ cluster, node }, error === diskSetBack ? 1 : 0);
    if (policySha256 !== null)
      gauges.nodePolicy.set({ cluster, node, policy: policySha256.slice(0, POLICY_CHARACTERS) }, 1);
    gauges.threshold.set({ cluster }, threshold);
    gauges.nodeAge.set({ cluster, node }, checkedAgeSeconds);
  }
  for (const { subject, ageSeconds } of state.backups) gauges.backupAge.set({ of: subject }, ageSeconds);
  for (const { subject, ageSeconds } of state.refreshes) gauges.refreshAge.set({ cluster: subject }, ageSeconds);
  gauges.outflows.set(state.unexplainedOutflows);
  gauges.findings.set(state.auditFindings);
  gauges.setBackRows.set(state.setBackRows);
}
