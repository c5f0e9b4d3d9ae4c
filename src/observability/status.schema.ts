// The shape of what the service says about itself.
import Type, { type Static } from 'typebox';
import { operationKinds } from '../../domain/workflow-inputs.ts';

const state = Type.Enum(['up', 'down']);
const count = Type.Integer({ minimum: 0 });
const seconds = (description: string) => Type.Number({ minimum: 0, description });

const milliseconds = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

/** Of the process, or of what it needs. */
export const partStatus = Type.Object({ status: state }, { title: 'PartStatus' });

const backlog = Type.Object(
  {
    count,
    oldest_age_seconds: seconds('How long the oldest has waited; 0 when none does.'),
  },
  { title: 'Backlog' },
);

const taskQueue = Type.Object(
  {
    backlog: count,
    oldest_age_seconds: seconds('How long the oldest task has waited for a worker.'),
    pollers: Type.Integer({ minimum: 0, description: 'Workers that asked for tasks a moment ago.' }),
  },
  { title: 'TaskQueue' },
);

export const statusReport = Type.Object(
  {
    postgres: partStatus,
    temporal: Type.Object({
      status: state,
      task_queues: Type.Union(
        [Type.Object({ workflow: taskQueue, activity: taskQueue }, { title: 'TaskQueues' }), Type.Null()],
        {
          description: 'Null while Temporal does not answer.',
        },
      ),
      workflows_url: Type.Optional(
        Type.String({ description: "In Temporal's web interface; `/` and the id of a workflow lead to it." }),
      ),
    }),
    mpc_nodes: Type.Array(
      Type.Object({
        cluster: Type.String({ description: 'Its name: `main`, unless the service has several.' }),
        node: Type.Integer({ minimum: 1, description: 'Its number in its cluster.' }),
        status: state,
        bans: Type.Integer({
          minimum: 0,
          description: 'How often it has banned another node; it bans one under one key at a time.',
        }),
        banned_nodes: Type.Array(Type.Integer(), {
          description: 'The nodes of its cluster that it has banned under any key, ascending.',
        }),
        version: Type.Union([Type.String(), Type.Null()], { description: 'What it says of itself.' }),
        policy_sha256: Type.Union([Type.String(), Type.Null()], {
          description: 'Of the policy file that it signs by, in hex; the nodes of a cluster should have the same.',
        }),
        answer_ms: milliseconds('How long it took to tell how it is; null while it does not answer.'),
        signing_ms: milliseconds(
          'How long it usually takes in a signature; the workers prefer fast nodes by it. Null before the first one.',
        ),
        error: Type.Union([Type.String(), Type.Null()]),
        checked_age_seconds: seconds('Since a worker asked it last.'),
      }),
    ),
    chains: Type.Array(
      Type.Object({
        network: Type.String({ description: 'Its internal code.' }),
        status: Type.Enum(['watched', 'failing', 'halted']),
        halted_reason: Type.Union([Type.String(), Type.Null()]),
        last_error: Type.Union([Type.String(), Type.Null()], {
          description: 'Why it could not be read on when that was tried last; null since it could.',
        }),
        head_block: count,
        lag_blocks: Type.Integer({ minimum: 0, description: 'Blocks up to the head that are not read yet.' }),
        head_age_seconds: seconds('Since its node told its head.'),
      }),
    ),
    queues: Type.Object({ outbox: backlog, events: backlog, webhooks: backlog, audit: backlog }),
    open_operations: Type.Array(
      Type.Object({
        kind: Type.Enum(operationKinds),
        status: Type.String(),
        count,
        oldest_age_seconds: seconds('Since it was made; of a withdrawal since its last step.'),
      }),
    ),
    workers: Type.Integer({ minimum: 0, description: 'Processes that carry out workflows and activities.' }),
    signers: Type.Object({ total: count, up: count }),
  },
  { title: 'ServiceStatus' },
);

export type StatusReport = Static<typeof statusReport>;
export type TaskQueueReport = Static<typeof taskQueue>;
