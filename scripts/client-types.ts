// Writes the client's types from openapi.json. With --check it only says whether the committed file is still true.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const SOURCE = 'openapi.json';
const FILE = 'src/client/api.gen.ts';
const HEAD = `// The service's interface as types, made from ${SOURCE} by scripts/client-types.ts: run npm run generate. Errors have one shape, and are left out.\n`;

const document = JSON.parse(readFileSync(SOURCE, 'utf8')) as OpenAPI3;
for (const methods of Object.values(document.paths ?? {}))
  for (const { responses = {} } of Object.values(methods as Record<string, { responses?: Record<string, object> }>))
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
const text = HEAD + astToString(await openapiTS(document));

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.log(`${FILE} is out of date: run npm run generate.`);
  process.exitCode = 1;
}
