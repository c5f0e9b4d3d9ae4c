// A secret that is made once and kept in a file only its owner reads. Never prints or returns it anywhere else.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAtomically } from './atomic-file.ts';

export function readOrMakeSecret(path: string, encoding: 'hex' | 'base64url'): string {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, `${randomBytes(32).toString(encoding)}\n`, 0o600);
  }
  chmodSync(path, 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length === 0) throw new Error(`${path} is empty: remove it together with the data it protects.`);
  return secret;
}
