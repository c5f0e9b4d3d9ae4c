// The reference page as a whole: the document is read, and around each of its pages stand the way to the others, a
// filter, the colours and the key that signs calls.
import { useEffect, useId, useState } from 'react';
import { Link, Router, useLocation } from 'wouter';
import { Frame } from '../components/frame.tsx';
import { PageHead, Section } from '../components/section.tsx';
import { Failure } from '../components/shown.tsx';
import { ThemeChoice } from '../components/theme-choice.tsx';
import { type ApiDocument, type Entry, filtered, type Group, groupsOf } from './document.ts';
import { OperationPage } from './operation-page.tsx';
import { PageContext, type Signer, usePage } from './page-state.tsx';
import { Prose } from './prose.tsx';

const BASE = '/docs';
const DOCUMENT = '/openapi.json';

export function Reference() {
  const [document, setDocument] = useState<ApiDocument>();
  const [error, setError] = useState<Error>();
  const [signer, setSigner] = useState<Signer>();
  useEffect(() => {
    fetch(DOCUMENT, { credentials: 'omit' })
      .then(async (response) => {
        if (!response.ok) throw new Error(`${DOCUMENT} is answered with ${response.status}.`);
        setDocument((await response.json()) as ApiDocument);
      })
      .catch(setError);
  }, []);
  if (error !== undefined) return <Failure error={error} />;
  if (document === undefined)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  return (
    <PageContext value={{ document, signer, setSigner }}>
      <Router base={BASE}>
        <Shell groups={groupsOf(document)} />
      </Router>
    </PageContext>
  );
}

function Shell({ groups }: { groups: readonly Group[] }) {
  const [path] = useLocation();
  const entry = groups.flatMap(({ entries }) => entries).find(({ address }) => address === path);
  return (
    <Frame
      name="Countersign reference"
      className="reference"
      header={
        <>
          <KeyInUse />
          <ThemeChoice />
        </>
      }
      navigation={<Navigation groups={groups} current={path} />}
    >
      <CurrentPage path={path} entry={entry} groups={groups} />
    </Frame>
  );
}

interface CurrentPageProps {
  path: string;
  entry: Entry | undefined;
  groups: readonly Group[];
}

function CurrentPage({ path, entry, groups }: CurrentPageProps) {
  if (entry !== undefined) return <OperationPage key={entry.address} entry={entry} />;
  if (path === '/') return <Introduction groups={groups} />;
  return (
    <>
      <PageHead title="No such operation" />
      <p>The reference has nothing at this address.</p>
    </>
  );
}

function KeyInUse() {
  const { signer, setSigner } = usePage();
  if (signer === undefined) return null;
  return (
    <span className="who">
      <span className="key-name" title={signer.key.api_key}>
        {signer.key.name}
      </span>
      <button type="button" onClick={() => setSigner(undefined)}>
        Forget the key
      </button>
    </span>
  );
}

function Navigation({ groups, current }: { groups: readonly Group[]; current: string }) {
  const id = useId();
  const [filter, setFilter] = useState('');
  const shown = filtered(groups, filter);
  return (
    <>
      <search className="field">
        <label htmlFor={id}>Filter</label>
        <input id={id} type="search" value={filter} onChange={(event) => setFilter(event.currentTarget.value)} />
      </search>
      <nav aria-label="Operations">
        {shown.length === 0 ? <p className="quiet">Nothing matches.</p> : null}
        {shown.map(({ name, entries }) => (
          <details key={name + filter} open={filter !== '' || entries.some(({ address }) => address === current)}>
            <summary>{name}</summary>
            {entries.map((entry) => (
              <EntryLink key={entry.address} entry={entry} isCurrent={entry.address === current} />
            ))}
          </details>
        ))}
      </nav>
    </>
  );
}

const EntryLink = ({ entry, isCurrent = false }: { entry: Entry; isCurrent?: boolean }) => (
  <Link href={entry.address} aria-current={isCurrent ? 'page' : undefined}>
    {entry.kind === 'event' ? entry.path : entry.operation.summary}
  </Link>
);

function Introduction({ groups }: { groups: readonly Group[] }) {
  const { document } = usePage();
  return (
    <>
      <PageHead title="The interface" />
      <Section title="How a request is made">
        <Prose text={document.info.description} />
        <p>
          The document for programs is <a href={DOCUMENT}>{DOCUMENT}</a>.
        </p>
      </Section>
      {groups.map(({ name, description, entries }) => (
        <Section key={name} title={name}>
          <Prose text={description} />
          <ul className="tasks">
            {entries.map((entry) => (
              <li key={entry.address}>
                <EntryLink entry={entry} />
                {entry.kind === 'event' ? (
                  <span className="quiet">{entry.operation.summary}</span>
                ) : (
                  <code className="quiet">
                    {entry.method} {entry.path}
                  </code>
                )}
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
}
