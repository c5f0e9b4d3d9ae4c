// What `npm run demo -- --kill` adds: while withdrawals are under way it kills parts of the running `npm start`, asks
// for signatures meanwhile, and in the end finds in the feed of events that every operation ended once. It kills what
// run.json names, by pid and start time, and nothing else.
import { dirname, join } from 'node:path';
import type { CountersignClient } from '../client/client.ts';
import { stopProcess } from '../local/processes/process-identity.ts';
import { readRecordedParts } from '../local/processes/running-parts.ts';
import { show, type TimelineReporter } from './report.ts';

/** Each after a pause: the node while the worker is away, and Temporal when the worker has about come back. */
const KILLED = [
  { name: 'worker', afterMs: 1_500 },
  { name: 'MPC node 1', afterMs: 700 },
  { name: 'Temporal', afterMs: 4_000 },
];
const SIGNATURES_EACH = 4;
const ENDED_WITHIN_MS = 5_000;
const WAIT_MS = 180_000;
const finalTypes = [
  'signing.success',
  'signing.failed',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
] as const;

/** Beside the credentials of a start lies its run.json. */
export const runFileOf = (credentialsFile: string): string => join(dirname(credentialsFile), 'run.json');

/** Kills one part after the other and asks for signatures after each. Resolves with their ids when all are signed. */
export async function killParts(
  client: CountersignClient,
  walletId: string,
  runFile: string,
  report: TimelineReporter,
): Promise<string[]> {
  const asked: Promise<string>[] = [];
  for (const { name, afterMs } of KILLED) {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await kill(runFile, name, report);
    for (let index = 1; index <= SIGNATURES_EACH; index += 1) asked.push(sign(client, walletId, name, index));
  }
  const signed = await Promise.all(asked);
  report('signatures', `${signed.length} were asked for while parts were away, and are there`);
  return signed;
}

async function kill(runFile: string, name: string, report: TimelineReporter): Promise<void> {
  const part = readRecordedParts(runFile).find((each) => each.name === name);
  if (part === undefined) return report(name, 'does not run beside this start: left alone');
  await stopProcess(part, 'SIGKILL', ENDED_WITHIN_MS);
  report(name, `killed (kill -9 ${part.pid})`);
}

async function sign(client: CountersignClient, walletId: string, killed: string, index: number): Promise<string> {
  const body = { network_internal_code: 'ETHEREUM_SANDBOX', message: `Signature ${index} after the end of ${killed}` };
  const { signing_id } = await client.signMessage(walletId, body).wait({ timeoutMs: WAIT_MS });
  return signing_id;
}

/** Throws when the feed has no final event of one of these operations, or two. */
export async function checkEndedOnce(client: CountersignClient, operationIds: readonly string[]): Promise<void> {
  const ends = new Map<string, string[]>(operationIds.map((id) => [id, []]));
  for await (const { type, data } of client.events({ type: [...finalTypes] }))
    if ('id' in data) ends.get(data.id)?.push(type);
  for (const [id, types] of ends)
    if (types.length !== 1) throw new Error(`Operation ${id} ended ${types.length} times: ${types.join(', ')}.`);
  console.log('\nEvents');
  show('ended once', `${ends.size} of ${ends.size} operations, by the feed`);
}
