// Writes openapi.json from the routes' schemas. With --check it only says whether the committed document is still true.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeApi } from '../src/describe-api.ts';

const FILE = 'openapi.json';
const LINE_WIDTH = 120;

const document = `${print(await describeApi(), '')}\n`;
if (!process.argv.includes('--check')) writeFileSync(FILE, document);
else if (readFileSync(FILE, 'utf8') !== document) {
  console.log(`${FILE} is out of date: run npm run generate.`);
  process.exitCode = 1;
}

/** JSON of which what fits a line is on one: a third of the bytes are indentation otherwise. */
function print(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_WIDTH) return line;
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, of]) => of !== undefined)
    .map(([key, of]) => `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${print(of, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
