// Who did what, and whether the record of it is whole.
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { Filters, period } from '../../components/filters.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Copied, Moment, Status } from '../../components/values.tsx';
import { useAsked, usePage, useRead } from '../../service/use-service.ts';
import { shortened } from '../../text/words.ts';

const AUDIT = '/api/v1/workspaces/{workspace_id}/audit-logs';
const VERIFY = `${AUDIT}/verify` as const;
type Entry = Data<'get', typeof AUDIT>[number];

const columns: readonly Column<Entry>[] = [
  { name: 'Number', isNumber: true, cell: ({ seq }) => seq ?? '—' },
  { name: 'When', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    name: 'Who',
    cell: ({ actor, actor_id: id, ip }) => (
      <>
        {actor.replace('_', ' ')} {id === null ? null : <code title={id}>{shortened(id)}</code>} {ip}
      </>
    ),
  },
  { name: 'What', cell: ({ action }) => <Action action={action} /> },
  {
    name: 'Of',
    cell: ({ wallet_id: wallet, resource_id: id }) =>
      wallet !== null ? (
        <Link href={`/wallets/${wallet}`}>{shortened(wallet)}</Link>
      ) : id === null ? (
        '—'
      ) : (
        <code title={id}>{shortened(id)}</code>
      ),
  },
  {
    name: 'Outcome',
    cell: ({ outcome, code }) => (
      <>
        <Status status={outcome} /> {code}
      </>
    ),
  },
];

/** A route is broken after its slashes, and not within a word. */
const Action = ({ action }: { action: string }) =>
  action.split('/').map((part, at) => (
    <Fragment key={at}>
      {at === 0 ? null : (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));

export function AuditPage() {
  const query = useListQuery(['action', 'outcome', 'resource_id', 'from', 'to']);
  const read = usePage(AUDIT, { query });
  return (
    <>
      <PageHead title="Audit" />
      <Verification />
      <Filters
        filters={[
          { name: 'action', label: 'Action', kind: 'text' },
          { name: 'outcome', label: 'Outcome', kind: 'choice', choices: ['accepted', 'refused'] },
          { name: 'resource_id', label: 'Id of what it was about', kind: 'text' },
          ...period,
        ]}
      />
      <PagedList
        label="Audit log"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="Nothing has been written down yet."
      />
    </>
  );
}

function Verification() {
  const [isAsked, setAsked] = useState(false);
  const head = useRead(`${AUDIT}/head`);
  const verification = useAsked({
    path: VERIFY,
    input: 'asked',
    ask: (client) => client.read(VERIFY, {}),
    enabled: isAsked,
    againMs: false,
  });
  return (
    <Section title="The record">
      <Shown read={head}>
        {({ seq, hash, signed_at: at }) => (
          <Facts
            facts={[
              ['Entries', seq],
              ['Head', <Copied key="hash" text={hash} what="the hash of the head" />],
              ['Signed', <Moment key="at" at={at} />],
            ]}
          />
        )}
      </Shown>
      <p />
      <button
        type="button"
        onClick={() => (isAsked ? verification.readAgain() : setAsked(true))}
        disabled={verification.missingScope !== undefined}
      >
        Verify the log
      </button>
      {isAsked ? (
        <Shown read={verification}>
          {({ valid, entries, problems }) => (
            <div role="status">
              {valid ? <p className="notice">All {entries} entries are whole and in their order.</p> : null}
              {problems.map(({ seq, message }) => (
                <p key={`${seq} ${message}`} className="failure">
                  {seq === null ? '' : `Entry ${seq}: `}
                  {message}
                </p>
              ))}
            </div>
          )}
        </Shown>
      ) : null}
    </Section>
  );
}
