// Writes openapi.json from the routes' schemas. With --check it only says whether the committed document is still true.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeApi } from '../src/describe-api.ts';

const FILE = 'openapi.json';
const document = `${JSON.stringify(await describeApi(), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(FILE, document);
else if (readFileSync(FILE, 'utf8') !== document) {
  console.log(`${FILE} is out of date: run npm run generate.`);
  process.exitCode = 1;
}
