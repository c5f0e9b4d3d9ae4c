// Options that several commands have, and how what is typed is read.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WriteOptions } from '../client/client.ts';
import { UsageError } from './exit-codes.ts';
import type { ListOptions } from './session.ts';
import type { Terminal } from './terminal.ts';

const SHOWN_ROWS = 50;
const PAGE_ROWS_MAX = 100;
const WAIT_SECONDS = 120;
const DAY_SECONDS = 86_400;

/** A filter of a list: its option, and the parameter of the API. */
type Filters = Readonly<Record<string, string>>;
type Chosen = Record<string, unknown> & ListOptions;

export function withListOptions(command: Command, filters: Filters = {}): Command {
  for (const [flag, parameter] of Object.entries(filters))
    command.option(`--${flag} <value>`, `only these (${parameter}); several with commas between them`);
  return command
    .option('--limit <rows>', 'how many are shown', readWhole, SHOWN_ROWS)
    .option('--all', 'all of them, however many there are');
}

/** What is asked of the service: no larger a page than is shown. */
export function queryOf(options: Chosen, filters: Filters = {}): Record<string, string | number> {
  const chosen = Object.entries(filters).flatMap(([flag, parameter]) => {
    const value = options[flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    return typeof value === 'string' ? [[parameter, value] as const] : [];
  });
  const rows = options.all === true ? PAGE_ROWS_MAX : Math.min(options.limit + 1, PAGE_ROWS_MAX);
  return { ...Object.fromEntries(chosen), limit: rows };
}

export interface WriteChoices {
  idempotencyKey?: string;
}

/** The service does the work once, whoever asks again with the same key. */
export function withWriteOptions(command: Command): Command {
  return command.option('--idempotency-key <key>', 'with the same key and content the work is done once');
}

export const writeOptionsOf = ({ idempotencyKey }: WriteChoices): WriteOptions =>
  idempotencyKey === undefined ? {} : { idempotencyKey };

export interface WaitChoices {
  wait?: true | number;
}

export function withWaitOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--wait [seconds]',
      `until it is final, ${WAIT_SECONDS} seconds at most unless you say otherwise`,
    ).argParser(readWait),
  );
}

/** Whoever writes `--wait` before an argument gives it that argument. */
function readWait(text: string): number {
  if (/^\d/.test(text)) return readWhole(text);
  throw new InvalidArgumentError('It must be a whole number from 1, and where it is left out --wait comes last.');
}

/** Undefined when nobody waits. */
export const waitMs = ({ wait }: WaitChoices): number | undefined =>
  wait === undefined ? undefined : (wait === true ? WAIT_SECONDS : wait) * 1000;

export function readWhole(text: string): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

export function readSeconds(text: string): number {
  const value = readWhole(text);
  if (value > DAY_SECONDS * 365) throw new InvalidArgumentError('It must be less than a year.');
  return value;
}

export function readMoment(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('It must be a moment, as in 2026-01-31T12:00:00Z.');
  return at.toISOString();
}

export const readList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What is meant by `-` (standard input), `@FILE` or the text itself. */
export async function readContent(terminal: Terminal, text: string): Promise<string> {
  if (text === '-') return terminal.readInput();
  if (!text.startsWith('@')) return text;
  try {
    return readFileSync(resolve(terminal.folder, text.slice(1)), 'utf8');
  } catch (error) {
    throw new UsageError(`${text.slice(1)} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

export async function readJson(terminal: Terminal, text: string): Promise<unknown> {
  const content = await readContent(terminal, text);
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw new UsageError('What was given is no JSON.');
  }
}

/** Without what was not given. */
export function given<Values extends object>(values: Values): { [Name in keyof Values]: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
