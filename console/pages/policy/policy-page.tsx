// The policy in force and the one that waits, who is in the address book, and what the policy would say.
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { TextField, WriteForm } from '../../components/form.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { useRead } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';
import { roundOf, VoteButtons, Votes } from '../votes.tsx';
import { AddressBook } from './address-book.tsx';
import { Simulation } from './simulation.tsx';

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';
type Version = Data<'get', typeof POLICY>['active'];
type Rule = Version['document']['rules'][number];

export function PolicyPage() {
  const read = useRead(POLICY);
  return (
    <>
      <PageHead title="Policy" />
      <Shown read={read}>
        {({ active, pending }) => (
          <>
            {pending === null ? null : <PendingPolicy version={pending} />}
            <Section title={`In force: version ${active.version}`}>
              <PolicyDocument version={active} />
            </Section>
            <Section title="Propose another">
              <p>It is checked as it is sent. Where the policy in force guards changes, it waits for other users.</p>
              <WriteForm
                verb="put"
                path={POLICY}
                label="Set the policy"
                inputOf={({ document }) => ({ body: parse(document) })}
              >
                <TextField
                  name="document"
                  label="The policy as JSON"
                  isLong
                  isRequired
                  initial={JSON.stringify(active.document, null, 2)}
                />
              </WriteForm>
            </Section>
          </>
        )}
      </Shown>
      <Simulation />
      <AddressBook />
    </>
  );
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch (error) {
    throw new Error(`This is no JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function PendingPolicy({ version }: { version: Version }) {
  const round = roundOf(version.approval);
  return (
    <Section title={`Waits: version ${version.version}`}>
      <PolicyDocument version={version} />
      <Votes round={round} />
      <div className="actions">
        <VoteButtons
          approve={`${POLICY}/approve`}
          reject={`${POLICY}/reject`}
          path={{}}
          round={round}
          subject={{ subject: 'policy', subject_id: version.id ?? '' }}
          what="this policy"
        />
      </div>
    </Section>
  );
}

function PolicyDocument({ version }: { version: Version }) {
  const { document, created_at: at, status } = version;
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status key="status" status={status} />],
          ['Set', at && <Moment at={at} />],
          ['Otherwise', actionOf(document.default)],
          ['A change of the policy', document.changes && `needs ${document.changes.approvals} approvals`],
        ]}
      />
      {document.rules.length === 0 ? (
        <p className="quiet">It has no rules.</p>
      ) : (
        <ol className="steps">
          {document.rules.map((rule) => (
            <PolicyRule key={rule.name} rule={rule} />
          ))}
        </ol>
      )}
    </>
  );
}

function PolicyRule({ rule }: { rule: Rule }) {
  return (
    <li>
      <strong>{rule.name}</strong>: {actionOf(rule.then)}
      {rule.description === undefined ? null : <p className="quiet">{rule.description}</p>}
      {Object.keys(rule.when).length === 0 ? (
        <p className="quiet">Whatever it is.</p>
      ) : (
        <ul>
          {Object.entries(rule.when).map(([name, value]) => (
            <li key={name}>
              {words(name)}: <code>{JSON.stringify(value)}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function actionOf(action: Rule['then']): string {
  if (action.action !== 'require_approvals') return action.action;
  const who = action.approvers === undefined ? '' : ` of ${action.approvers.join(', ')}`;
  return `needs ${action.approvals} approvals${who}`;
}
