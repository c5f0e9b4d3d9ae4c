// `countersign exports`: files that the service writes, however long that takes.

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { NewExportSchedule, StartExport, WriteOptions } from '../../client/client.ts';
import { UsageError } from '../exit-codes.ts';
import {
  given,
  queryOf,
  readList,
  readMoment,
  type WaitChoices,
  type WriteChoices,
  waitMs,
  withListOptions,
  withWaitOption,
  withWriteOptions,
  writeOptionsOf,
} from '../options.ts';
import type { ListOptions, Session } from '../session.ts';
import { visibleLines } from '../visible-text.ts';
import { waitFor } from '../waiting.ts';
import { keepWhole } from '../whole-file.ts';

const contents = [
  'transactions',
  'withdrawals',
  'deposits',
  'signing_requests',
  'ledger_entries',
  'balances',
  'audit',
] as const satisfies readonly StartExport['content'][];
const formats = ['csv', 'jsonl', 'parquet'] as const satisfies readonly StartExport['format'][];
const windows = ['previous_day', 'previous_week', 'previous_month'];
const filters = { content: 'content', status: 'status', schedule: 'schedule_id' };
const DAY_MS = 86_400_000;

interface Choices extends WriteChoices, WaitChoices {
  format: StartExport['format'];
  from?: string;
  to?: string;
  wallet?: string[];
  output?: string;
}

export function addExports(program: Command, session: Session): void {
  const group = program.command('exports').description('files of everything of a kind, which the service writes');
  withWriteOptions(withWaitOption(group.command('start').description('have one written')))
    .addArgument(new Argument('<content>', 'what is in it').choices(contents))
    .addOption(new Option('--format <format>', 'of the file').choices(formats).default('csv'))
    .option('--from <moment>', 'what was created from then on', readMoment)
    .option('--to <moment>', 'what was created before; of balances: as they were then', readMoment)
    .option('--wallet <ids>', 'only of these; several with commas between them', readList)
    .option('--output <file>', 'wait for it, and keep it here; there whole or not at all')
    .action(async (content: StartExport['content'], { format, from, to, wallet, output, ...choices }: Choices) => {
      const body = { content, format, ...given({ from, to, wallet_ids: wallet }) };
      const started = await session.client.startExport(body, writeOptionsOf(choices));
      const timeoutMs = waitMs(choices) ?? (output === undefined ? undefined : DAY_MS);
      if (timeoutMs === undefined) return session.record(started);
      await follow(session, started.id, timeoutMs);
      if (output !== undefined) await download(session, started.id, output);
    });
  withListOptions(group.command('list').description('the newest first'), filters).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.exports(queryOf(options, filters)),
        [
          ['EXPORT', ({ id }) => id],
          ['CONTENT', ({ content }) => content],
          ['FORMAT', ({ format }) => format],
          ['STATUS', ({ status }) => status],
          ['ROWS', ({ rows_written }) => rows_written, 'right'],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  group
    .command('show <export>')
    .description('one of them, and how far it is')
    .action(async (id: string) => session.record(await session.client.export(id)));
  withWaitOption(group.command('wait <export>').description('until it is there')).action(
    (id: string, choices: WaitChoices) => follow(session, id, waitMs(choices) ?? DAY_MS),
  );
  withWriteOptions(
    group
      .command('cancel <export>')
      .description('while it is under way; nothing of its file is left')
      .option('--reason <text>', 'shown in the record and in the audit log'),
  ).action(async (id: string, { reason, ...choices }: WriteChoices & { reason?: string }) =>
    session.record(await session.client.cancelExport(id, { ...given({ reason }), ...writeOptionsOf(choices) })),
  );
  addSchedules(group, session);
  group
    .command('download <export>')
    .description('the file of one that is completed')
    .option('--output <file>', 'instead of standard output; there whole or not at all')
    .action((id: string, { output }: { output?: string }) => download(session, id, output));
}

interface ScheduleChoices extends WriteChoices {
  format: StartExport['format'];
  cron: string;
  timeZone: string;
  window?: NonNullable<NewExportSchedule['window']>;
  wallet?: string[];
}

function addSchedules(exports: Command, session: Session): void {
  const group = exports.command('schedules').description('exports that are made again and again');
  withWriteOptions(group.command('create').description('by the rights of this key'))
    .addArgument(new Argument('<content>', 'what is in it').choices(contents))
    .addOption(new Option('--format <format>', 'of the files').choices(formats).default('csv'))
    .requiredOption('--cron <fields>', 'minute, hour, day of the month, month, day of the week')
    .option('--time-zone <name>', 'whose clocks that goes by', 'UTC')
    .addOption(new Option('--window <window>', 'of which time').choices(windows))
    .option('--wallet <ids>', 'only of these; several with commas between them', readList)
    .action(async (content: StartExport['content'], { timeZone, wallet, ...choices }: ScheduleChoices) => {
      const { format, cron, window } = choices;
      const body = { content, format, cron, time_zone: timeZone, ...given({ window, wallet_ids: wallet }) };
      await session.record(await session.client.createExportSchedule(body, writeOptionsOf(choices)));
    });
  withListOptions(group.command('list').description('the newest first'), {}).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.exportSchedules(queryOf(options, {})),
        [
          ['SCHEDULE', ({ id }) => id],
          ['CONTENT', ({ content }) => content],
          ['CRON', ({ cron }) => cron],
          ['TIME ZONE', ({ time_zone }) => time_zone],
          ['STATUS', ({ status }) => status],
          ['LAST DUE', ({ last_scheduled_for }) => last_scheduled_for ?? ''],
        ],
        options,
      ),
  );
  group
    .command('show <schedule>')
    .description('one of them')
    .action(async (id: string) => session.record(await session.client.exportSchedule(id)));
  const add = (name: string, description: string, change: (id: string, options: WriteOptions) => Promise<object>) =>
    withWriteOptions(group.command(`${name} <schedule>`).description(description)).action(
      async (id: string, choices: WriteChoices) => session.record(await change(id, writeOptionsOf(choices))),
    );
  add('pause', 'no exports until it is resumed', (id, options) => session.client.pauseExportSchedule(id, options));
  add('resume', 'by the rights of this key from now on', (id, options) =>
    session.client.resumeExportSchedule(id, options),
  );
  add('delete', 'exports that it made stay', (id, options) => session.client.deleteExportSchedule(id, options));
  add('run', 'as if it were due now', async (id, options) => session.client.runExportSchedule(id, options));
}

const follow = (session: Session, id: string, timeoutMs: number) =>
  waitFor(session, {
    id,
    read: (signal) => session.client.export(id, { signal }),
    wait: (signal) => session.client.waitForExport(id, { timeoutMs, signal }),
  });

/** What is kept is what the service has written, to the last byte. */
async function download(session: Session, id: string, output: string | undefined): Promise<void> {
  const { client, terminal } = session;
  const pieces = client.downloadExport(id, { signal: terminal.signal });
  if (output === undefined && !terminal.isOutputSeen) {
    for await (const piece of pieces) await session.text(piece);
    return;
  }
  const { file, format } = await client.export(id, { signal: terminal.signal });
  if (output === undefined) {
    if (format === 'parquet') throw new UsageError('A Parquet file is nothing to look at: name a file by --output.');
    const decoder = new TextDecoder();
    for await (const piece of pieces) await session.text(visibleLines(decoder.decode(piece, { stream: true })));
    return;
  }
  if (file === undefined) throw new UsageError('The export has no file: it is not completed.');
  await keepWhole(pieces, resolve(terminal.folder, output), file.sha256);
}
