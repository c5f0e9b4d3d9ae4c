// Goal: those who ask at once are served by one statement, one that comes alone waits for nobody, and neither a
// statement that fails nor one that hangs takes anything from the others. Method: statements that the test answers
// itself.
import { expect, test } from 'vitest';
import { servedTogether } from '../../../drizzle/database/served-together.ts';

interface Statement {
  items: readonly string[];
  answer: () => void;
  fail: () => void;
}

function served(most = 100, lateMs = 60_000) {
  const statements: Statement[] = [];
  const ask = servedTogether<string, string>({
    most,
    lateMs,
    all: (items) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(items.map((item) => `${item}!`));
        statements.push({ items, answer, fail: () => reject(new Error(`of ${items.join()}`)) });
      }),
  });
  return { statements, ask, itemsOf: () => statements.map(({ items }) => items.join('')) };
}

const turn = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

test('what is asked for in one turn goes together, and what comes meanwhile goes together after it', async () => {
  const { statements, ask, itemsOf } = served();
  const first = Promise.all([ask('a'), ask('b')]);
  await turn();
  const second = Promise.all([ask('c'), ask('d'), ask('e')]);
  await turn();
  expect(itemsOf()).toEqual(['ab']);
  statements[0]?.answer();
  expect(await first).toEqual(['a!', 'b!']);
  await turn();
  expect(itemsOf()).toEqual(['ab', 'cde']);
  statements[1]?.answer();
  expect(await second).toEqual(['c!', 'd!', 'e!']);
});

test('no statement takes more than it may', async () => {
  const { statements, ask, itemsOf } = served(2);
  const asked = Promise.all(['a', 'b', 'c'].map(ask));
  await turn();
  expect(itemsOf()).toEqual(['ab']);
  statements[0]?.answer();
  await turn();
  expect(itemsOf()).toEqual(['ab', 'c']);
  statements[1]?.answer();
  expect(await asked).toEqual(['a!', 'b!', 'c!']);
});

test('a statement that fails is made for each by itself: one that cannot be served harms no other', async () => {
  const { statements, ask, itemsOf } = served();
  const asked = Promise.allSettled([ask('a'), ask('b')]);
  await turn();
  statements[0]?.fail();
  await turn();
  expect(itemsOf()).toEqual(['ab', 'a', 'b']);
  statements[1]?.fail();
  statements[2]?.answer();
  expect(await asked).toMatchObject([{ reason: { message: 'of a' } }, { value: 'b!' }]);
});

test('one that hangs holds up those who come after it for a moment only', async () => {
  const { statements, ask, itemsOf } = served(100, 20);
  const hanging = ask('a');
  await turn();
  const other = ask('b');
  await turn(60);
  expect(itemsOf()).toEqual(['a', 'b']);
  statements[1]?.answer();
  expect(await other).toBe('b!');
  const later = ask('c');
  await turn();
  statements[2]?.answer();
  expect(await later).toBe('c!');
  statements[0]?.answer();
  expect(await hanging).toBe('a!');
});
