// The votes on something, and the buttons of who may still vote. A vote is of the digest that is shown.
import { demandsPasskeys } from '../../domain/policies/demands-passkeys.ts';
import type { ApproveWith } from '../../domain/votes/vote-rules.ts';
import type { Data, PathWith } from '../../src/client/api-types.ts';
import type { AnyInput } from '../../src/client/service-client.ts';
import { ConfirmedAction } from '../components/confirmed-action.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment, Status } from '../components/values.tsx';
import { useUserNames } from '../service/names.ts';
import { useRead } from '../service/use-service.ts';
import { useSession, type VoteToProve } from '../session/session.ts';

type Vote = Data<'get', '/api/v1/withdrawals/{withdrawal_id}'>['withdrawal_approvals'][number];

export interface Round {
  votes: readonly Vote[];
  required: number | undefined;
  approveWith: ApproveWith | undefined;
  digest: string | undefined;
  requestedBy: string | undefined;
  expiresAt: string | undefined;
}

/** Of a resource that shows its round as `approval`. */
export function roundOf(approval: Data<'get', '/api/v1/changes/{change_id}'>['approval']): Round {
  return {
    votes: approval?.approvals ?? [],
    required: approval?.required,
    approveWith: approval?.approve_with,
    digest: approval?.digest,
    requestedBy: approval?.requested_by,
    expiresAt: approval?.expires_at,
  };
}

/** Whether this user's vote is still missing. Whom the policy names as approvers only the service knows. */
export function useWaitsForMe(): (round: Pick<Round, 'votes' | 'requestedBy'>) => boolean {
  const { key } = useSession();
  return ({ votes, requestedBy }) =>
    requestedBy !== key.user_id &&
    !votes.some(({ user_id: user, status }) => user === key.user_id && status !== 'pending');
}

export function Votes({ round }: { round: Round }) {
  const nameOf = useUserNames();
  const { votes, required, approveWith, requestedBy, expiresAt, digest } = round;
  const given = votes.filter(({ status }) => status === 'approved').length;
  return (
    <>
      <Facts
        facts={[
          ['Approvals', required === undefined ? undefined : `${given} of ${required}`],
          ['Given with', approveWith === undefined ? undefined : 'a passkey'],
          ['Asked by', requestedBy && nameOf(requestedBy)],
          ['Expires', expiresAt && <Moment at={expiresAt} />],
          ['Digest', digest && <code>{digest}</code>],
        ]}
      />
      {votes.length === 0 ? (
        <p className="quiet">Nobody has voted.</p>
      ) : (
        <ul className="tasks">
          {votes.map(({ user_id: user, status, voted_at: at }) => (
            <li key={user}>
              {nameOf(user)} <Status status={status} /> {at && <Moment at={at} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What has become of the policy since something that waits was asked for, and what that means for its votes. */
export function PolicyOfLater({ than }: { than: string }) {
  const { data } = useRead('/api/v1/workspaces/{workspace_id}/policy');
  if (data === undefined || (data.active.updated_at ?? '') <= than) return null;
  const { version, document } = data.active;
  return (
    <p className="caution">
      Version {version} of the policy is in force since this was asked for. What the former one decided about it stays.{' '}
      {demandsPasskeys(document) ? 'Approvals are taken by passkey alone now, as the policy in force asks.' : null}
    </p>
  );
}

interface VoteButtonsProps {
  approve: PathWith<'post'>;
  reject: PathWith<'post'>;
  path: AnyInput['path'];
  round: Round;
  subject: Pick<VoteToProve, 'subject' | 'subject_id'>;
  /** What is voted on, as in "the withdrawal". */
  what: string;
}

export function VoteButtons({ approve, reject, path = {}, round, subject, what }: VoteButtonsProps) {
  const waitsForMe = useWaitsForMe();
  const { proveVote } = useSession();
  if (!waitsForMe(round)) return <p className="quiet">You have asked for this or voted already: others decide it.</p>;
  const { digest } = round;
  /** With a passkey every vote is an answer of its own. */
  const vote = async (decision: VoteToProve['decision'], reason?: string) => {
    const passkey = digest === undefined ? undefined : await proveVote?.({ ...subject, digest, decision });
    const said = { ...(digest === undefined ? {} : { digest }), ...(reason === undefined ? {} : { reason }) };
    return { path, body: { ...said, ...(passkey === undefined ? {} : { passkey }) } };
  };
  return (
    <>
      <ConfirmedAction
        verb="post"
        path={approve}
        label="Approve"
        title={`Approve ${what}?`}
        inputOf={() => vote('approved')}
      >
        <p>Your vote is of exactly what this page shows. With the last vote that is needed it goes on at once.</p>
      </ConfirmedAction>
      <ConfirmedAction
        verb="post"
        path={reject}
        label="Reject"
        title={`Reject ${what}?`}
        asksReason
        isDangerous
        inputOf={(reason) => vote('rejected', reason)}
      >
        <p>One rejection ends it for good.</p>
      </ConfirmedAction>
    </>
  );
}
