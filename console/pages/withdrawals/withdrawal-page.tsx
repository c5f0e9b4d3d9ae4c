// One withdrawal: what it pays to whom, why it waits, who voted, what happened when, and what may still be done.
import { Link } from 'wouter';
import { undecidedWithdrawalStatuses } from '../../../domain/statuses.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Amount, Copied, Moment, Status, TransactionHash } from '../../components/values.tsx';
import { useAssets, useDestinationNames, useUserNames, useWalletNames } from '../../service/names.ts';
import { useRead } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';
import { DecodedContent } from '../content.tsx';
import { PolicyOfLater, type Round, VoteButtons, Votes } from '../votes.tsx';
import { Workflow } from '../workflow.tsx';

const WITHDRAWAL = '/api/v1/withdrawals/{withdrawal_id}';
type Withdrawal = Data<'get', typeof WITHDRAWAL>;

const roundOf = ({ withdrawal_approvals: votes, approval, requested_by: requestedBy }: Withdrawal): Round => ({
  votes,
  required: approval?.required,
  approveWith: approval?.approve_with,
  digest: approval?.digest,
  requestedBy,
  expiresAt: approval?.expires_at,
});

export function WithdrawalPage({ id }: { id: string }) {
  const read = useRead(WITHDRAWAL, { path: { withdrawal_id: id } });
  const { data } = read;
  return (
    <>
      <PageHead title="Withdrawal">{data === undefined ? null : <WithdrawalActions withdrawal={data} />}</PageHead>
      <Shown read={read}>
        {(withdrawal) => (
          <>
            <Payment withdrawal={withdrawal} />
            <div className="columns">
              <Section title="Policy and votes">
                {withdrawal.policy_reasons.length === 0 ? null : (
                  <ul>
                    {withdrawal.policy_reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                )}
                {withdrawal.status !== 'pending_approval' ? null : <PolicyOfLater than={withdrawal.created_at} />}
                <Votes round={roundOf(withdrawal)} />
              </Section>
              <Section title="Steps">
                <Steps id={id} />
              </Section>
            </div>
            {withdrawal.decoded === undefined ? null : (
              <Section title="What is signed">
                <DecodedContent decoded={withdrawal.decoded} />
              </Section>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function Payment({ withdrawal }: { withdrawal: Withdrawal }) {
  const assets = useAssets();
  const walletName = useWalletNames();
  const userName = useUserNames();
  const destination = useDestinationNames()(withdrawal.network_id, withdrawal.recipient_address);
  const symbol = assets.get(withdrawal.asset_id)?.symbol;
  const { shortage } = withdrawal;
  return (
    <Section title="Payment">
      <Facts
        facts={[
          ['Amount', <Amount key="amount" amount={withdrawal.amount} symbol={symbol} />],
          ['Status', <Status key="status" status={withdrawal.status} />],
          ['Step', withdrawal.sub_status && <Status status={withdrawal.sub_status} />],
          ['To', destination ?? 'an address that is not in the address book'],
          ['Address', <Copied key="to" text={withdrawal.recipient_address} what="the destination" whole />],
          [
            'From wallet',
            <Link key="wallet" href={`/wallets/${withdrawal.wallet_id}`}>
              {walletName(withdrawal.wallet_id)}
            </Link>,
          ],
          ['From address', <Copied key="from" text={withdrawal.from_address} what="the wallet's address" whole />],
          ['Network', withdrawal.network_internal_code],
          ['Kind', words(withdrawal.method)],
          ['Fee level', withdrawal.fee_level],
          ['Fee at most', withdrawal.max_fee],
          ['Fee paid', withdrawal.fee_paid],
          [
            'Transaction hash',
            withdrawal.tx_hash && (
              <TransactionHash hash={withdrawal.tx_hash} network={withdrawal.network_internal_code} whole />
            ),
          ],
          ['Signed by nodes', withdrawal.signed_by_nodes?.join(', ')],
          ['Block', withdrawal.block_number],
          ['Confirmations', withdrawal.confirmations],
          ['Asked by', userName(withdrawal.requested_by)],
          ['Notes', withdrawal.notes],
          ['External id', withdrawal.external_id],
          ['Reason', withdrawal.reason],
          ['Failed because', withdrawal.error_reason ?? withdrawal.error_code],
          [
            'Missing',
            shortage &&
              `${shortage.missing ?? 'an unknown amount'} ${shortage.asset}, waited for until ${shortage.waits_until ?? 'it comes'}`,
          ],
          ['Asked', <Moment key="created" at={withdrawal.created_at} />],
          ['Ended', withdrawal.completed_at && <Moment at={withdrawal.completed_at} />],
          ['Id', <Copied key="id" text={withdrawal.id} what="the id" whole />],
          ['Workflow in Temporal', <Workflow key="workflow" id={workflowIdOf('withdraw', withdrawal.id)} />],
        ]}
      />
    </Section>
  );
}

function Steps({ id }: { id: string }) {
  const read = useRead('/api/v1/withdrawals/{withdrawal_id}/history', { path: { withdrawal_id: id } });
  return (
    <Shown read={read} empty="Nothing has happened yet.">
      {(entries) => (
        <ol className="steps">
          {entries.map((entry) => (
            <li key={`${entry.created_at} ${entry.status} ${entry.sub_status ?? ''} ${entry.tx_hash ?? ''}`}>
              <Status status={entry.sub_status ?? entry.status} /> <Moment at={entry.created_at} />
              {entry.tx_hash === undefined ? null : (
                <div>
                  <Copied text={entry.tx_hash} what="this transaction hash" />
                </div>
              )}
              {entry.details === undefined ? null : <div className="quiet">{entry.details}</div>}
              {entry.reason === undefined ? null : <div>{entry.reason}</div>}
            </li>
          ))}
        </ol>
      )}
    </Shown>
  );
}

/** Nothing of it can be signed. */
const mayBeCancelled = ({ status, sub_status: step }: Withdrawal) =>
  [...undecidedWithdrawalStatuses, 'approved'].includes(status) ||
  (status === 'processing' && ['queued', 'insufficient_funds'].includes(step ?? ''));

/** Its transaction is sent, and in no block as far as is known. */
const isOut = ({ status, sub_status: step, block_number: block }: Withdrawal) =>
  status === 'processing' &&
  block === undefined &&
  ['broadcasting', 'confirming', 'stuck', 'replaced'].includes(step ?? '');

function WithdrawalActions({ withdrawal }: { withdrawal: Withdrawal }) {
  const { id, status } = withdrawal;
  const path = { withdrawal_id: id };
  const family = useAssets().get(withdrawal.asset_id)?.address_type;
  const waitsForBlock = isOut(withdrawal) && (family === 'evm' || family === 'btc');
  return (
    <>
      {status !== 'pending_approval' ? null : (
        <VoteButtons
          approve="/api/v1/withdrawals/{withdrawal_id}/approve"
          reject="/api/v1/withdrawals/{withdrawal_id}/reject"
          path={path}
          round={roundOf(withdrawal)}
          subject={{ subject: 'withdrawal', subject_id: withdrawal.id }}
          what="the withdrawal"
        />
      )}
      {!mayBeCancelled(withdrawal) ? null : (
        <ConfirmedAction
          verb="post"
          path="/api/v1/withdrawals/{withdrawal_id}/cancel"
          label="Cancel withdrawal"
          title="Cancel the withdrawal?"
          asksReason
          isDangerous
          inputOf={(reason) => ({ path, ...(reason === undefined ? {} : { body: { reason } }) })}
        >
          <p>It ends before anything is signed, and what was held is available again.</p>
        </ConfirmedAction>
      )}
      {!waitsForBlock ? null : (
        <>
          <ConfirmedAction
            verb="post"
            path="/api/v1/withdrawals/{withdrawal_id}/speed-up"
            label="Speed up"
            title="Send it again with a higher fee?"
            inputOf={() => ({ path })}
          >
            <p>
              The same transfer takes the place of the one that waits, with a higher fee that is never above the bound.
            </p>
          </ConfirmedAction>
          <ConfirmedAction
            verb="post"
            path="/api/v1/withdrawals/{withdrawal_id}/drop"
            label="Drop"
            title="Try to take it back?"
            asksReason
            isDangerous
            inputOf={(reason) => ({ path, ...(reason === undefined ? {} : { body: { reason } }) })}
          >
            <p>A transaction that moves nothing is sent in its place. Whichever of the two the chain takes decides.</p>
          </ConfirmedAction>
        </>
      )}
    </>
  );
}
