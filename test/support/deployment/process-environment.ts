// Whether a process starts with the environment that a deployment gives it: its configuration is read as the process
// reads it, with the files of secrets where the test has them. What a process would ignore is a fault here.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readMigrateConfig, readServerConfig, readWorkerConfig } from '../../../src/process/config.ts';
import { variablesByReader } from '../../../src/process/configuration-variables.ts';

const readers = {
  API: readServerConfig,
  worker: readWorkerConfig,
  'database commands': readMigrateConfig,
} as const;
export type Reader = keyof typeof readers;

/** What Node.js, the C library and the exporter of traces read themselves. */
const OF_OTHERS = /^(GLIBC_TUNABLES|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|OTEL_\w+)$/;

export const secretVariables: ReadonlySet<string> = new Set(
  Object.values(variablesByReader).flatMap((variables) =>
    Object.keys(variables).filter((name) => (variables[name] as { secret?: boolean }).secret === true),
  ),
);

/** Throws the sentence with which the process would end, or one about what has no place there. */
export function assertStarts(
  reader: Reader,
  environment: Readonly<Record<string, string>>,
  fileOf: (path: string) => string,
): void {
  const known = Object.keys(variablesByReader[reader] ?? {});
  const given = Object.entries(environment).map(([name, value]) => {
    const secret = name.replace(/_FILE$/, '');
    if (secretVariables.has(name)) throw new Error(`${name} is a secret and belongs in a file.`);
    if (secret !== name && secretVariables.has(secret) && known.includes(secret)) return [name, fileOf(value)];
    if (!known.includes(name) && !OF_OTHERS.test(name)) throw new Error(`${name} is no variable of: ${reader}.`);
    return [name, value];
  });
  readers[reader](Object.fromEntries(given));
}

/** Secrets of an installation, in a folder of their own, and where the one is that a path ends with. */
export function exampleSecrets(): { directory: string; fileOf: (path: string) => string } {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  const database = '@db.internal:5432/countersign?sslmode=verify-full';
  const texts = {
    'database-url': `postgres://service:example${database}`,
    'database-owner-url': `postgres://owner:example${database}`,
    'key-encryption-key': Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)).toString('hex'),
    'key-encryption-key-previous': Buffer.from(Array.from({ length: 32 }, (_, byte) => 255 - byte)).toString('hex'),
    'metrics-token': 'example-token-of-the-metrics',
    'rpc-urls': 'ETHEREUM_MAINNET=https://one.example/key',
    'rpc-urls-second': 'ETHEREUM_MAINNET=https://two.example/key',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, name), `${text}\n`);
  return { directory, fileOf: (path) => join(directory, basename(path)) };
}
