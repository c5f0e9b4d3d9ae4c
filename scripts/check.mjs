// `npm run check`: everything that can be known without running the product. Under two minutes.
import { delimiter, resolve } from 'node:path';
import { runSteps } from './run-steps.mjs';

// The linter of the document asks nobody whether there is a newer one, and reports to nobody.
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`;

const FOLDERS = ['src', 'workflows', 'activities', 'drizzle', 'domain', 'console'];

const node = (name, ...args) => ({ name, command: process.execPath, args });
const tool = (name, command, ...args) => ({ name, command, args });

const failed = await runSteps([
  tool('types', 'tsc', '-b'),
  tool('format', 'biome', 'ci', '.'),
  tool('lint', 'oxlint', '--type-aware', '--deny-warnings', '.'),
  tool('arrows', 'depcruise', '--config', '.dependency-cruiser.mjs', ...FOLDERS),
  node('arrow diagram in ARCHITECTURE.md', 'scripts/arrows.mjs', '--check'),
  tool('unused code', 'knip'),
  tool('migrations match the tables', 'drizzle-kit', 'check'),
  tool(
    'documents, rooms, and lines within the width',
    'vitest',
    'run',
    'test/unit/documents',
    'test/unit/architecture/rooms.test.ts',
  ),
  node('bundle', 'scripts/build.mjs'),
  node('openapi.json matches the routes', '--import', 'tsx', 'scripts/openapi.ts', '--check'),
  tool('lint of openapi.json', 'redocly', 'lint', 'openapi.json'),
  node('nothing breaks callers of the last release', 'scripts/breaking-changes.mjs'),
  node('client types match openapi.json', '--import', 'tsx', 'scripts/client-types.ts', '--check'),
  node('Python client matches openapi.json', '--import', 'tsx', 'scripts/client-python.ts', '--check'),
  node(
    'docs/configuration.md matches the variables',
    '--import',
    'tsx',
    'scripts/configuration-reference.ts',
    '--check',
  ),
  node('docs/failures.md matches the codes', '--import', 'tsx', 'scripts/failure-reference.ts', '--check'),
  node('arrows of the node program', 'scripts/crate-arrows.mjs', '--check'),
  tool('format of the node program', 'cargo', 'fmt', '--check', '--manifest-path', 'mpc/Cargo.toml'),
  tool('format of the model', 'cargo', 'fmt', '--check', '--manifest-path', 'mpc/audit/model/Cargo.toml'),
  tool('format of the measurements', 'cargo', 'fmt', '--check', '--manifest-path', 'mpc/audit/timing/Cargo.toml'),
  tool(
    'format of the interleavings',
    'cargo',
    'fmt',
    '--check',
    '--manifest-path',
    'mpc/audit/interleavings/Cargo.toml',
  ),
]);
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
