// Tells the database how the MPC nodes are, so that the API, which does not speak to them, can say whether wallets can
// sign. Runs in every worker; the last word counts.
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { NODE_HEALTH_EVERY_MS, type NodeReport, saveNodeHealth } from '../../drizzle/observability/node-health.ts';
import { repeat } from './repeat.ts';

interface NodeState {
  node: number;
  reachable: boolean;
  answerMs?: number;
  signingMs?: number;
  policySha256?: string;
  version?: string;
  bans?: readonly { peer: number }[];
  reason?: string;
}

export interface HealthDependencies {
  db: Database;
  /** By name. */
  clusters: ReadonlyMap<string, { readonly threshold: number; health(): Promise<NodeState[]> }>;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startReportingHealth({ db, clusters, log }: HealthDependencies): () => Promise<void> {
  const policies = new Map<string, string>();
  return repeat({ name: 'the report of the nodes', everyMs: NODE_HEALTH_EVERY_MS, log }, async () => {
    const asked = [...clusters].map(async ([name, cluster]) => {
      const states = await cluster.health();
      for (const { node, policySha256 } of states) {
        if (policySha256 === undefined || policies.get(`${name} ${node}`) === policySha256) continue;
        policies.set(`${name} ${node}`, policySha256);
        log.info({ cluster: name, node, policySha256 }, 'a node signs by this policy');
      }
      return states.map((state) => reportOf(name, cluster.threshold, state));
    });
    await saveNodeHealth(db, (await Promise.all(asked)).flat());
  });
}

function reportOf(cluster: string, threshold: number, state: NodeState): NodeReport {
  const { node, reachable, version, bans = [], reason, policySha256 } = state;
  return {
    cluster,
    node,
    threshold,
    status: reachable && reason === undefined ? 'up' : 'down',
    bans: bans.length,
    bannedNodes: [...new Set(bans.map(({ peer }) => peer))].toSorted((a, b) => a - b),
    answerMs: rounded(state.answerMs),
    signingMs: rounded(state.signingMs),
    // What a node says of itself; PostgreSQL takes no zero in a text.
    version: version?.replaceAll('\0', '') ?? null,
    error: reason ?? null,
    policySha256: policySha256 ?? null,
  };
}

/** To whole milliseconds. */
const rounded = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));
