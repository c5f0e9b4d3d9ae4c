// The checks of `countersign doctor` inside: what the service says of its parts, of what waits, and of webhooks.
import { clustersOfDifferentPolicies, nodesIn } from '../../../domain/node-troubles.ts';
import type { CountersignClient } from '../../client/client.ts';
import { age, type Finding, ok, problem, skipped, watch } from './findings.ts';

/** Longer than this, something does not do its work. */
const QUEUE_AGE_SECONDS = 60;
const TASK_AGE_SECONDS = 30;
const NODE_UNSEEN_SECONDS = 120;
const HEAD_AGE_SECONDS = 1_800;
const OPEN_AGE_SECONDS = 3_600;

const queueWork: Readonly<Record<string, string>> = {
  outbox: 'starts of operations',
  events: 'events to be put in order',
  webhooks: 'deliveries that are overdue',
  audit: 'entries to be sealed',
};

type Status = Awaited<ReturnType<typeof readStatus>>;

const readStatus = (client: CountersignClient) => client.get('/api/v1/observability/status');

export async function checkStatus(client: CountersignClient, scopes: readonly string[]): Promise<Finding[]> {
  if (!scopes.includes('observability:read'))
    return [skipped('service', 'nodes, workers, chains and queues: the key lacks the scope observability:read')];
  const status = await readStatus(client);
  return [
    parts(status),
    workers(status),
    ...nodes(status),
    ...chains(status),
    ...queues(status),
    ...operations(status),
  ];
}

function parts({ postgres, temporal }: Status): Finding {
  const down = Object.entries({ PostgreSQL: postgres, Temporal: temporal }).flatMap(([name, of]) =>
    of.status === 'up' ? [] : [name],
  );
  if (down.length === 0) return ok('parts', 'PostgreSQL and Temporal answer');
  return problem('parts', `${down.join(' and ')} does not answer`, 'Operations wait until it does; none is lost.');
}

function workers({ workers: count, temporal }: Status): Finding {
  const queues = temporal.task_queues;
  if (queues === null) return skipped('workers', 'Temporal does not answer');
  if (count === 0)
    return problem('workers', 'no worker asks for work', 'Start one, or see why those that run cannot reach Temporal.');
  const waiting = [queues.workflow, queues.activity];
  const oldest = Math.max(...waiting.map(({ oldest_age_seconds }) => oldest_age_seconds));
  const backlog = waiting.reduce((sum, queue) => sum + queue.backlog, 0);
  const says = `${count} at work, ${backlog} tasks wait${backlog === 0 ? '' : `, the oldest for ${age(oldest)}`}`;
  return oldest > TASK_AGE_SECONDS
    ? watch('workers', says, 'There are too few workers for the load, or they hang.')
    : ok('workers', says);
}

function nodes({ mpc_nodes, signers }: Status): Finding[] {
  if (mpc_nodes.length === 0)
    return [problem('nodes', 'none is known', 'No worker has asked a node yet: see whether one runs.')];
  const findings = mpc_nodes.flatMap(({ cluster, node, status, bans, error, ...of }) => {
    const name = `node ${node} of ${cluster}`;
    if (status === 'down')
      return [
        problem(
          'nodes',
          `${name} does not answer${error === null ? '' : `: ${error}`}`,
          'Its operator starts it, or repairs it: docs/nodes.md.',
        ),
      ];
    if (bans > 0)
      return [
        problem(
          'nodes',
          `${name} refuses to sign with ${nodesIn(of.banned_nodes)}`,
          'Somebody misbehaved: see the runbook before the ban is lifted.',
        ),
      ];
    const unseen = of.checked_age_seconds;
    if (unseen > NODE_UNSEEN_SECONDS)
      return [watch('nodes', `${name} was asked ${age(unseen)} ago`, 'No worker asks it any more.')];
    return [];
  });
  const differing = clustersOfDifferentPolicies(mpc_nodes).map((cluster) =>
    problem(
      'nodes',
      `the nodes of ${cluster} sign by different policies`,
      'What one refuses, the others sign: finish the change of the policy file, or see the runbook.',
    ),
  );
  findings.push(...differing);
  return findings.length > 0 ? findings : [ok('nodes', `${signers.up} of ${signers.total} are up`)];
}

function chains({ chains: all }: Status): Finding[] {
  const findings = all.flatMap(({ network, status, halted_reason, last_error, head_age_seconds: old, lag_blocks }) => {
    if (status === 'halted')
      return [
        problem(
          'chains',
          `${network} is halted: ${halted_reason ?? 'no reason is given'}`,
          'Look at the chain, then `countersign resume-network`.',
        ),
      ];
    if (status === 'failing')
      return [
        problem(
          'chains',
          `${network} cannot be read: ${last_error ?? 'no reason is given'}`,
          'See to its node (RPC_URLS).',
        ),
      ];
    if (old > HEAD_AGE_SECONDS)
      return [
        watch('chains', `${network}: its last block came ${age(old)} ago`, 'The chain stands still, or its node does.'),
      ];
    if (lag_blocks > 100)
      return [
        watch('chains', `${network} is ${lag_blocks} blocks behind`, 'Deposits show late until it has caught up.'),
      ];
    return [];
  });
  return findings.length > 0
    ? findings
    : [ok('chains', all.length === 0 ? 'none is watched' : `${all.length} are watched`)];
}

function queues({ queues: all }: Status): Finding[] {
  const late = Object.entries(all).filter(([, { oldest_age_seconds }]) => oldest_age_seconds > QUEUE_AGE_SECONDS);
  if (late.length === 0)
    return [
      ok(
        'queues',
        Object.entries(all)
          .map(([name, { count }]) => `${name} ${count}`)
          .join(', '),
      ),
    ];
  return late.map(([name, { count, oldest_age_seconds }]) =>
    problem(
      'queues',
      `${count} ${queueWork[name] ?? name} wait, the oldest for ${age(oldest_age_seconds)}`,
      'A worker does this work: see that one runs and what it logs.',
    ),
  );
}

function operations({ open_operations: all }: Status): Finding[] {
  // What waits for people may wait for long.
  const late = all.filter(
    ({ status, oldest_age_seconds }) => status !== 'pending_approval' && oldest_age_seconds > OPEN_AGE_SECONDS,
  );
  if (late.length === 0) return [ok('operations', `${all.reduce((sum, { count }) => sum + count, 0)} are open`)];
  return late.map(({ kind, status, count, oldest_age_seconds }) =>
    watch(
      'operations',
      `${count} of kind ${kind} are ${status}, the oldest for ${age(oldest_age_seconds)}`,
      'See what it waits for: `countersign withdrawals history`, or its workflow in Temporal.',
    ),
  );
}

export async function checkWebhooks(client: CountersignClient, scopes: readonly string[]): Promise<Finding[]> {
  if (!scopes.includes('webhooks:read')) return [skipped('webhooks', 'the key lacks the scope webhooks:read')];
  const findings: Finding[] = [];
  let count = 0;
  for await (const { id, url, status, status_reason, failing_since } of client.list(
    '/api/v1/workspaces/{workspace_id}/webhooks',
  )) {
    count += 1;
    if (status === 'disabled' && status_reason !== 'requested')
      findings.push(
        problem(
          'webhooks',
          `${id} (${url}) was switched off: ${status_reason ?? 'no reason is given'}`,
          'Mend the receiver, then `countersign webhooks change --status active` and `replay`.',
        ),
      );
    else if (status === 'active' && failing_since !== undefined)
      findings.push(
        problem(
          'webhooks',
          `${id} (${url}) fails since ${failing_since}`,
          '`countersign webhooks deliveries` shows what the receiver answers.',
        ),
      );
  }
  return findings.length > 0
    ? findings
    : [ok('webhooks', count === 0 ? 'there are none' : `${count}, none of which fails`)];
}
