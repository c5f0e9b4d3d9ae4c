// Writes the shapes and the operations of the Python client from openapi.json. With --check it only says whether the
// committed files are still true.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Document } from './client-packages/document.ts';
import { pythonModels } from './client-packages/python-models.ts';
import { pythonOperations } from './client-packages/python-operations.ts';

const FOLDER = 'clients/python/src/countersign';

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
const files = { 'models.py': pythonModels(document), 'operations.py': pythonOperations(document) };
for (const [name, text] of Object.entries(files)) {
  const path = `${FOLDER}/${name}`;
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.log(`${path} is out of date: run npm run generate.`);
    process.exitCode = 1;
  }
}
