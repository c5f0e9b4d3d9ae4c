// What an operation does, in words: what the service has read out of it, and what it could not read. Everything here
// was named by callers, and is shown as text.
import type { Data } from '../../src/client/api-types.ts';
import { Facts } from '../components/facts.tsx';
import { type Column, RowsTable } from '../components/rows-table.tsx';
import { Amount, Copied } from '../components/values.tsx';
import { useAssets } from '../service/names.ts';
import { words } from '../text/words.ts';

export type Decoded = NonNullable<Data<'get', '/api/v1/withdrawals/{withdrawal_id}'>['decoded']>;
type Movement = Decoded['movements'][number];

export function DecodedContent({ decoded }: { decoded: Decoded }) {
  const { summary, kind, to, value, method, movements, unknown, networks, max_fee: maxFee } = decoded;
  return (
    <>
      {summary === undefined ? null : <p>{summary}</p>}
      <Facts
        facts={[
          ['Kind', kind && words(kind)],
          ['Called', to && <Copied text={to} what="the called address" />],
          ['Value', value],
          ['Function', method && <code>{method}</code>],
          ['Arguments', listed(decoded.arguments)],
          ['Instructions', listed(decoded.instructions)],
          ['Fee at most', maxFee],
          ['Networks', networks.join(', ')],
        ]}
      />
      {movements.length === 0 ? null : <Movements movements={movements} />}
      {unknown.length === 0 ? null : (
        <div className="failure">
          <p>Not known of it:</p>
          <ul>
            {unknown.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

const listed = (texts: readonly string[] | undefined) =>
  texts === undefined || texts.length === 0 ? undefined : (
    <ol className="steps">
      {texts.map((text, place) => (
        <li key={`${place} ${text}`}>
          <code>{text}</code>
        </li>
      ))}
    </ol>
  );

export function Movements({ movements }: { movements: readonly Movement[] }) {
  const assets = useAssets();
  const columns: readonly Column<Movement>[] = [
    {
      name: 'Amount',
      cell: ({ amount, amount_base_units: base, symbol, asset_id: id }) => (
        <Amount
          amount={amount ?? (base == null ? 'unknown' : `${base} base units`)}
          symbol={symbol ?? (id == null ? undefined : assets.get(id)?.symbol)}
        />
      ),
    },
    { name: 'To', cell: ({ destination }) => (destination == null ? 'unknown' : <code>{destination}</code>) },
    { name: 'In the address book', cell: ({ in_address_book: isKnown }) => (isKnown ? 'yes' : 'no') },
  ];
  return (
    <RowsTable
      label="What it moves"
      rows={movements.map((movement, place) => ({ ...movement, place }))}
      columns={columns}
      keyOf={(row) => String((row as Movement & { place: number }).place)}
    />
  );
}
