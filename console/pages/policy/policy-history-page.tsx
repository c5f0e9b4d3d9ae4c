// Every version of the policy, newest first, with what it changes of the one that was in force when it was asked for.
import { Link } from 'wouter';
import type { Item } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { Filters, period } from '../../components/filters.tsx';
import { CardList, useListQuery } from '../../components/paged-list.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { useUserNames } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { changedLines } from '../../text/changed-lines.ts';
import { capitalised } from '../../text/words.ts';
import { roundOf, Votes } from '../votes.tsx';
import { PolicyDocument } from './policy-document.tsx';

const HISTORY = '/api/v1/workspaces/{workspace_id}/policy/history';
const PAGE_ROWS = 10;
type Version = Item<typeof HISTORY>;
type Difference = NonNullable<Version['differences']>[number];

export function PolicyHistoryPage() {
  const read = usePage(HISTORY, { query: { ...useListQuery(['from', 'to']), limit: PAGE_ROWS } });
  return (
    <>
      <PageHead title="History of the policy">
        <Link href="/policy" className="button">
          Policy
        </Link>
      </PageHead>
      <Filters filters={period} />
      <CardList
        label="History of the policy"
        read={read}
        empty="Nobody has set a policy: the one that is built in holds."
      >
        {(version) => <PolicyVersion key={version.id} version={version} />}
      </CardList>
    </>
  );
}

function PolicyVersion({ version }: { version: Version }) {
  const userName = useUserNames();
  const { differences = [], compared_with: former, altered, approval } = version;
  return (
    <Section title={`Version ${version.version}`}>
      {altered ? (
        <p className="failure">Somebody else than the service has written this version: nothing is decided by it.</p>
      ) : null}
      <Facts
        facts={[
          ['Status', <Status key="status" status={version.status} />],
          ['Asked for by', version.created_by && userName(version.created_by)],
          ['Asked', <Moment key="created" at={version.created_at} />],
          [`${capitalised(version.status)} since`, <Moment key="updated" at={version.updated_at} />],
          ['Compared with', former === 0 ? 'the policy that is built in' : `version ${former}`],
        ]}
      />
      {differences.length === 0 ? <p className="quiet">It changes nothing.</p> : null}
      <ul className="differences">
        {differences.map((difference) => (
          <li key={`${difference.part} ${difference.rule ?? ''} ${difference.change}`}>
            <PolicyDifference difference={difference} />
          </li>
        ))}
      </ul>
      {approval === undefined ? null : (
        <details>
          <summary>Votes</summary>
          <Votes round={roundOf(approval)} />
        </details>
      )}
      <details>
        <summary>The whole version</summary>
        <PolicyDocument version={version} />
      </details>
    </Section>
  );
}

const parts = { default: 'What applies otherwise', changes: 'What a change needs' };

function PolicyDifference({ difference }: { difference: Difference }) {
  const { part, change, rule, before, after } = difference;
  const name = part === 'rule' ? `Rule "${rule}"` : parts[part];
  return (
    <>
      <strong>{name}</strong> <Status status={change} />
      {change === 'moved' ? (
        <p>
          From place {placeIn(before)} to place {placeIn(after)}.
        </p>
      ) : (
        <pre className="changed">
          {changedLines(linesOf(before), linesOf(after)).map(({ kind, line, at }) => (
            <ChangedLine key={at} kind={kind} line={line} />
          ))}
        </pre>
      )}
    </>
  );
}

function ChangedLine({ kind, line }: { kind: 'same' | 'gone' | 'new'; line: string }) {
  if (kind === 'gone') return <del>{`- ${line}\n`}</del>;
  return kind === 'new' ? <ins>{`+ ${line}\n`}</ins> : <>{`  ${line}\n`}</>;
}

const placeIn = (part: unknown) => (part as { place: number }).place;
const linesOf = (part: unknown) => (part === undefined ? [] : JSON.stringify(part, null, 2).split('\n'));
