// Every export that may be read, how far each is, and where another one is asked for.
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { type ExportContent, isOfAMoment } from '../../../domain/exports/export-contents.ts';
import { exportStatuses } from '../../../domain/statuses.ts';
import { Filters } from '../../components/filters.tsx';
import { DayField, WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Copied, Moment, Status } from '../../components/values.tsx';
import { usePage } from '../../service/use-service.ts';
import { endOfDay, startOfDay } from '../../text/days.ts';
import { shortened, sizeInWords, words } from '../../text/words.ts';
import { type Export, ExportActions } from './export-actions.tsx';
import { useReadableContents } from './readable-contents.ts';
import { exportedIn, exportTitle, NothingToExport, WhatIsExported } from './what-is-exported.tsx';

const EXPORTS = '/api/v1/workspaces/{workspace_id}/exports';
const SCHEDULES = '/api/v1/workspaces/{workspace_id}/export-schedules';

const columns: readonly Column<Export>[] = [
  { name: 'Export', cell: (row) => <Link href={`/exports/${row.id}`}>{exportTitle(row)}</Link> },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'Rows', isNumber: true, cell: ({ rows_written: rows }) => rows },
  { name: 'Size', isNumber: true, cell: ({ bytes_written: bytes }) => sizeInWords(bytes) },
  {
    name: 'SHA-256',
    cell: ({ file }) => (file === undefined ? '—' : <Copied text={file.sha256} what="the SHA-256" />),
  },
  { name: 'Asked', cell: ({ created_at: at }) => <Moment at={at} /> },
  { name: 'File', cell: (row) => <ExportActions exported={row} /> },
];

export function ExportsPage() {
  const contents = useReadableContents();
  const read = usePage(EXPORTS, { query: useListQuery(['content', 'status', 'schedule_id']) });
  const schedules = useScheduleChoices();
  return (
    <>
      <PageHead title="Exports">
        <Link href="/export-schedules" className="button">
          Schedules
        </Link>
      </PageHead>
      {contents.length === 0 ? (
        <NothingToExport />
      ) : (
        <>
          <Filters
            filters={[
              {
                name: 'content',
                label: 'Content',
                kind: 'choice',
                choices: contents.map((content) => [content, words(content)]),
              },
              { name: 'status', label: 'Status', kind: 'choice', choices: exportStatuses },
              { name: 'schedule_id', label: 'Schedule', kind: 'choice', choices: schedules },
            ]}
          />
          <PagedList
            label="Exports"
            read={read}
            columns={columns}
            keyOf={({ id }) => id}
            empty="There is no export: ask for one below. They are removed some days after their end."
          />
          <NewExport contents={contents} />
        </>
      )}
    </>
  );
}

/** Those that there are, and the one that the address names, which may be deleted. */
function useScheduleChoices(): readonly (readonly [id: string, name: string])[] {
  const { data } = usePage(SCHEDULES, { query: { limit: 200 } });
  const [search] = useSearchParams();
  const named = search.get('schedule_id') ?? '';
  const rows = data?.rows ?? [];
  const choices = rows.map((row) => [row.id, `${exportTitle(row)}, ${row.cron} ${row.time_zone}`] as const);
  return named === '' || rows.some(({ id }) => id === named) ? choices : [...choices, [named, shortened(named)]];
}

function NewExport({ contents }: { contents: readonly ExportContent[] }) {
  const [content, setContent] = useState(contents[0]);
  const [, navigate] = useLocation();
  return (
    <Section title="New export">
      <p>
        A file of everything of a kind as of one moment, however large: the service writes it, and it is fetched here.
      </p>
      <WriteForm
        verb="post"
        path={EXPORTS}
        label="Start the export"
        inputOf={(fields) => ({ body: { ...exportedIn(fields), ...periodIn(fields) } })}
        onDone={(answer) => navigate(`/exports/${(answer as Export).id}`)}
      >
        <WhatIsExported contents={contents} onContent={setContent} />
        {content !== undefined && isOfAMoment(content) ? (
          <DayField name="to" label="As they were at the end of (now when empty)" />
        ) : (
          <>
            <DayField name="from" label="Created from (the beginning when empty)" />
            <DayField name="to" label="Created until the end of (now when empty)" />
          </>
        )}
      </WriteForm>
    </Section>
  );
}

const periodIn = ({ from, to }: Record<string, string>) => ({
  ...(from === undefined ? {} : { from: startOfDay(from) }),
  ...(to === undefined ? {} : { to: endOfDay(to) }),
});
