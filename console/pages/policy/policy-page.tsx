// The policy in force and the one that waits, who is in the address book, and what the policy would say.
import { useState } from 'react';
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { useRead } from '../../service/use-service.ts';
import { roundOf, VoteButtons, Votes } from '../votes.tsx';
import { AddressBook } from './address-book.tsx';
import { PolicyDocument } from './policy-document.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { Simulation } from './simulation.tsx';

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';
type Version = Data<'get', typeof POLICY>['active'];

export function PolicyPage() {
  const read = useRead(POLICY);
  // Absent until somebody writes: then the policy in force is what is shown.
  const [written, setWritten] = useState<string>();
  const draft = written ?? (read.data === undefined ? '' : JSON.stringify(read.data.active.document, null, 2));
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
              <p>Where the policy in force guards changes, it waits for other users.</p>
              <PolicyEditor text={draft} setText={setWritten} />
            </Section>
          </>
        )}
      </Shown>
      <Simulation draft={draft} />
      <AddressBook />
    </>
  );
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
