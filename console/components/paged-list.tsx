// One page of a list with filters. Filters and place stand in the address, so that a view can be kept, shared and gone
// back to; however long the list is, the page has fifty rows.
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Page } from '../client/console-client.ts';
import type { Read } from '../service/use-service.ts';
import { endOfDay, isDay, startOfDay } from '../text/days.ts';
import { type Column, RowsTable } from './rows-table.tsx';
import { Shown } from './shown.tsx';

interface PagedListProps<Row> {
  label: string;
  read: Read<Page<Row>>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: string;
}

export function PagedList<Row>({ label, read, columns, keyOf, empty }: PagedListProps<Row>) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const isFirst = !search.has('cursor');
  return (
    <Shown read={read} empty={isFirst && search.size === 0 ? empty : 'Nothing matches.'}>
      {({ rows, nextCursor }) => (
        <>
          <RowsTable label={label} rows={rows} columns={columns} keyOf={keyOf} />
          {isFirst && nextCursor === undefined ? null : (
            <nav className="pages" aria-label={`Pages of ${label.toLowerCase()}`}>
              {isFirst ? null : <Link href={addressWith(path, search, undefined)}>First page</Link>}
              {nextCursor === undefined ? null : <Link href={addressWith(path, search, nextCursor)}>Next page</Link>}
            </nav>
          )}
        </>
      )}
    </Shown>
  );
}

function addressWith(path: string, search: URLSearchParams, cursor: string | undefined): string {
  const next = new URLSearchParams(search);
  if (cursor === undefined) next.delete('cursor');
  else next.set('cursor', cursor);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** The filters and the place that stand in the address, as the service takes them. */
export function useListQuery(names: readonly string[]): Record<string, string> {
  const [search] = useSearchParams();
  const taken = [...names, 'cursor'].flatMap((name) => {
    const value = search.get(name);
    return value === null || value === '' ? [] : [[name, inQuery(name, value)] as const];
  });
  return Object.fromEntries(taken);
}

/** A day is taken as all of it, in the time of who looks. */
function inQuery(name: string, value: string): string {
  if (!isDay(value)) return value;
  return name === 'to' ? endOfDay(value) : startOfDay(value);
}
