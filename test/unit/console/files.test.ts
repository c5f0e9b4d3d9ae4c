// Goal: a file that is downloaded at the console is handed over only as it was written: cut off, longer or with one
// other byte it is not. Method: files of pieces as they come, with characters of several bytes, and one that says to
// be too large to be looked at whole.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { assertWhole, gather } from '../../../console/client/files.ts';

const TEXT = 'id,name\n1,Zürich 🔑\n2,"a, b"\n';
const factsOf = (text: string) => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});

async function* piecesOf(...pieces: string[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces.map((piece) => Buffer.from(piece));
}

test('pieces become the file, and how much has come is told', async () => {
  const told: number[] = [];
  const large = 'é'.repeat(9 * 1024 * 1024);
  const file = await gather(piecesOf(TEXT, large, TEXT), (bytes) => told.push(bytes));
  expect(await file.text()).toBe(TEXT + large + TEXT);
  expect(told.length).toBeGreaterThan(1);
  expect(told.at(-1)).toBe(file.size);
  expect(told).toEqual(told.toSorted((one, other) => one - other));
});

test('the whole file is taken', async () => {
  await assertWhole(await gather(piecesOf(TEXT.slice(0, 9), TEXT.slice(9))), factsOf(TEXT));
  await assertWhole(await gather(piecesOf()), factsOf(''));
});

test.each([
  ['cut off', TEXT.slice(0, -1)],
  ['longer', `${TEXT}\n`],
  ['with another byte', TEXT.replace('1', '9')],
])('one that is %s is refused', async (_how, text) => {
  await expect(assertWhole(await gather(piecesOf(text)), factsOf(TEXT))).rejects.toThrow('download it once more');
});

test('of a very large one its length decides', async () => {
  const bytes = 10 * 1024 ** 3;
  const large = { size: bytes } as Blob;
  await assertWhole(large, { bytes, sha256: 'not looked at' });
  await expect(assertWhole(large, { bytes: bytes + 1, sha256: 'not looked at' })).rejects.toThrow();
});
