// The operator's command for a network that was halted: `npm run resume-network -- --network CODE [--from BLOCK]`. Without a block the node was wrong and has
// been replaced: reading goes on where it stopped. With one the chain itself has changed from there on: what was read from that block on is taken back as by
// a reorganisation, and read again. May be repeated.
import { parseArgs } from 'node:util';
import { connectDatabase } from '../drizzle/database.ts';
import { findNetworkByCode, findNetworkState } from '../drizzle/network-states.ts';
import { resumeNetwork } from '../drizzle/network-steps.ts';
import { ConfigError, readMigrateConfig } from './config.ts';

const USAGE = `Usage: npm run resume-network -- --network CODE [--from BLOCK]
  --network CODE  the internal code of the network that is halted
  --from BLOCK    the first block that is another one now: deposits from there on are taken back, and found again where they still are`;

async function main(): Promise<void> {
  const { networkCode, first } = readArguments();
  const config = readMigrateConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-resume-network' });
  const { db } = connection;
  try {
    const network = await findNetworkByCode(db, networkCode);
    if (network === undefined) throw new ConfigError(`--network: the catalogue has no ${networkCode}.`);
    if (!(await resumeNetwork(db, network.id, first)))
      throw new ConfigError(`${networkCode} was never read: there is nothing to resume.`);
    const state = await findNetworkState(db, network.id);
    console.log(`${networkCode} is read on from block ${state?.nextBlock}.`);
  } finally {
    await connection.close();
  }
}

function readArguments(): { networkCode: string; first?: number } {
  const { values } = parseArgs({ options: { network: { type: 'string' }, from: { type: 'string' } } });
  const { network, from } = values;
  if (network === undefined || (from !== undefined && !/^\d{1,15}$/.test(from))) throw new ConfigError(USAGE);
  return { networkCode: network, ...(from === undefined ? {} : { first: Number(from) }) };
}

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The command failed: ${error.message}`);
  process.exitCode = 1;
});
