// The wire shapes of exports.
import Type, { type Static } from 'typebox';
import { columnTypes } from '../../domain/exports/export-columns.ts';
import { exportContents, exportFormats } from '../../domain/exports/export-contents.ts';
import { exportStatuses } from '../../domain/statuses.ts';
import { commaList, listQuery } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';

const WALLETS_MAX = 100;

const dateTime = (description: string) => Type.String({ format: 'date-time', description });
const exportId = Type.String({ format: 'uuid', description: 'Export id.' });
const content = Type.Enum([...exportContents]);
const format = Type.Enum([...exportFormats]);
const status = Type.Enum([...exportStatuses]);

export const exportParams = Type.Object({ ...workspaceParams.properties, export_id: exportId });

export const startExportBody = Type.Object(
  {
    content: Type.Enum([...exportContents], {
      description:
        'What is exported. The key needs what reading the same elsewhere takes: `transactions:read` (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger entries), or `audit:read`.',
    }),
    format: Type.Enum([...exportFormats], {
      description: '`csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet).',
    }),
    from: Type.Optional(dateTime('Only what was created at this moment or later. Not for balances.')),
    to: Type.Optional(
      dateTime('Only what was created before this moment. Of balances: as they were then; now when absent.'),
    ),
    wallet_ids: Type.Optional(
      Type.Array(walletId, {
        minItems: 1,
        maxItems: WALLETS_MAX,
        uniqueItems: true,
        description: 'Only of these wallets. A key that is bound to wallets exports its own when absent.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ content: 'transactions', format: 'csv', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
  },
);
export type StartExport = Static<typeof startExportBody>;

/** What the record and events say of it. */
const fields = {
  id: exportId,
  content,
  format,
  status,
  error_code: Type.Optional(Type.String({ description: 'Stable, for programs.' })),
  error_reason: Type.Optional(Type.String({ description: 'The same in one plain sentence.' })),
  reason: Type.Optional(Type.String({ description: 'Why it was cancelled, in the words of who did.' })),
  created_at: dateTime('When it was asked for.'),
  updated_at: dateTime('When its status changed last, or more of it was written.'),
  completed_at: Type.Optional(dateTime('When it ended.')),
};

export const exportEventData = Type.Object({
  ...fields,
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});

const exportFile = Type.Object(
  {
    file_name: Type.String({ description: 'In the folder of exports; beside it is its `….manifest.json`.' }),
    media_type: Type.String(),
    rows: Type.Integer({ description: 'Without the header row.' }),
    bytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the whole file, 64 hex digits.' }),
    snapshot_at: dateTime('As of when all of its rows are.'),
    columns: Type.Array(
      Type.Object({ name: Type.String(), type: Type.Enum([...columnTypes]) }, { title: 'ExportColumn' }),
      {
        description:
          'In their order. `amount` is a decimal number as text, `moment` RFC 3339 in UTC, `json` canonical JSON as text.',
      },
    ),
  },
  { title: 'ExportFile' },
);

export const exportRecord = Type.Object(
  {
    ...fields,
    from: Type.Optional(dateTime('As it was asked for.')),
    to: Type.Optional(dateTime('As it was asked for.')),
    wallet_ids: Type.Optional(Type.Array(walletId, { description: 'Only of these wallets; absent for all.' })),
    schedule_id: Type.Optional(Type.String({ format: 'uuid', description: 'Of what a schedule asked for.' })),
    scheduled_for: Type.Optional(dateTime('When the schedule was due.')),
    requested_by: Type.String({
      format: 'uuid',
      description: 'The API key that asked, or by whose rights the schedule exports.',
    }),
    rows_written: Type.Integer({
      description: 'So far, by the attempt under way: one that begins anew counts from zero.',
    }),
    bytes_written: Type.Integer({ description: 'The same.' }),
    file: Type.Optional(Type.Object(exportFile.properties, { title: 'ExportFile' })),
  },
  { title: 'Export' },
);

export const exportsQuery = listQuery({
  content: commaList(content, 'Only of these.'),
  status: commaList(status, 'Only exports with these statuses.'),
  schedule_id: commaList(
    Type.String({ format: 'uuid' }),
    'Only exports that these schedules asked for, also of one that is deleted.',
  ),
});

export const rangeHeaders = Type.Object({
  range: Type.Optional(
    Type.String({
      maxLength: 200,
      description: '`bytes=<first>-<last>`, one range (RFC 9110): to go on where a download broke off.',
    }),
  ),
  'if-range': Type.Optional(
    Type.String({ maxLength: 200, description: 'The `ETag` of the first part: of another file the whole is sent.' }),
  ),
});

export const contentHeaders = {
  ETag: Type.String({ description: 'The SHA-256 of the whole file, in quotes.' }),
  'Accept-Ranges': Type.String({ description: '`bytes`.' }),
  'Content-Disposition': Type.String({ description: 'The name under which a browser would keep it.' }),
};
