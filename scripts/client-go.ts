// Writes the types and the operations of the Go client from openapi.json, the types by oapi-codegen. With --check it
// only says whether the committed files are still true. Needs Go: without it, the files stay as they are.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from './client-packages/document.ts';
import { documentForGo, goOperations } from './client-packages/go-operations.ts';

const FOLDER = 'clients/go';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const SETTINGS = `package: api
generate:
  models: true
output-options:
  skip-prune: true
  name-normalizer: ToCamelCaseWithInitialisms
`;
const isCheck = process.argv.includes('--check');

if (hasGo()) write();
else console.log('There is no go on the PATH: the client for Go stays as it is.');

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function write(): void {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
  const moduleName = /^module (.*)$/m.exec(readFileSync(`${FOLDER}/go.mod`, 'utf8'))?.[1] ?? '';
  const typesText = oapiCodegen(documentForGo(document));
  const types = [...typesText.matchAll(/^type (\w+) /gm)].map(([, name = '']) => [name.toLowerCase(), name] as const);
  const operations = goOperations(document, new Map(types), moduleName);
  keep(`${FOLDER}/api/api.gen.go`, typesText);
  keep(`${FOLDER}/operations.gen.go`, execFileSync('gofmt', { input: operations, encoding: 'utf8' }));
}

function oapiCodegen(document: Document): string {
  const place = mkdtempSync(join(tmpdir(), 'countersign-go-'));
  try {
    writeFileSync(join(place, 'openapi.json'), JSON.stringify(document));
    writeFileSync(join(place, 'settings.yaml'), SETTINGS);
    const args = ['run', OAPI_CODEGEN, '-config', 'settings.yaml', 'openapi.json'];
    const maxBuffer = 64 * 1024 * 1024;
    return execFileSync('go', args, {
      cwd: place,
      encoding: 'utf8',
      maxBuffer,
      env: { ...process.env, GOFLAGS: '-mod=mod' },
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function keep(path: string, text: string): void {
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.log(`${path} is out of date: run npm run generate.`);
    process.exitCode = 1;
  }
}
