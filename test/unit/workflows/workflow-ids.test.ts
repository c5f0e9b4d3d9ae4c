// Goal: a workflow's id is its type in words and the id of its row, made in one place; what is of before ids carried
// the type keeps its bare id. Method: each type that a worker runs, and the texts of the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowIdOf, workflowIdOf, workflowIdOfRow } from '../../../domain/workflow-ids.ts';
import * as workflows from '../../../workflows/index.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const types = Object.keys(workflows);

describe('the id of a workflow', () => {
  test.each([
    ['sign', `sign-${id}`],
    ['withdraw', `withdraw-${id}`],
    ['createWallet', `create-wallet-${id}`],
    ['deliverWebhooks', `deliver-webhooks-${id}`],
    ['rescanTransaction', `rescan-transaction-${id}`],
    ['fundFromFaucet', `fund-from-faucet-${id}`],
    ['mineBlocks', `mine-blocks-${id}`],
  ])('of %s is %s', (type, expected) => {
    expect(workflowIdOf(type, id)).toBe(expected);
  });

  test.each(types)('of %s leads back to its row, and so does a bare one', (type) => {
    expect(rowIdOf(type, workflowIdOf(type, id))).toBe(id);
    expect(rowIdOf(type, id)).toBe(id);
  });

  test('is another one for each type', () => {
    expect(new Set(types.map((type) => workflowIdOf(type, id))).size).toBe(types.length);
  });

  test('is what the row says, and the bare id where it says nothing', () => {
    expect(workflowIdOfRow({ id, workflowId: workflowIdOf('sign', id) })).toBe(`sign-${id}`);
    expect(workflowIdOfRow({ id, workflowId: null })).toBe(id);
  });
});

test('no other file spells the beginning of an id', () => {
  const beginnings = types.map((type) => workflowIdOf(type, ''));
  const spelt = new RegExp(`[\`'"](?:${beginnings.join('|')})(?:[\`'"]|\\$\\{)`);
  const files = ['src', 'workflows', 'activities', 'drizzle'].flatMap((folder) =>
    readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const sources = files.filter((path) => path.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((path) => spelt.test(readFileSync(path, 'utf8')))).toEqual([]);
});
