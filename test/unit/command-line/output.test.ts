// Goal: what people read is what the service said: text of others moves no cursor and turns no direction, columns stand
// in line, and what a script reads stays JSON. Method: pure functions, with names as an attacker would choose them.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CountersignError,
  OperationFailedError,
  OperationOpenError,
  UnreachableError,
} from '../../../src/client/client.ts';
import { describeEnd, ProblemError, UsageError } from '../../../src/command-line/exit-codes.ts';
import { fields, table } from '../../../src/command-line/tables.ts';
import { visible, visibleJson, visibleLines } from '../../../src/command-line/visible-text.ts';

const MOVES_THE_CURSOR = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const hostile = [
  'Treasury\u001b[2K\u001b[1Aamount  0.01',
  'pay\rrefused',
  'a\u202e0x1234\u202c',
  'two\nlines',
  'c1\u009b2J',
  'zero\u200bwidth',
  'tag\u{e0041}',
  'half\ud800',
];

test.each(hostile)('%j moves no cursor', (name) => {
  const rows = [{ name, amount: '1' }];
  const lines = [
    ...table(rows, [
      ['NAME', (row) => row.name],
      ['AMOUNT', ({ amount }) => amount, 'right'],
    ]).split('\n'),
    ...fields({ name, inside: { [name]: name } }).split('\n'),
    visible(name),
    visibleJson({ name }),
    ...visibleLines(name).split('\n'),
  ];
  expect(lines.filter((line) => MOVES_THE_CURSOR.test(line))).toEqual([]);
  // A table with its heading, two fields, each with the end of its last line, and what follows.
  expect(lines.slice(0, 6).map((line) => line === '')).toEqual([false, false, true, false, false, true]);
});

test('a script reads what was said, whatever it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary', maxLength: 20 }), (value, text) => {
      const line = visibleJson({ value, text });
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      expect(line).not.toMatch(MOVES_THE_CURSOR);
    }),
  );
});

test('columns stand in line, and numbers at their right', () => {
  const rows = [
    { name: 'one', amount: '12.5' },
    { name: 'zürich', amount: '0.25', more: null },
  ];
  expect(
    table(rows, [
      ['NAME', ({ name }) => name],
      ['AMOUNT', ({ amount }) => amount, 'right'],
      ['MORE', ({ more }) => more],
    ]),
  ).toBe('NAME    AMOUNT  MORE\none       12.5\nzürich    0.25\n');
});

test('a record is its fields, and what lies inside is named by both', () => {
  const record = {
    id: 'w',
    amount: 1,
    none: undefined,
    list: ['a', 'b'],
    approval: { digest: 'd', votes: [{ by: 'u' }] },
  };
  expect(fields(record)).toBe(
    'id                   w\namount               1\nlist                 a, b\napproval.digest      d\napproval.votes.0.by  u\n',
  );
});

test('the columns of a file are one line', () => {
  const columns = [
    { name: 'id', type: 'id' },
    { name: 'at\u001b[2J', type: 'moment' },
  ];
  expect(fields({ columns })).toBe('columns  id (id), at\\u{1b}[2J (moment)\n');
});

describe('the exit code', () => {
  const refused = (status: number, code = 'x') =>
    new CountersignError(status, code, 'why', new Headers({ 'x-request-id': 'r-1' }));
  test.each([
    [new UsageError('u'), 2],
    [refused(400), 3],
    [refused(401), 3],
    [refused(404), 3],
    [refused(409), 3],
    [refused(503, 'route_disabled'), 3],
    [new OperationFailedError('o', {}), 4],
    [new OperationOpenError('o', 1), 5],
    [refused(429), 6],
    [refused(503), 6],
    [new UnreachableError('https://x', new TypeError('fetch failed')), 6],
    [new ProblemError('p'), 7],
    [new Error('e'), 1],
  ])('of %s is %i', (error, code) => {
    expect(describeEnd(error, false).code).toBe(code);
  });

  test('the sentence has the request, and why nothing was reached, and is safe to look at', () => {
    expect(describeEnd(refused(403), false).sentence).toBe('403 x: why (request r-1)');
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
    expect(describeEnd(new UnreachableError('https://x', cause), false).sentence).toContain('(ECONNREFUSED)');
    expect(describeEnd(new Error('\u001b[2J'), false).sentence).not.toMatch(MOVES_THE_CURSOR);
    expect(describeEnd(new Error('aborted'), true).code).toBe(130);
  });
});
