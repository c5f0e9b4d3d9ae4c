// Tells the database how the MPC nodes are, so that the API, which does not speak to them, can say whether wallets can sign. Runs in every worker; the last word
// counts.
import type { Database } from '../drizzle/database.ts';
import { saveNodeHealth } from '../drizzle/node-health.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 2_000;

interface NodeState {
  node: number;
  reachable: boolean;
  policySha256?: string;
  version?: string;
  bans?: readonly unknown[];
  reason?: string;
}

export interface HealthDependencies {
  db: Database;
  cluster: { readonly threshold: number; health(): Promise<NodeState[]> };
  log: Record<'info' | 'warn', (details: object, message: string) => void>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startReportingHealth({ db, cluster, log }: HealthDependencies): () => Promise<void> {
  const policies = new Map<number, string>();
  return repeat({ name: 'the report of the nodes', everyMs: EVERY_MS, log }, async () => {
    const states = await cluster.health();
    for (const { node, policySha256 } of states) {
      if (policySha256 === undefined || policies.get(node) === policySha256) continue;
      policies.set(node, policySha256);
      log.info({ node, policySha256 }, 'a node signs by this policy');
    }
    const { threshold } = cluster;
    await saveNodeHealth(
      db,
      states.map(({ node, reachable, version, bans, reason }) => ({
        ...{ node, threshold },
        status: reachable && reason === undefined ? ('up' as const) : ('down' as const),
        bans: bans?.length ?? 0,
        // What a node says of itself; PostgreSQL takes no zero in a text.
        version: version?.replaceAll('\0', '') ?? null,
        error: reason ?? null,
      })),
    );
  });
}
