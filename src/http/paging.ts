// Pages of a list: what a caller may ask for, and the cursor that leads to the next page. `data` stays an array; the
// cursor stands in the headers. A cursor is `<position>.<list>`: where a page ended, and a short hash of what was
// listed, so that no other list takes it.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { Page } from '../../drizzle/database/page.ts';
import { envelopeOf, success } from './envelope.ts';
import { ApiError } from './errors.ts';
import { isStorable } from './formats.ts';

export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 200;
const LIST_VALUES_MAX = 100;
const LIST_HASH_LENGTH = 12;
/** What may differ from page to page, or is part of a position. */
const PAGE_PARAMETERS: readonly string[] = ['limit', 'cursor', 'sort_by', 'sort_order'];

const pageProperties = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Rows in a page; ${LIMIT_DEFAULT} when absent.` }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'From `X-Next-Cursor` of the page before.' }),
  ),
  sort_by: Type.Optional(Type.Enum(['created_at', 'updated_at'], { description: '`created_at` when absent.' })),
  sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`desc` when absent.' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Of the column that sorts: this moment or later.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Of the column that sorts: before this moment.' })),
};

/** The query of a list that is short enough to be answered whole: without `limit` it is. */
export const sliceProperties = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Rows in a page; all there are when absent.' }),
  ),
  cursor: pageProperties.cursor,
};

const pageQuery = Type.Object(pageProperties);
export type PageQuery = Static<typeof pageQuery>;

/** The query of a paged list: the common parameters and the list's own filters. */
export const listQuery = <Filters extends TProperties>(filters: Filters) =>
  Type.Object({ ...pageProperties, ...filters }, { additionalProperties: false, explode: false });

/** A filter that takes one value or several, separated by commas. */
export const commaList = <Item extends TSchema>(item: Item, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: LIST_VALUES_MAX, description }));

const visible = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[!-~]+$' });

export const transactionHashFilter = (description: string) => commaList(visible(128), description);
export const addressFilter = (description: string) => commaList(visible(256), description);

export const pageOf = <Row extends TSchema>(row: Row) => ({
  ...envelopeOf(Type.Array(row)),
  headers: {
    'X-Next-Cursor': Type.String({ description: 'Cursor of the next page; absent on the last one.' }),
    Link: Type.String({ description: 'The next page as `<…>; rel="next"` (RFC 8288).' }),
  },
});

export function readPage(query: PageQuery): Page {
  const page = {
    limit: query.limit ?? LIMIT_DEFAULT,
    sortBy: query.sort_by ?? ('created_at' as const),
    sortOrder: query.sort_order ?? ('desc' as const),
    ...readCreated(query),
  };
  return { ...page, after: query.cursor === undefined ? undefined : readPosition(query.cursor, page) };
}

/** The bounds of the column that sorts that a query asks for. */
export function readCreated({ from, to }: Pick<PageQuery, 'from' | 'to'>) {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

/** Answers one page. `rows` holds one row more than the page when another page follows. */
export function sendPage<Row extends { id: string; createdAt: Date; updatedAt: Date }, Shown>(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, rows, show }: { page: Page; rows: readonly Row[]; show: (row: Row) => Shown },
) {
  const list = listOf(request);
  const { cursor: given } = request.query as PageQuery;
  if (given !== undefined && given.split('.')[1] !== list) throw invalidCursor();
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  if (last !== undefined && rows.length > page.limit) nameNext(request, reply, `${writePosition(page, last)}.${list}`);
  return success(shown.map(show));
}

/** Answers a part of a list that is there whole. */
export function sendSlice<Row extends { id: string }, Shown>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, show }: { rows: readonly Row[]; show: (row: Row) => Shown },
) {
  const { limit = rows.length, cursor } = request.query as Pick<PageQuery, 'limit' | 'cursor'>;
  const list = listOf(request);
  const start = cursor === undefined ? 0 : rows.findIndex(({ id }) => cursor === `${id}.${list}`) + 1;
  if (cursor !== undefined && start === 0) throw invalidCursor();
  const shown = rows.slice(start, start + limit);
  const last = shown.at(-1);
  if (last !== undefined && start + limit < rows.length) nameNext(request, reply, `${last.id}.${list}`);
  return success(shown.map(show));
}

function nameNext(request: FastifyRequest, reply: FastifyReply, cursor: string): void {
  const next = new URL(request.raw.url ?? '', 'http://service');
  next.searchParams.set('cursor', cursor);
  reply.header('x-next-cursor', cursor).header('link', `<${next.pathname}${next.search}>; rel="next"`);
}

/**
 * Its route, path parameters and filters. In lower case: ids are written in either, and no filter tells more than them
 * apart by it.
 */
export function listOf({ routeOptions, params, query }: FastifyRequest): string {
  const filters = Object.entries(query as PageQuery)
    .filter(([name]) => !PAGE_PARAMETERS.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const list = JSON.stringify([routeOptions.url, params, filters]).toLowerCase();
  return createHash('sha256').update(list).digest('base64url').slice(0, LIST_HASH_LENGTH);
}

type Sorting = Pick<Page, 'sortBy' | 'sortOrder'>;

function writePosition({ sortBy, sortOrder }: Sorting, row: { id: string; createdAt: Date; updatedAt: Date }): string {
  const at = sortBy === 'created_at' ? row.createdAt : row.updatedAt;
  return Buffer.from(JSON.stringify([sortBy, sortOrder, at.getTime(), row.id])).toString('base64url');
}

function readPosition(cursor: string, { sortBy, sortOrder }: Sorting): { at: Date; id: string } {
  try {
    const text = Buffer.from(cursor.split('.', 1)[0] ?? '', 'base64url').toString('utf8');
    const [by, order, at, id] = JSON.parse(text) as unknown[];
    if (by !== sortBy || order !== sortOrder || !Number.isSafeInteger(at) || typeof id !== 'string')
      throw invalidCursor();
    const moment = new Date(at as number);
    if (!isStorable(moment) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw invalidCursor();
    return { at: moment, id };
  } catch {
    throw invalidCursor();
  }
}

export const invalidCursor = () =>
  new ApiError(
    'invalid_cursor',
    'The cursor is not from a page of this list in this order: send it with the path, the filters and the sorting of the page that gave it.',
  );
