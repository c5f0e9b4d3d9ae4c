// The verifier of mpc/audit/verifier, and copies of transcripts in which one value is another one.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

export type Json = number | string | Json[] | { [name: string]: Json };
export type Place = readonly (number | string)[];

const python = process.env['PYTHON'] ?? 'python3';
const hasPython = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
/** Who contributes without Python is not held up. */
export const hasVerifier = hasPython || process.env['CI'] !== undefined;
export const root = resolve(import.meta.dirname, '../../..');
const verifier = join(root, 'mpc/audit/verifier/verify.py');

/** One process for all: what copies have in common is computed once. */
export async function verify(...files: string[]): Promise<{ output: string; refusal: string }> {
  const run = promisify(execFile)(python, ['-B', verifier, ...files]);
  const { stdout, stderr } = await run.catch((error: Error & { stdout: string; stderr: string }) => error);
  return { output: stdout, refusal: stderr };
}

/** A case by its name, the value that is altered, what becomes of it, and why the verifier has to refuse the copy. */
export type Alteration = [name: string, place: Place, change: (value: Json) => Json, reason: RegExp];

/** A test of each copy of `original` with one value altered, which all are made before the first one. */
export function refusesEach(original: () => string, directory: string, alterations: readonly Alteration[]): void {
  let refusals: string[];
  beforeAll(async () => {
    const files = alterations.map(([name, place, change]) => altered(original(), join(directory, name), place, change));
    const { output, refusal } = await verify(...files);
    expect(output).toBe('');
    const lines = refusal.trim().split('\n');
    refusals = files.map((file) => lines.find((line) => line.startsWith(`${file}: `)) ?? 'it was not refused');
  }, 10 * 60_000);
  test.each(alterations.map(([name, , , reason], index) => ({ name, reason, index })))('$name', ({ reason, index }) => {
    expect(refusals[index]).toMatch(/: refused: /);
    expect(refusals[index]).toMatch(reason);
  });
}

/** What stands at a place, which has to be there. */
export function at(json: Json, place: Place): Json {
  const value = place.reduce<Json | undefined>((inner, name) => (inner as Record<string, Json>)?.[name], json);
  if (value === undefined) throw new Error(`There is nothing at ${place.join('.')}.`);
  return value;
}

export function hexOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error('There are no bytes here.');
  return value;
}

/** One bit of the byte at `position`, counted from the end if it is negative. */
function flipped(hex: Json, position: number): string {
  const bytes = Buffer.from(hexOf(hex), 'hex');
  const index = position < 0 ? bytes.length + position : position;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString('hex');
}

/** The path of a copy of a file, whose name begins with `prefix`, with what `change` makes of the value at `place`. */
function altered(original: string, prefix: string, place: Place, change: (value: Json) => Json): string {
  const transcript = JSON.parse(readFileSync(original, 'utf8')) as Json;
  const holder = at(transcript, place.slice(0, -1)) as Record<string, Json>;
  holder[String(place.at(-1))] = change(at(transcript, place));
  const file = `${prefix} in ${basename(original)}`;
  writeFileSync(file, JSON.stringify(transcript));
  return file;
}

export const bit = (position: number) => (value: Json) => flipped(value, position);
export const put = (other: Json) => () => other;
export const operations = { generate: 0, sign: 1, signByChild: 2, refresh: 3, signRefreshed: 4, repair: 5 } as const;
export const message = (operation: keyof typeof operations, round: number, from: number, to: number): Place => [
  'operations',
  operations[operation],
  'rounds',
  round - 1,
  String(from),
  String(to),
];
export const result = (operation: keyof typeof operations, node: number, name: string): Place => [
  'operations',
  operations[operation],
  'results',
  String(node),
  name,
];
