// The operator's command for an address whose record of nonces went wrong: `npm run repair-nonces -- --network CODE
// --address ADDRESS --next N [--apply --note TEXT]`. Without `--apply` it says what it would do, and changes nothing.
// Asks no node: the number is the operator's, from a node or an explorer that he trusts. May be repeated.
import { parseArgs } from 'node:util';
import { canonicalEvmAddress } from '../../domain/payloads/canonical-address.ts';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { findNetworkByCode } from '../../drizzle/networks/network-states.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import {
  type HeldNonce,
  type NonceRepair,
  planNonceRepair,
  repairNonces,
} from '../../drizzle/withdrawal-repair/nonce-repair.ts';
import { ConfigError, keyEncryptionKeysOf, readOperatorConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';

const NOTE_CHARACTERS_MAX = 1_000;
const USAGE = `Usage: npm run repair-nonces -- --network CODE --address ADDRESS --next N [--apply --note TEXT]
  --network CODE    the internal code of an EVM network
  --address ADDRESS the address of a wallet
  --next N          how many transactions the chain has of it, which is its next nonce, by a node or an explorer that you trust
  --apply           does it; without, it is only said what would be done
  --note TEXT       what happened, for the audit log
Needs DATABASE_URL, and KEY_ENCRYPTION_KEY for the audit log's record of each withdrawal that it ends.`;

async function main(): Promise<void> {
  const { networkCode, address, next, note } = readArguments();
  const config = readOperatorConfig(process.env);
  const seals = new Seals(keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex')));
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-repair-nonces' });
  const { db } = connection;
  try {
    const network = await findNetworkByCode(db, networkCode);
    if (network?.addressType !== 'evm')
      throw new ConfigError(`--network: the catalogue has no EVM network ${networkCode}.`);
    const account = { networkId: network.id, address };
    const repair = await (note === undefined
      ? planNonceRepair(db, account, next)
      : db.transaction((tx) => repairNonces(tx, seals, account, { next, note })));
    if (repair === undefined) throw new ConfigError(`--address: no wallet has ${address}.`);
    for (const line of describe(repair, next)) console.log(line);
    console.log(note === undefined ? 'Nothing was changed: repeat it with --apply and --note TEXT.' : 'Done.');
  } finally {
    await connection.close();
  }
}

function describe({ walletId, last, free, unreachable, waiting }: NonceRepair, next: number): string[] {
  const held = ({ withdrawalId, nonce, status }: HeldNonce) =>
    `  withdrawal ${withdrawalId} with nonce ${nonce} (${status})`;
  const given = last < 0 ? 'none was given out' : `the highest that was given out is ${last}`;
  return [
    `Wallet ${walletId}: ${given}; nonces are given out from ${next} on, and the next withdrawal gets ${free}.`,
    ...(unreachable.length === 0 ? [] : ['These can never land: they fail, and their money is given back:']),
    ...unreachable.map(held),
    ...(waiting.length === 0 ? [] : ['These wait, and land once the nonces before theirs are used:']),
    ...waiting.map(held),
  ];
}

function readArguments(): { networkCode: string; address: string; next: number; note?: string } {
  try {
    const text = { type: 'string' } as const;
    const options = { network: text, address: text, next: text, note: text, apply: { type: 'boolean' } } as const;
    const { network: networkCode, address: given = '', next = '', note, apply = false } = parseArgs({ options }).values;
    const address = canonicalEvmAddress(given);
    const isNote = note !== undefined && note.trim() !== '' && note.length <= NOTE_CHARACTERS_MAX;
    if (networkCode !== undefined && address !== undefined && /^\d{1,12}$/.test(next) && apply === isNote)
      return { networkCode, address, next: Number(next), ...(isNote ? { note } : {}) };
  } catch {} // said below
  throw new ConfigError(USAGE);
}

main().catch((error: Error) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
