// What the service stands on: its nodes by cluster, the chains that it watches, its queues and workers.
import { clustersOfDifferentPolicies } from '../../../domain/node-troubles.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { type Column, RowsTable } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Copied, Status } from '../../components/values.tsx';
import { useRead } from '../../service/use-service.ts';
import { capitalised, words } from '../../text/words.ts';

const STATUS = '/api/v1/observability/status';
type ServiceStatus = Data<'get', typeof STATUS>;

const ago = (seconds: number) => `${Math.round(seconds)} s ago`;

const milliseconds = (ms: number | null) => (ms === null ? '—' : `${ms} ms`);

const nodeColumns: readonly Column<ServiceStatus['mpc_nodes'][number]>[] = [
  { name: 'Node', cell: ({ cluster, node }) => `${node} of ${cluster}` },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'Version', cell: ({ version }) => version ?? '—' },
  {
    name: 'Policy',
    cell: ({ cluster, node, policy_sha256: policy }) =>
      policy === null ? '—' : <Copied text={policy} what={`the policy hash of node ${node} of ${cluster}`} />,
  },
  { name: 'Answered in', isNumber: true, cell: ({ answer_ms: ms }) => milliseconds(ms) },
  { name: 'Signs in', isNumber: true, cell: ({ signing_ms: ms }) => milliseconds(ms) },
  { name: 'Banned nodes', cell: ({ banned_nodes: banned, bans }) => banned.join(', ') || (bans > 0 ? 'yes' : 'none') },
  { name: 'Last error', cell: ({ error }) => error ?? '—' },
  { name: 'Asked', cell: ({ checked_age_seconds: seconds }) => ago(seconds) },
];

const chainColumns: readonly Column<ServiceStatus['chains'][number]>[] = [
  { name: 'Network', cell: ({ network }) => network },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'Block', isNumber: true, cell: ({ head_block: block }) => block },
  { name: 'Behind', isNumber: true, cell: ({ lag_blocks: lag }) => `${lag} blocks` },
  { name: 'Read', cell: ({ head_age_seconds: seconds }) => ago(seconds) },
  { name: 'Trouble', cell: ({ halted_reason: reason, last_error: error }) => reason ?? error ?? '—' },
];

export function NodesPage() {
  const read = useRead(STATUS);
  return (
    <>
      <PageHead title="Nodes and clusters" />
      <Shown read={read}>
        {(status) => (
          <>
            <Section title="Nodes">
              <p>
                {status.signers.up} of {status.signers.total} nodes are up.
              </p>
              {clustersOfDifferentPolicies(status.mpc_nodes).map((cluster) => (
                <p key={cluster} className="failure">
                  The nodes of the cluster {cluster} sign by different policies.
                </p>
              ))}
              <RowsTable
                label="Nodes"
                rows={status.mpc_nodes}
                columns={nodeColumns}
                keyOf={({ cluster, node }) => `${cluster} ${node}`}
              />
            </Section>
            <Section title="Chains">
              <RowsTable label="Chains" rows={status.chains} columns={chainColumns} keyOf={({ network }) => network} />
            </Section>
            <div className="columns">
              <Section title="Parts">
                <Facts
                  facts={[
                    ['PostgreSQL', <Status key="postgres" status={status.postgres.status} />],
                    ['Temporal', <Status key="temporal" status={status.temporal.status} />],
                    ['Workers', status.workers],
                    ['Workflow tasks that wait', status.temporal.task_queues?.workflow.backlog],
                    ['Activities that wait', status.temporal.task_queues?.activity.backlog],
                  ]}
                />
              </Section>
              <Section title="Queues">
                <Facts
                  facts={Object.entries(status.queues).map(([name, queue]) => [
                    capitalised(name),
                    queue.count === 0 ? 'empty' : `${queue.count}, the oldest ${ago(queue.oldest_age_seconds)}`,
                  ])}
                />
              </Section>
            </div>
            <Section title="Operations under way">
              {status.open_operations.length === 0 ? <p className="quiet">None.</p> : null}
              <ul className="tasks">
                {status.open_operations.map((each) => (
                  <li key={`${each.kind} ${each.status}`}>
                    {each.count} × {words(each.kind)}, {words(each.status)}; the oldest {ago(each.oldest_age_seconds)}
                  </li>
                ))}
              </ul>
            </Section>
          </>
        )}
      </Shown>
    </>
  );
}
