// The wire shapes of schedules of exports.
import Type, { type Static } from 'typebox';
import { exportWindows } from '../../domain/exports/schedule-times.ts';
import { exportSchedulePauses } from '../../drizzle/exports/export-schedules.ts';
import { listQuery } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { startExportBody } from './exports.schema.ts';

const CRON_MAX_LENGTH = 100;
const TIME_ZONE_MAX_LENGTH = 64;
const dateTime = (description: string) => Type.String({ format: 'date-time', description });

const scheduleId = Type.String({ format: 'uuid', description: 'Id of a schedule.' });
export const scheduleParams = Type.Object({ ...workspaceParams.properties, schedule_id: scheduleId });
export const schedulesQuery = listQuery({});

const { content, format, wallet_ids } = startExportBody.properties;
const cron = Type.String({
  minLength: 9,
  maxLength: CRON_MAX_LENGTH,
  description:
    'When it is due, as five fields of numbers, ranges, steps and lists: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). One minute, so that it is due once an hour at most, and days of the month or of the week, not both.',
});
const timeZone = Type.String({
  minLength: 1,
  maxLength: TIME_ZONE_MAX_LENGTH,
  description: 'Whose clocks `cron` and `window` go by: a name of the IANA database, such as `Europe/Zurich`.',
});
const window = Type.Optional(
  Type.Enum([...exportWindows], {
    description:
      'Of which time each export is: the whole day, week (from Monday on) or month before the one in which it was due. Everything until then when absent, and of balances always how they were then.',
  }),
);

export const createScheduleBody = Type.Object(
  { content, format, wallet_ids, cron, time_zone: timeZone, window },
  {
    additionalProperties: false,
    examples: [
      {
        content: 'transactions',
        format: 'csv',
        cron: '30 6 1 * *',
        time_zone: 'Europe/Zurich',
        window: 'previous_month',
      },
    ],
  },
);
export type CreateSchedule = Static<typeof createScheduleBody>;

export const scheduleRecord = Type.Object(
  {
    id: scheduleId,
    content,
    format,
    wallet_ids,
    cron,
    time_zone: timeZone,
    window,
    status: Type.Enum(['active', 'paused']),
    paused_reason: Type.Optional(
      Type.Enum([...exportSchedulePauses], {
        description: '`key_refused`: the key by whose rights it exports is gone, or may not read this any more.',
      }),
    ),
    requested_by: Type.String({
      format: 'uuid',
      description: 'The API key by whose rights it exports: that which made it, or resumed it last.',
    }),
    last_scheduled_for: Type.Optional(dateTime('When it was due last.')),
    created_at: dateTime('When it was made.'),
    updated_at: dateTime('When it was changed last.'),
  },
  { title: 'ExportSchedule' },
);
