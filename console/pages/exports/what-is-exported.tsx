// The fields that say what is exported, of an export and of a schedule alike.
import { type ExportContent, type ExportFormat, exportFormats } from '../../../domain/exports/export-contents.ts';
import { ChecksField, ChoiceField } from '../../components/form.tsx';
import { useNamedWallets } from '../../service/names.ts';
import { chosenIn } from '../../text/form-fields.ts';
import { capitalised } from '../../text/words.ts';

interface WhatIsExportedProps {
  contents: readonly ExportContent[];
  onContent: (content: ExportContent) => void;
}

export function WhatIsExported({ contents, onContent }: WhatIsExportedProps) {
  const wallets = useNamedWallets();
  return (
    <>
      <ChoiceField
        name="content"
        label="What is exported"
        choices={contents.map((content) => [content, capitalised(content)])}
        onChoice={(content) => onContent(content as ExportContent)}
      />
      <ChoiceField
        name="format"
        label="Format"
        choices={exportFormats.map((format) => [format, formatNames[format]])}
      />
      {wallets.length === 0 ? null : (
        <details>
          <summary>Only of some wallets</summary>
          <ChecksField
            name="wallet"
            legend="Of all that the key reaches when none is checked"
            choices={wallets.map(({ id, name }) => [id, name])}
          />
        </details>
      )}
    </>
  );
}

const formatNames = {
  csv: 'CSV, for spreadsheets',
  jsonl: 'JSONL, one object a line',
  parquet: 'Parquet, for analysis',
} as const;

/** What the fields say, as the service takes it. */
export function exportedIn(fields: Record<string, string>) {
  const walletIds = chosenIn(fields, 'wallet');
  const { content, format } = fields;
  return { content, format, ...(walletIds.length === 0 ? {} : { wallet_ids: walletIds }) };
}

/** As in "Signing requests as CSV". */
export const exportTitle = ({ content, format }: { content: string; format: string }): string =>
  `${capitalised(content)} as ${formatTitles[format as ExportFormat] ?? format}`;

const formatTitles: Readonly<Partial<Record<ExportFormat, string>>> = {
  csv: 'CSV',
  jsonl: 'JSONL',
  parquet: 'Parquet',
};

export function NothingToExport() {
  return (
    <p className="needs-scope">
      This key may export nothing: each export takes the scope by which the same is read elsewhere, such as{' '}
      <code>transactions:read</code>.
    </p>
  );
}
