// Holds the audit chains against what the MPC nodes keep of them, and has the nodes keep how far they have come. Who
// rewrites the database does not reach the nodes.
import { heartbeat, log } from '@temporalio/activity';
import {
  type ContradictedCheckpoint,
  insertFindings,
  listContradicted,
} from '../../drizzle/audit/audit-checkpoints.ts';
import { newestHeads, recordHeadKept } from '../../drizzle/audit/audit-heads.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import {
  type AuditCheckpoint,
  type CheckpointList,
  type Cluster,
  ClusterError,
  type Clusters,
  type NodePlace,
} from '../mpc/port.ts';

/** Also which node keeps the checkpoint. */
export type CheckpointFinding = ContradictedCheckpoint & NodePlace;

export interface Comparison {
  /** Checkpoints, of all nodes that answered. */
  compared: number;
  findingCount: number;
  /** The first ones. */
  findings: CheckpointFinding[];
  /** Nodes that could not be asked. */
  unreached: NodePlace[];
  /** Newest heads that a node does not keep yet, of chains that nothing was found against. */
  due: AuditCheckpoint[];
}

export interface CheckpointKeeping {
  kept: number;
  /** Why the others are not, in one sentence. */
  reason?: string;
}

export interface CheckpointDependencies {
  db: Database;
  clusters: Clusters;
}

/** A result must fit into a history; the next run goes on. */
const DUE_MAX = 500;
const FINDINGS_SHOWN = 20;
const AT_ONCE = 8;

export function createCheckpointActivities({ db, clusters }: CheckpointDependencies) {
  return {
    /**
     * Safe to repeat: it adds findings once. The heads are read first: one that was signed after its chain was
     * rewritten is never passed on, since the comparison, which comes later, finds that. Whether the nodes keep a head
     * is asked of them: the database could be made to say so. `despite`: chains whose heads are passed on although
     * something is found against them.
     */
    async compareCheckpoints(list: CheckpointList, despite: readonly string[] = []): Promise<Comparison> {
      const heads = list === 'newest' ? await newestHeads(db) : [];
      const comparison: Comparison = { compared: 0, findingCount: 0, findings: [], unreached: [], due: [] };
      const contradicted = new Set<string>();
      /** Of each node that answered, how far it keeps which chain. */
      const kept: Map<string, number>[] = [];
      const keepers = [...clusters.named].flatMap(([name, cluster]) =>
        cluster.nodes.map((node) => ({ name, cluster, node })),
      );
      for (const { name, cluster, node } of keepers) {
        const keeper = { cluster: name, node };
        const keptHere = new Map<string, number>();
        const note = (page: readonly AuditCheckpoint[], found: readonly ContradictedCheckpoint[]) => {
          for (const { workspaceId, seq } of page) keptHere.set(workspaceId, seq);
          for (const { workspaceId } of found) contradicted.add(workspaceId);
          comparison.compared += page.length;
          comparison.findingCount += found.length;
          const room = FINDINGS_SHOWN - comparison.findings.length;
          comparison.findings.push(...found.slice(0, room).map((finding) => ({ ...finding, ...keeper })));
        };
        if (await compareNode(db, cluster, { keeper, list }, note)) kept.push(keptHere);
        else comparison.unreached.push(keeper);
      }
      const { findings, findingCount } = comparison;
      if (findingCount > 0) log.error('audit chains differ from their checkpoints', { findingCount, findings });
      const isDue = ({ workspaceId, seq }: AuditCheckpoint) =>
        kept.some((here) => (here.get(workspaceId) ?? 0) < seq) &&
        (!contradicted.has(workspaceId) || despite.includes(workspaceId));
      comparison.due = heads
        .map(({ workspaceId, seq, hash }) => ({ workspaceId, seq, hash }))
        .filter(isDue)
        .slice(0, DUE_MAX);
      return comparison;
    },

    /**
     * Safe to repeat: a node answers the same head alike. Every cluster is told; a head is noted as kept once
     * `threshold` nodes of one have confirmed it.
     */
    async keepCheckpoints(due: readonly AuditCheckpoint[]): Promise<CheckpointKeeping> {
      const keeping: CheckpointKeeping = { kept: 0 };
      const there = new Map(clusters.named);
      const keepAt = async (name: string, cluster: Cluster, checkpoint: AuditCheckpoint): Promise<boolean> => {
        try {
          await cluster.keepCheckpoint(checkpoint);
          return true;
        } catch (error) {
          if (!(error instanceof ClusterError)) throw error;
          keeping.reason = `cluster ${name}: ${error.message}`;
          // One chain's refusal is its own; nodes that are away are so for all.
          if (error.retryable) there.delete(name);
          return false;
        }
      };
      const rest = due.values();
      const keepRest = async () => {
        for (const checkpoint of rest) {
          const kept = await Promise.all([...there].map(([name, cluster]) => keepAt(name, cluster, checkpoint)));
          if (kept.includes(true)) {
            await recordHeadKept(db, checkpoint);
            keeping.kept += 1;
          }
          heartbeat();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, keepRest));
      if (keeping.reason !== undefined)
        log.warn('not every checkpoint is kept yet', { of: due.length, kept: keeping.kept, reason: keeping.reason });
      return keeping;
    },
  };
}

export type CheckpointActivities = ReturnType<typeof createCheckpointActivities>;

type Note = (page: readonly AuditCheckpoint[], found: readonly ContradictedCheckpoint[]) => void;

/** False when the node could not be asked to the end. */
async function compareNode(
  db: Database,
  cluster: Cluster,
  { keeper, list }: { keeper: NodePlace; list: CheckpointList },
  note: Note,
): Promise<boolean> {
  try {
    let after: AuditCheckpoint | undefined;
    for (;;) {
      const page = await cluster.readCheckpoints({ node: keeper.node, list, after });
      heartbeat();
      after = page.at(-1);
      if (after === undefined) return true;
      const found = await listContradicted(db, page);
      await insertFindings(db, keeper, found);
      note(page, found);
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    log.warn('a node cannot be asked for its checkpoints', { ...keeper, reason: error.message });
    return false;
  }
}
