// How much was asked for and done within a day, and what waits in the service now. Left out for who may not read it.
import { useState } from 'react';
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { useRead } from '../../service/use-service.ts';
import { capitalised, words } from '../../text/words.ts';

const COUNT = '/api/v1/workspaces/{workspace_id}/withdrawals/count';
const STATUS = '/api/v1/observability/status';
const DAY_MS = 86_400_000;

type Status = Data<'get', '/api/v1/withdrawals/{withdrawal_id}'>['status'];

export function Rates() {
  // Of when the page was opened: a moment that moved on would be another question each time.
  const [from] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const asked = useRead(COUNT, { query: { from } });
  const completed = useCount(from, ['completed']);
  const failed = useCount(from, ['failed', 'rejected', 'cancelled']);
  if (asked.missingScope !== undefined) return null;
  return (
    <Section title="Withdrawals of 24 hours">
      <Shown read={asked}>
        {(count) => (
          <Facts
            facts={[
              ['Asked for', count],
              ['Completed', completed],
              ['Failed, rejected or cancelled', failed],
              ['Under way', completed === undefined || failed === undefined ? undefined : count - completed - failed],
            ]}
          />
        )}
      </Shown>
      <Link href="/withdrawals">All withdrawals</Link>
    </Section>
  );
}

const useCount = (from: string, status: Status[]) => useRead(COUNT, { query: { from, status } }).data;

export function Queues() {
  const read = useRead(STATUS);
  if (read.missingScope !== undefined) return null;
  return (
    <Section title="Queues">
      <Shown read={read}>
        {({ queues, open_operations: operations, workers }) => (
          <Facts
            facts={[
              ...Object.entries(queues).map(([name, { count }]): Fact => [capitalised(name), waiting(count)]),
              ...operations.map(
                ({ kind, status, count }): Fact => [`${capitalised(kind)}: ${words(status)}`, waiting(count)],
              ),
              ['Workers', workers],
            ]}
          />
        )}
      </Shown>
      <Link href="/nodes">Nodes and clusters</Link>
    </Section>
  );
}

const waiting = (count: number) => (count === 0 ? 'empty' : `${count} waiting`);
