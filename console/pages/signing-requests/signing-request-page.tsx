// One signature: what is signed in words and whole, who voted, and what came of it.
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Copied, Moment, Status } from '../../components/values.tsx';
import { useUserNames, useWalletNames } from '../../service/names.ts';
import { useRead } from '../../service/use-service.ts';
import { capitalised } from '../../text/words.ts';
import { DecodedContent } from '../content.tsx';
import { PolicyOfLater, roundOf, VoteButtons, Votes } from '../votes.tsx';
import { Workflow } from '../workflow.tsx';

const SIGNING_REQUEST = '/api/v1/signing-requests/{signing_id}';
type SigningRequest = Data<'get', typeof SIGNING_REQUEST>;

export function SigningRequestPage({ id }: { id: string }) {
  const read = useRead(SIGNING_REQUEST, { path: { signing_id: id } });
  const { data } = read;
  return (
    <>
      <PageHead title="Signing request">{data === undefined ? null : <SigningActions request={data} />}</PageHead>
      <Shown read={read}>
        {(request) => (
          <>
            <Signature request={request} />
            {request.payload === undefined ? null : <Payload payload={request.payload} />}
            <div className="columns">
              {request.approval === undefined ? null : (
                <Section title="Policy and votes">
                  <ul>
                    {request.approval.reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                  {request.status_reason !== 'awaiting_approval' ? null : <PolicyOfLater than={request.created_at} />}
                  <Votes round={roundOf(request.approval)} />
                </Section>
              )}
              <Section title="Steps">
                <Steps request={request} />
              </Section>
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

function Signature({ request }: { request: SigningRequest }) {
  const walletName = useWalletNames();
  return (
    <Section title="Signature">
      <Facts
        facts={[
          ['Kind', capitalised(request.payload_kind)],
          ['Status', <Status key="status" status={request.status} />],
          ['Because', request.status_reason && <Status status={request.status_reason} />],
          [
            'Wallet',
            <Link key="wallet" href={`/wallets/${request.wallet_id}`}>
              {walletName(request.wallet_id)}
            </Link>,
          ],
          ['Address', request.address && <Copied text={request.address} what="the signing address" whole />],
          ['Network', request.network_internal_code],
          ['Derivation path', request.derivation_path],
          ['Digest signed', <Copied key="hash" text={request.signing_hash} what="the digest" whole />],
          ['Signature', request.signature && <Copied text={request.signature} what="the signature" whole />],
          ['Public key', request.public_key && <Copied text={request.public_key} what="the public key" whole />],
          ['Failed because', request.error_reason ?? request.error_code],
          ['Reason', request.reason],
          ['External id', request.external_id],
          [
            'Withdrawal',
            request.withdrawal_id && <Link href={`/withdrawals/${request.withdrawal_id}`}>what it pays</Link>,
          ],
          ['Signed by nodes', request.signed_by_nodes?.join(', ')],
          ['Session of the nodes', request.mpc_correlation_id],
          ['Workflow in Temporal', request.workflow_id && <Workflow id={request.workflow_id} />],
          ['Asked', <Moment key="created" at={request.created_at} />],
          ['Ended', request.completed_at && <Moment at={request.completed_at} />],
          ['Id', <Copied key="id" text={request.id} what="the id" whole />],
        ]}
      />
    </Section>
  );
}

interface Step {
  what: string;
  at: string | undefined;
}

/** What of it has a time. The nodes sign within one step: when it was sent to them is not kept. */
function stepsOf(request: SigningRequest, nameOf: (userId: string) => string): Step[] {
  const { status, status_reason: because, approval } = request;
  const votes = approval?.approvals ?? [];
  return [
    { what: 'Asked', at: request.created_at },
    ...votes.map((vote) => ({ what: `${nameOf(vote.user_id)} ${vote.status}`, at: vote.voted_at })),
    { what: `Approval ${approval?.status}`, at: approval?.decided_at },
    { what: status === 'success' ? 'Signed' : capitalised(because ?? status), at: request.completed_at },
  ].filter(({ at }) => at !== undefined);
}

function Steps({ request }: { request: SigningRequest }) {
  const nameOf = useUserNames();
  return (
    <ol className="steps">
      {stepsOf(request, nameOf).map(({ what, at }) => (
        <li key={`${what} ${at}`}>
          {what} <Moment at={at} />
        </li>
      ))}
    </ol>
  );
}

function Payload({ payload }: { payload: NonNullable<SigningRequest['payload']> }) {
  return (
    <Section title="What is signed">
      {payload.matches_digest === false ? (
        <p className="failure">What is shown here does not make the digest that is signed: trust neither.</p>
      ) : null}
      <DecodedContent decoded={payload.decoded} />
      {payload.text === undefined ? null : (
        <>
          <h3>The text</h3>
          <pre>{payload.text}</pre>
        </>
      )}
      {payload.typed_data === undefined ? null : (
        <>
          <h3>The typed data</h3>
          <pre>{JSON.stringify(payload.typed_data, null, 2)}</pre>
        </>
      )}
      {payload.transaction === undefined && payload.unsigned_tx === undefined ? null : (
        <>
          <h3>The transaction</h3>
          <pre>{payload.transaction ?? payload.unsigned_tx}</pre>
        </>
      )}
      {payload.message === undefined || payload.text !== undefined ? null : (
        <>
          <h3>The message</h3>
          <pre>{payload.message}</pre>
        </>
      )}
      {payload.shortened ? <p className="quiet">It is too long to be shown whole.</p> : null}
    </Section>
  );
}

function SigningActions({ request }: { request: SigningRequest }) {
  const path = { signing_id: request.id };
  if (request.status !== 'pending') return null;
  return (
    <>
      {request.approval?.status !== 'pending' ? null : (
        <VoteButtons
          approve="/api/v1/signing-requests/{signing_id}/approve"
          reject="/api/v1/signing-requests/{signing_id}/reject"
          path={path}
          round={roundOf(request.approval)}
          subject={{ subject: 'signing_request', subject_id: request.id }}
          what="the signature"
        />
      )}
      <ConfirmedAction
        verb="post"
        path="/api/v1/signing-requests/{signing_id}/cancel"
        label="Cancel request"
        title="Cancel the request?"
        asksReason
        isDangerous
        inputOf={(reason) => ({ path, ...(reason === undefined ? {} : { body: { reason } }) })}
      >
        <p>It ends before anything is signed.</p>
      </ConfirmedAction>
    </>
  );
}
