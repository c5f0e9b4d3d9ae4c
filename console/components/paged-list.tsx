// One page of a list with filters, as a table or as cards. Filters and place stand in the address, so that a view can
// be kept, shared and gone back to; however long the list is, the page has fifty rows at most.
import type { ReactNode } from 'react';
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

export const PagedList = <Row,>({ label, read, columns, keyOf, empty }: PagedListProps<Row>) => (
  <PageOfRows label={label} read={read} empty={empty}>
    {(rows) => <RowsTable label={label} rows={rows} columns={columns} keyOf={keyOf} />}
  </PageOfRows>
);

interface CardListProps<Row> extends Pick<PagedListProps<Row>, 'label' | 'read' | 'empty'> {
  children: (row: Row) => ReactNode;
}

/** Of what has too much to say for a row of a table. */
export const CardList = <Row,>({ label, read, empty, children }: CardListProps<Row>) => (
  <PageOfRows label={label} read={read} empty={empty}>
    {(rows) => rows.map(children)}
  </PageOfRows>
);

interface PageOfRowsProps<Row> extends Pick<PagedListProps<Row>, 'label' | 'read' | 'empty'> {
  children: (rows: readonly Row[]) => ReactNode;
}

function PageOfRows<Row>({ label, read, empty, children }: PageOfRowsProps<Row>) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const isFirst = !search.has('cursor');
  return (
    <Shown read={read} empty={isFirst && search.size === 0 ? empty : 'Nothing matches.'}>
      {({ rows, nextCursor }) => (
        <>
          {children(rows)}
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
