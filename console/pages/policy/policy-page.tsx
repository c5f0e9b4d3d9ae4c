// The policy in force and the one that waits, who is in the address book, and what the policy would say.
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { TextField, WriteForm } from '../../components/form.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { useRead } from '../../service/use-service.ts';
import { roundOf, VoteButtons, Votes } from '../votes.tsx';
import { AddressBook } from './address-book.tsx';
import { PolicyDocument } from './policy-document.tsx';
import { Simulation } from './simulation.tsx';

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';
type Version = Data<'get', typeof POLICY>['active'];

export function PolicyPage() {
  const read = useRead(POLICY);
  return (
    <>
      <PageHead title="Policy">
        <Link href="/policy/history" className="button">
          History
        </Link>
      </PageHead>
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
