// The operator's command for a network that is halted, or that its node cannot tell enough of: `npm run resume-network
// -- --network CODE [--from BLOCK] [--skip-traces-until BLOCK]`. Without a block the node was wrong and has been
// replaced: reading goes on where it stopped. With one the chain itself has changed from there on: what was read from
// that block on is taken back as by a reorganisation, and read again. May be repeated.
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { resumeNetwork } from '../../drizzle/deposits/network-steps.ts';
import { findNetworkByCode, findNetworkState } from '../../drizzle/networks/network-states.ts';
import { ConfigError, readMigrateConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';

const USAGE = `Usage: npm run resume-network -- --network CODE [--from BLOCK] [--skip-traces-until BLOCK]
  --network CODE  the internal code of the network
  --from BLOCK    the first block that is another one now: deposits from there on are taken back, and found again where they still are
  --skip-traces-until BLOCK  up to it, what the node cannot trace is read without what contracts passed on: find such deposits later, by
                  POST /networks/rescan-transaction on a node that traces`;

async function main(): Promise<void> {
  const { networkCode, first, skipTracesUntil } = readArguments();
  const config = readMigrateConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-resume-network' });
  const { db } = connection;
  try {
    const network = await findNetworkByCode(db, networkCode);
    if (network === undefined) throw new ConfigError(`--network: the catalogue has no ${networkCode}.`);
    const before = await findNetworkState(db, network.id);
    if (before === undefined) throw new ConfigError(`${networkCode} was never read: there is nothing to resume.`);
    if (skipTracesUntil !== undefined && (skipTracesUntil < before.nextBlock || skipTracesUntil > before.headBlock))
      throw new ConfigError(
        `--skip-traces-until: ${networkCode} is read from block ${before.nextBlock} to ${before.headBlock}.`,
      );
    if (before.haltedReason === null && first === undefined && skipTracesUntil === undefined)
      throw new ConfigError(notHalted(networkCode, before.readingFailure));
    await resumeNetwork(db, network.id, first, skipTracesUntil);
    const state = await findNetworkState(db, network.id);
    const without =
      skipTracesUntil === undefined ? '' : `, and up to block ${skipTracesUntil} without what cannot be traced`;
    console.log(`${networkCode} is read on from block ${state?.nextBlock}${without}.`);
  } finally {
    await connection.close();
  }
}

function notHalted(networkCode: string, failure: string | null): string {
  const reason =
    failure === null ? '' : ` It cannot be read on: ${failure}. Where a node cannot trace: --skip-traces-until.`;
  return `${networkCode} is not halted: nothing was changed.${reason}`;
}

function readArguments(): { networkCode: string; first?: number; skipTracesUntil?: number } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { network: text, from: text, 'skip-traces-until': text } });
  const { network, from, 'skip-traces-until': until } = values;
  const isBlock = (block: string | undefined) => block === undefined || /^\d{1,15}$/.test(block);
  if (network === undefined || !isBlock(from) || !isBlock(until)) throw new ConfigError(USAGE);
  return {
    networkCode: network,
    ...(from === undefined ? {} : { first: Number(from) }),
    ...(until === undefined ? {} : { skipTracesUntil: Number(until) }),
  };
}

main().catch((error: Error) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
