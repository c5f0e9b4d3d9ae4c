// Goal: those who are woken together cost one query and one text, and none of them is told what was so before it asked.
// Method: queries that the test answers itself, so that it decides what comes first; a route with a schema.
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { readTogether, shareAnswers } from '../../../src/http/waiting/coalesced-reads.ts';

interface Row {
  id: string;
  status: string;
}

/** Each query is recorded, and answered by the test. */
function recordedReads() {
  const queries: { workspaceId: string; ids: readonly string[]; answer: (rows: Row[]) => void; fail: () => void }[] =
    [];
  const read = readTogether<Row>(
    (workspaceId, ids) =>
      new Promise((answer, reject) => {
        queries.push({ workspaceId, ids, answer, fail: () => reject(new Error('lost')) });
      }),
  );
  return { queries, read };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('what is asked for in one turn is one query for each workspace, each id once', async () => {
  const { queries, read } = recordedReads();
  const reads = [read('one', 'a'), read('one', 'b'), read('one', 'a'), read('other', 'a')];
  await turn();
  expect(queries).toMatchObject([
    { workspaceId: 'one', ids: ['a', 'b'] },
    { workspaceId: 'other', ids: ['a'] },
  ]);
  const [a, b, foreign] = [
    { id: 'a', status: 'success' },
    { id: 'b', status: 'failed' },
    { id: 'a', status: 'of another' },
  ];
  queries[0]?.answer([b, a]);
  queries[1]?.answer([foreign]);
  expect(await Promise.all(reads)).toEqual([a, b, a, foreign]);
});

test('a query that is under way answers nobody who asks later: it may have seen the row as it was', async () => {
  const { queries, read } = recordedReads();
  const early = read('one', 'a');
  await turn();
  const late = read('one', 'a');
  await turn();
  expect(queries).toHaveLength(2);
  queries[1]?.answer([{ id: 'a', status: 'after' }]);
  queries[0]?.answer([{ id: 'a', status: 'before' }]);
  expect([(await early)?.status, (await late)?.status]).toEqual(['before', 'after']);
});

test('a row that is not there is undefined, and a query that fails fails for those who asked in it alone', async () => {
  const { queries, read } = recordedReads();
  const lost = [read('one', 'a'), read('one', 'b')].map((asked) => expect(asked).rejects.toThrow('lost'));
  await turn();
  queries[0]?.fail();
  await Promise.all(lost);
  const next = read('one', 'a');
  await turn();
  queries[1]?.answer([]);
  expect(await next).toBeUndefined();
});

test('an answer is made once for a row, and again for another, as the schema of the route says', async () => {
  const rows = ['success', 'failed'].map((status) => ({ id: 'a', status }));
  let made = 0;
  const answer = shareAnswers((row: Row) => {
    made += 1;
    return { ...row, undocumented: true };
  });
  const app = Fastify();
  const schema = { response: { 200: { type: 'object', properties: { status: { type: 'string' } } } } };
  app.get('/:index', { schema }, async (request, reply) =>
    answer(reply, rows[Number((request.params as { index: string }).index)] as Row),
  );
  for (const [index, status] of [
    [0, 'success'],
    [0, 'success'],
    [1, 'failed'],
    [0, 'success'],
  ] as const) {
    const { body, headers } = await app.inject({ url: `/${index}` });
    expect(body).toBe(`{"status":"${status}"}`);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
  }
  expect(made).toBe(3);
  await app.close();
});
