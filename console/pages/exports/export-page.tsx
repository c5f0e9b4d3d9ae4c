// One export: how far it is or how it ended, of which time and wallets it is, and what its file is.
import { Link } from 'wouter';
import { Facts } from '../../components/facts.tsx';
import { RowsTable } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Copied, Moment, Status } from '../../components/values.tsx';
import { useWalletNames } from '../../service/names.ts';
import { useRead } from '../../service/use-service.ts';
import { sizeInWords } from '../../text/words.ts';
import { EXPORT, type Export, ExportActions } from './export-actions.tsx';
import { exportTitle } from './what-is-exported.tsx';

export function ExportPage({ id }: { id: string }) {
  const read = useRead(EXPORT, { path: { export_id: id } });
  const { data } = read;
  return (
    <>
      <PageHead title={data === undefined ? 'Export' : `Export: ${exportTitle(data)}`}>
        {data === undefined ? null : <ExportActions exported={data} />}
      </PageHead>
      <Shown read={read}>
        {(exported) => (
          <>
            <Progress exported={exported} />
            <File exported={exported} />
          </>
        )}
      </Shown>
    </>
  );
}

function Progress({ exported }: { exported: Export }) {
  const walletName = useWalletNames();
  const { from, to, wallet_ids: walletIds, scheduled_for: scheduledFor } = exported;
  return (
    <Section title="What is exported">
      <Facts
        facts={[
          ['Status', <Status key="status" status={exported.status} />],
          ['Because', exported.error_reason],
          ['Reason', exported.reason],
          ['Rows written', exported.rows_written],
          ['Size', sizeInWords(exported.bytes_written)],
          ['Created from', from && <Moment at={from} />],
          ['Until', to && <Moment at={to} />],
          ['Wallets', walletIds === undefined ? 'all' : walletIds.map(walletName).join(', ')],
          ['Asked', <Moment key="asked" at={exported.created_at} />],
          ['Ended', exported.completed_at && <Moment at={exported.completed_at} />],
          [
            'By a schedule',
            exported.schedule_id && (
              <Link href={`/exports?schedule_id=${exported.schedule_id}`}>
                {scheduledFor === undefined ? 'run by hand' : 'when it was due'}
              </Link>
            ),
          ],
          ['Was due', scheduledFor && <Moment at={scheduledFor} />],
          ['By the rights of key', <code key="by">{exported.requested_by}</code>],
        ]}
      />
    </Section>
  );
}

function File({ exported: { file } }: { exported: Export }) {
  if (file === undefined) return null;
  return (
    <Section title="Its file">
      <Facts
        facts={[
          ['Rows', file.rows],
          ['Bytes', file.bytes],
          ['All as of', <Moment key="as-of" at={file.snapshot_at} />],
          ['SHA-256', <Copied key="sha256" text={file.sha256} what="the SHA-256" whole />],
          ['Name where it is kept', <code key="name">{file.file_name}</code>],
        ]}
      />
      <details>
        <summary>Its {file.columns.length} columns</summary>
        <RowsTable
          label="Columns"
          rows={file.columns}
          columns={[
            { name: 'Column', cell: ({ name }) => <code>{name}</code> },
            { name: 'Type', cell: ({ type }) => type },
          ]}
          keyOf={({ name }) => name}
        />
      </details>
    </Section>
  );
}
