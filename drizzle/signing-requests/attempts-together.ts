// The statements that every attempt at a signature makes, each for all attempts of a worker that are there at once:
// read the operation, begin the attempt, record the signature. Each row moves by compare-and-set, as by the statements
// for one (signing-attempts.ts, signing-steps.ts). A row that another transaction holds is left out and asked for
// alone, so that nobody waits for a lock that is another one's.
import { sql } from 'drizzle-orm';
import { assertArrow, signingArrows } from '../../domain/statuses.ts';
import { approvalRounds } from '../approvals/approvals.ts';
import type { Database } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { preparedStatement } from '../database/prepared-query.ts';
import { servedTogether } from '../database/served-together.ts';
import { recordEvent } from '../events/events.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type BegunAttempt, beginSigningAttempt, numberOf } from './signing-attempts.ts';
import { readSigningWorks, type SigningWork } from './signing-queries.ts';
import { type SigningRequestRow, signingRequests } from './signing-requests.ts';
import { advanceSigningRequest, recordedSigning } from './signing-steps.ts';

const ROWS_MAX = 64;

/** What an attempt that has succeeded writes. */
export type SignedFields = Pick<
  SigningRequestRow,
  'mpcCorrelationId' | 'signature' | 'publicKey' | 'address' | 'signedByNodes'
>;

interface Signed {
  id: string;
  fields: SignedFields;
}

export interface AttemptsTogether {
  read: (id: string) => Promise<SigningWork | undefined>;
  /** As `beginSigningAttempt`. */
  begin: (attempt: BegunAttempt) => Promise<boolean>;
  /** submitted → success. False when it no longer stood there. */
  succeed: (signed: Signed) => Promise<boolean>;
}

export function attemptsTogether(db: Database): AttemptsTogether {
  const beginFirst = servedTogether({
    most: ROWS_MAX,
    all: moveEach((attempts: readonly BegunAttempt[]) => beginAll(db, attempts)),
  });
  const succeed = servedTogether({
    most: ROWS_MAX,
    all: moveEach((signed: readonly Signed[]) => succeedAll(db, signed)),
  });
  return {
    read: servedTogether({ most: ROWS_MAX, all: (ids) => readSigningWorks(db, ids) }),
    begin: async (attempt) =>
      (isFirst(attempt) && (await beginFirst(attempt))) || (await beginSigningAttempt(db, attempt)),
    succeed: async (signed) =>
      (await succeed(signed)) ||
      (await advanceSigningRequest(db, signed.id, { from: 'submitted', to: 'success', fields: signed.fields })),
  };
}

/** Any other one is rare, and has more to be looked at. */
const isFirst = ({ before, approvedDigest }: BegunAttempt) => before === null && approvedDigest === undefined;

type MovedIds = ReadonlySet<string>;

/** Of several for one row the first one moves it, and no other. */
const moveEach =
  <Item extends { id: string }>(move: (items: readonly Item[]) => Promise<MovedIds>) =>
  async (items: readonly Item[]): Promise<boolean[]> => {
    const firsts = new Map(items.toReversed().map((item) => [item.id, item]));
    const moved = await move([...firsts.values()]);
    return items.map((item) => firsts.get(item.id) === item && moved.has(item.id));
  };

const idsOf = (rows: readonly { id: string }[]): MovedIds => new Set(rows.map(({ id }) => id));

/** Those of these ids that stand at `from` and that nobody else holds. */
const freeOf = (from: 'pending' | 'submitted') => sql`(
  select standing.id from ${signingRequests} standing join given on given.id = standing.id
  where standing.status = ${sql.raw(`'${from}'`)} order by standing.id for no key update of standing skip locked)`;

const beginStatement = preparedStatement<{ id: string }>(
  () => sql`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.placeholder('given')}::jsonb)
        as given (id uuid, correlation text, number int, group_id text)
    ), free as materialized ${freeOf('pending')}
    update ${signingRequests} set status = 'submitted', mpc_correlation_id = given.correlation, updated_at = now(),
      group_workflow_id = coalesce(given.group_id, ${signingRequests.groupWorkflowId}),
      attempts_open = array_append(${signingRequests.attemptsOpen}, given.number)
    from free join given using (id), ${wallets} join ${workspaces} on ${workspaces.id} = ${wallets.workspaceId}
    where ${signingRequests.id} = free.id and ${signingRequests.status} = 'pending'
      and ${signingRequests.mpcCorrelationId} is null
      and ${wallets.id} = ${signingRequests.walletId} and ${wallets.workspaceId} = ${signingRequests.workspaceId}
      and ${wallets.status} = 'active' and ${workspaces.withdrawalsFrozenAt} is null
      and not exists (select from ${approvalRounds} where ${approvalRounds.subjectId} = ${signingRequests.id})
    returning ${signingRequests.id} as id, ${recordEvent('signing.submitted', recordedSigning)}`,
);

async function beginAll(db: Database, attempts: readonly BegunAttempt[]): Promise<MovedIds> {
  assertArrow(signingArrows, 'pending', 'submitted');
  const given = attempts.map(({ id, mpcCorrelationId, groupWorkflowId = null }) => {
    return { id, correlation: mpcCorrelationId, number: numberOf(mpcCorrelationId), group_id: groupWorkflowId };
  });
  return idsOf(await beginStatement(db).execute({ given: JSON.stringify(given) }));
}

const succeedStatement = preparedStatement<{ id: string }>(
  () => sql`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.placeholder('given')}::jsonb)
        as given (id uuid, correlation text, signature text, public_key text, address text, nodes int[])
    ), free as materialized ${freeOf('submitted')}
    update ${signingRequests} set status = 'success', status_reason = null, mpc_correlation_id = given.correlation,
      signature = given.signature, public_key = given.public_key, address = given.address,
      signed_by_nodes = given.nodes,
      updated_at = now(), completed_at = now()
    from free join given using (id)
    where ${signingRequests.id} = free.id and ${signingRequests.status} = 'submitted'
    returning ${signingRequests.id} as id, ${recordEvent('signing.success', recordedSigning)}, ${notify(signingRequests.id)}`,
);

async function succeedAll(db: Database, signed: readonly Signed[]): Promise<MovedIds> {
  assertArrow(signingArrows, 'submitted', 'success');
  const given = signed.map(({ id, fields: { mpcCorrelationId, publicKey, signedByNodes, ...others } }) => {
    return { id, correlation: mpcCorrelationId, public_key: publicKey, nodes: signedByNodes, ...others };
  });
  return idsOf(await succeedStatement(db).execute({ given: JSON.stringify(given) }));
}
