// Goal: a change of the interface that breaks callers of the last release is found before it is merged. Method: the
// check of `npm run check` itself, on documents of which each has one thing less or asks for one thing more than the
// released one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findBreaks, hasGo } from '../../scripts/breaking-changes.mjs';

const released = resolve(import.meta.dirname, '../../openapi-released.json');
/** The tool may have to be compiled first. */
const WITHIN_MS = 600_000;

interface Shape {
  properties: Record<string, unknown>;
  required: string[];
}
interface Document {
  paths: Record<string, unknown>;
  components: { schemas: Record<string, Shape> };
}

const directory = mkdtempSync(join(tmpdir(), 'countersign-breaks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function changed(change: (document: Document) => void): string {
  const document = JSON.parse(readFileSync(released, 'utf8')) as Document;
  change(document);
  const path = join(directory, 'changed.json');
  writeFileSync(path, JSON.stringify(document));
  return path;
}

function listed(...lines: string[]): string {
  const path = join(directory, 'meant.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function shapeOf(document: Document, name: string): Shape {
  const shape = document.components.schemas[name];
  if (shape === undefined) throw new Error(`the document has no ${name}`);
  return shape;
}

function requireExternalId(document: Document): void {
  shapeOf(document, 'CreateWalletBody').required.push('external_id');
}

describe.skipIf(!hasGo() && !process.env['CI'])('against the released document', { timeout: WITHIN_MS }, () => {
  test.each<[string, (document: Document) => void, string]>([
    ['an endpoint that is gone', ({ paths }) => delete paths['/api/v1/assets'], 'GET /api/v1/assets'],
    [
      'a property of an answer that is gone',
      (document) => {
        const network = shapeOf(document, 'Network');
        delete network.properties['is_evm'];
        network.required = network.required.filter((name) => name !== 'is_evm');
      },
      'is_evm',
    ],
    ['a property of a body that has to be sent', requireExternalId, 'became required'],
  ])('%s is found', (_name, change, words) => {
    const { isBroken, report } = findBreaks({ released, current: changed(change), meant: listed() });
    expect({ isBroken, report }).toEqual({ isBroken: true, report: expect.stringContaining(words) });
  });

  test('what is only added is none', () => {
    const current = changed((document) => {
      shapeOf(document, 'Network').properties['explorer_url'] = { type: 'string' };
      shapeOf(document, 'CreateWalletBody').properties['color'] = { type: 'string' };
    });
    expect(findBreaks({ released, current, meant: listed() }).isBroken).toBe(false);
  });

  test('one that is listed as meant passes, and no other with it', () => {
    const meant = listed(
      '# Every wallet is named by its caller from this release on.',
      'POST /api/v1/wallets the request property `external_id` became required',
    );
    expect(findBreaks({ released, current: changed(requireExternalId), meant }).isBroken).toBe(false);
    const current = changed((document) => {
      requireExternalId(document);
      delete document.paths['/api/v1/assets'];
    });
    expect(findBreaks({ released, current, meant }).report).not.toContain('external_id');
    expect(findBreaks({ released, current, meant }).isBroken).toBe(true);
  });
});
