// Holds a bill of materials to the schema of CycloneDX, by the library of its makers, which is installed once, into
// build/. Needs the npm registry the first time.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const LIBRARY = '@cyclonedx/cyclonedx-library';
const PACKAGES = {
  [LIBRARY]: '10.3.0',
  ajv: '8.20.0',
  'ajv-formats': '3.0.1',
  'ajv-formats-draft2019': '1.6.1',
};
const directory = resolve(import.meta.dirname, `../../../build/cyclonedx-${PACKAGES[LIBRARY]}`);

type Library = {
  Validation: { JsonStrictValidator: new (version: string) => { validate(text: string): Promise<object | null> } };
};

/** Unknown fields are faults too. */
export async function findFaults(bill: Record<string, unknown>): Promise<object[]> {
  await install();
  const { Validation } = createRequire(join(directory, 'package.json'))(LIBRARY) as Library;
  const fault = await new Validation.JsonStrictValidator(String(bill['specVersion'])).validate(JSON.stringify(bill));
  return fault === null ? [] : [fault];
}

async function install(): Promise<void> {
  const complete = join(directory, 'complete');
  if (existsSync(complete)) return;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: directory });
  writeFileSync(complete, '');
}
