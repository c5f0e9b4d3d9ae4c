// The two operator's commands by which something that raised an alarm is understood and put away: `list [--all]` and
// `resolve ID --note TEXT`. Commands and no endpoints: whoever has stolen an API key must not be able to call an alarm
// off. What is resolved stays, with its time and note, and is in the audit log.
import { parseArgs } from 'node:util';
import { connectDatabase, type Database, type Transaction } from '../../drizzle/database/connection.ts';
import { ConfigError, readMigrateConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';

const NOTE_CHARACTERS_MAX = 1_000;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Resolving<Id> {
  /** As npm knows the command. */
  name: string;
  /** What is listed, in the singular. */
  what: string;
  usage: string;
  readId(text: string): Id | undefined;
  /** A text for each, the newest first. */
  list(db: Database, options: { all: boolean }): Promise<string[]>;
  /** False when there is none that is unresolved. */
  resolve(tx: Transaction, id: Id, note: string): Promise<boolean>;
  /** `--withdrawal`: it was the payment of this one. Answers why it cannot be; absent where there is no such thing. */
  resolveAsPayment?(
    tx: Transaction,
    id: Id,
    payment: { note: string; withdrawalId: string },
  ): Promise<string | undefined>;
  /** What the operator hears besides. */
  afterwards?: string;
}

export function runResolvingCommand<Id>(command: Resolving<Id>): void {
  run(command).catch((error: Error) => {
    console.error(describeFailure(error));
    process.exitCode = 1;
  });
}

async function run<Id>(command: Resolving<Id>): Promise<void> {
  const requested = readArguments(command);
  const { DATABASE_URL } = readMigrateConfig(process.env);
  const connection = connectDatabase(DATABASE_URL, { poolSize: 1, name: `countersign-${command.name}` });
  try {
    for (const line of await answer(connection.db, command, requested)) console.log(line);
  } finally {
    await connection.close();
  }
}

type Requested<Id> =
  | { verb: 'list'; all: boolean }
  | { verb: 'resolve'; id: Id; spelled: string; note: string; withdrawalId?: string | undefined };

async function answer<Id>(db: Database, command: Resolving<Id>, requested: Requested<Id>): Promise<string[]> {
  if (requested.verb === 'list') {
    const found = await command.list(db, requested);
    return found.length > 0 ? found : [requested.all ? 'There was none.' : 'None is unresolved.'];
  }
  await db.transaction((tx) => resolveOne(tx, command, requested));
  return [[`${requested.spelled} is resolved.`, ...(command.afterwards ? [command.afterwards] : [])].join(' ')];
}

async function resolveOne<Id>(
  tx: Transaction,
  command: Resolving<Id>,
  { id, spelled, note, withdrawalId }: Extract<Requested<Id>, { verb: 'resolve' }>,
): Promise<void> {
  if (withdrawalId !== undefined) {
    const refusal = await command.resolveAsPayment?.(tx, id, { note, withdrawalId });
    if (refusal !== undefined) throw new ConfigError(refusal);
  } else if (!(await command.resolve(tx, id, note)))
    throw new ConfigError(`There is no unresolved ${command.what} ${spelled}.`);
}

function readArguments<Id>(command: Resolving<Id>): Requested<Id> {
  try {
    const text = { type: 'string' } as const;
    const options = { all: { type: 'boolean' }, note: text, withdrawal: text } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [verb, spelled = '', ...more] = positionals;
    const { all = false, note, withdrawal: withdrawalId } = values;
    if (verb === 'list' && positionals.length === 1 && note === undefined && withdrawalId === undefined)
      return { verb, all };
    const id = command.readId(spelled);
    const isNote = note !== undefined && note.trim() !== '' && note.length <= NOTE_CHARACTERS_MAX;
    const isWithdrawal = withdrawalId === undefined || (command.resolveAsPayment && UUID.test(withdrawalId));
    if (verb === 'resolve' && id !== undefined && more.length === 0 && !all && isNote && isWithdrawal)
      return { verb, id, spelled: spelled.toLowerCase(), note, withdrawalId };
  } catch {} // said below
  throw new ConfigError(command.usage);
}
