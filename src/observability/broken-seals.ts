// Says aloud when a row that decides does not count, because its seal does not hold: a metric that an alert watches,
// and a line in the log. Decides nothing.
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../../domain/logger.ts';
import { type OnBrokenSeal, sealedKinds } from '../../drizzle/seals/seals.ts';

/** To be called once a process, since it registers the metric. */
export function reportBrokenSeals(registry: Registry, log: Pick<Logger, 'error'>): OnBrokenSeal {
  const brokenSeals = new Counter({
    name: 'countersign_broken_seals_total',
    help: 'Reads of a row that did not count, because it was not written by this service or was changed since, by kind of row.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of sealedKinds) brokenSeals.inc({ kind }, 0);
  return ({ kind, id }) => {
    brokenSeals.inc({ kind });
    log.error({ kind, id }, 'a row does not count: it was not written by this service, or was changed since');
  };
}
