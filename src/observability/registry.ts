// The metrics of one process, made at its start and handed to whoever counts. Names are kept for ever: dashboards,
// alerts and the runbook use them. No label is an id of anything.
import { collectDefaultMetrics, Registry } from 'prom-client';

/** With the numbers of the process itself: memory, event loop, garbage collection. */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
