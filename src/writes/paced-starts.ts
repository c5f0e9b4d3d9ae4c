// Operations for which nobody waits as for a signature: of each workspace one is started at once, and those that come
// right behind it are left in the outbox, of which the relay in the workers starts one a round. A hundred workflows
// that wait for their turn would cost the processors that signatures of others need.
import type { WorkflowName } from '../../domain/workflow-inputs.ts';
import { pacedWorkflows } from '../operations/started-workflows.ts';

const AT_ONCE_EVERY_MS = 5_000;
/** Workspaces that are remembered, those of the newest starts. */
const REMEMBERED_MAX = 10_000;

/** What one process starts at once. */
export class PacedStarts {
  readonly #now: () => number;
  /** When each workspace was last let through, in milliseconds; the oldest first. */
  readonly #startedAt = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether to start it at once: false leaves it to the relay. */
  mayStart(workflow: WorkflowName, workspaceId: string): boolean {
    if (!pacedWorkflows.includes(workflow)) return true;
    const now = this.#now();
    const last = this.#startedAt.get(workspaceId);
    if (last !== undefined && now - last < AT_ONCE_EVERY_MS) return false;
    this.#startedAt.delete(workspaceId);
    this.#startedAt.set(workspaceId, now);
    const [oldest] = this.#startedAt.keys();
    if (this.#startedAt.size > REMEMBERED_MAX && oldest !== undefined) this.#startedAt.delete(oldest);
    return true;
  }
}
