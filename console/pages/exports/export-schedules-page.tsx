// Exports that are made again and again: which there are, what is done with them, and where another one is made.
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type ExportContent, isOfAMoment } from '../../../domain/exports/export-contents.ts';
import { exportWindows } from '../../../domain/exports/schedule-times.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { ChoiceField, WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { usePage } from '../../service/use-service.ts';
import type { Export } from './export-actions.tsx';
import { useReadableContents } from './readable-contents.ts';
import { exportedIn, exportTitle, NothingToExport, WhatIsExported } from './what-is-exported.tsx';
import { findTimeFault, NextTimes, WhenItIsDue } from './when-it-is-due.tsx';

const SCHEDULES = '/api/v1/workspaces/{workspace_id}/export-schedules';
const SCHEDULE = `${SCHEDULES}/{schedule_id}` as const;
type Schedule = Data<'get', typeof SCHEDULE>;

const windowNames = {
  previous_day: 'the day before',
  previous_week: 'the week before, from Monday on',
  previous_month: 'the month before',
} as const;

const columns: readonly Column<Schedule>[] = [
  {
    name: 'Export',
    cell: (row) => <Link href={`/exports?schedule_id=${row.id}`}>{exportTitle(row)}</Link>,
  },
  {
    name: 'When',
    cell: ({ cron, time_zone: timeZone }) => (
      <>
        <code>{cron}</code> {timeZone}
      </>
    ),
  },
  { name: 'Of', cell: ({ window }) => (window === undefined ? 'everything until then' : windowNames[window]) },
  {
    name: 'Status',
    cell: ({ status, paused_reason: reason }) => (
      <>
        <Status status={status} />{' '}
        {reason === 'key_refused' ? 'The key by whose rights it exports may not do so any more.' : null}
      </>
    ),
  },
  {
    name: 'Next',
    cell: ({ status, cron, time_zone: timeZone }) =>
      status === 'active' ? <NextTimes cron={cron} timeZone={timeZone} count={1} /> : '—',
  },
  { name: 'Last due', cell: ({ last_scheduled_for: at }) => <Moment at={at} /> },
  { name: 'Change', cell: (row) => <ScheduleActions schedule={row} /> },
];

export function ExportSchedulesPage() {
  const contents = useReadableContents();
  const read = usePage(SCHEDULES, { query: useListQuery([]) });
  return (
    <>
      <PageHead title="Export schedules">
        <Link href="/exports" className="button">
          Exports
        </Link>
      </PageHead>
      {contents.length === 0 ? (
        <NothingToExport />
      ) : (
        <>
          <PagedList
            label="Export schedules"
            read={read}
            columns={columns}
            keyOf={({ id }) => id}
            empty="Nothing is exported again and again: make a schedule below."
          />
          <NewSchedule contents={contents} />
        </>
      )}
    </>
  );
}

function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const [, navigate] = useLocation();
  const path = { schedule_id: schedule.id };
  const name = exportTitle(schedule);
  const isActive = schedule.status === 'active';
  return (
    <div className="actions">
      <ConfirmedAction
        verb="post"
        path={`${SCHEDULE}/run`}
        label="Run now"
        title={`Export ${name} now?`}
        inputOf={() => ({ path })}
        onDone={(answer) => navigate(`/exports/${(answer as Export).id}`)}
      >
        <p>It is as if it were due now, by your rights. What it makes at its own times stays as it is.</p>
      </ConfirmedAction>
      {isActive ? (
        <ConfirmedAction
          verb="post"
          path={`${SCHEDULE}/pause`}
          label="Pause"
          title={`Pause the schedule of ${name}?`}
          inputOf={() => ({ path })}
        >
          <p>It exports nothing until somebody resumes it.</p>
        </ConfirmedAction>
      ) : (
        <ConfirmedAction
          verb="post"
          path={`${SCHEDULE}/resume`}
          label="Resume"
          title={`Resume the schedule of ${name}?`}
          inputOf={() => ({ path })}
        >
          <p>From now on it exports by your rights. What was due meanwhile is not made up for.</p>
        </ConfirmedAction>
      )}
      <ConfirmedAction
        verb="delete"
        path={SCHEDULE}
        label="Delete"
        title={`Delete the schedule of ${name}?`}
        isDangerous
        inputOf={() => ({ path })}
      >
        <p>It is gone for good. The exports that it has made stay.</p>
      </ConfirmedAction>
    </div>
  );
}

function NewSchedule({ contents }: { contents: readonly ExportContent[] }) {
  const [content, setContent] = useState(contents[0]);
  // A new one begins with empty fields.
  const [made, setMade] = useState(0);
  return (
    <Section title="New schedule">
      <p>It exports by the rights of who makes it, for as long as these last.</p>
      <WriteForm
        key={made}
        verb="post"
        path={SCHEDULES}
        label="Create the schedule"
        inputOf={(fields) => ({ body: scheduleIn(fields) })}
        onDone={() => {
          setContent(contents[0]);
          setMade(made + 1);
        }}
      >
        <WhatIsExported contents={contents} onContent={setContent} />
        {content !== undefined && isOfAMoment(content) ? null : (
          <ChoiceField
            name="window"
            label="Of which time each export is"
            choices={[
              ['', 'everything until then'],
              ...exportWindows.map((window) => [window, windowNames[window]] as const),
            ]}
          />
        )}
        <WhenItIsDue />
      </WriteForm>
    </Section>
  );
}

function scheduleIn(fields: Record<string, string>) {
  const { cron = '', time_zone: timeZone = '', window } = fields;
  const fault = findTimeFault(cron, timeZone);
  if (fault !== undefined) throw new Error(fault);
  return { ...exportedIn(fields), cron, time_zone: timeZone, ...(window === undefined ? {} : { window }) };
}
