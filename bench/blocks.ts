// `tsx bench/blocks.ts [addresses]`: reads blocks of 200 transfers of an EVM chain while a million addresses are
// watched, in turn with asking the node for the same blocks and receipts only. Half of the transfers are of a token;
// one in fifty is to an address of ours and becomes a deposit. Run by hand. Everything lies in a temporary folder and
// is stopped by pid.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Address, encodeFunctionData, erc20Abi, getAddress, numberToHex } from 'viem';
import { evmChain } from '../activities/chains/evm/evm-chain.ts';
import { connectDatabase, type Database } from '../drizzle/database/connection.ts';
import { assets } from '../drizzle/networks/assets.ts';
import { findNetworkByCode } from '../drizzle/networks/network-states.ts';
import { insertWorkspace } from '../drizzle/workspaces/workspaces.ts';
import { type Anvil, dev, startAnvil } from '../test/support/chains/anvil.ts';
import { watchDeposits } from '../test/support/chains/deposit-watch.ts';
import { deploy } from '../test/support/chains/evm-contracts.ts';
import { CpuMeter } from './support/cpu.ts';
import { at, interleave, type Round, ratioOf, roundsOf, spreadOf } from './support/rounds.ts';
import { withScratch } from './support/scratch.ts';
import { type Context, serveDatabase } from './support/servers.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const ROUNDS = 6;
const BLOCKS_PER_ROUND = 40;
const TRANSFERS_PER_BLOCK = 200;
/** Of these one is to an address that is watched. */
const OURS_AMONG = 50;
/** As many as the service reads side by side. */
const BLOCKS_AT_ONCE = 8;
const GAS = 100_000n;
const addresses = Number(process.argv[2] ?? 1_000_000);

async function main(context: Context): Promise<void> {
  const anvil = await startAnvil();
  try {
    const connection = connectDatabase(await serveDatabase(context), { poolSize: 4, name: 'countersign-bench' });
    try {
      await watchMany(connection.db);
      await measure(connection.db, anvil);
    } finally {
      await connection.close();
    }
  } finally {
    await anvil.stop();
  }
}

const addressOf = (n: number): Address => getAddress(numberToHex(0xa000_0000_0000 + n, { size: 20 }));

/** A wallet each. Foreign keys are not checked, which would cost minutes and nothing in what is measured. */
async function watchMany(db: Database): Promise<void> {
  const workspaceId = uuidv7();
  await db.transaction((tx) => insertWorkspace(tx, { id: workspaceId, name: 'bench' }));
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (let first = 1; first <= addresses; first += 50_000) {
      const numbers = Array.from({ length: Math.min(50_000, addresses - first + 1) }, (_, index) => first + index);
      const rows = JSON.stringify(numbers.map((n) => ({ id: uuidv7(), address: addressOf(n) })));
      await tx.execute(sql`
        with given as (select * from jsonb_to_recordset(${rows}::jsonb) as each (id uuid, address text)),
          made as (insert into wallets (id, workspace_id, name, wallet_type, status)
            select id, ${workspaceId}::uuid, 'bench', 'mpc', 'active' from given)
        insert into wallet_addresses (wallet_id, address_type, address, derivation_path)
          select id, 'evm', address, 'm/44/60/0/0/0' from given`);
    }
  });
  await db.execute(sql`vacuum analyze wallets, wallet_addresses`);
  console.log(`${addresses} addresses are watched`);
}

async function measure(db: Database, anvil: Anvil): Promise<void> {
  const token = getAddress(await deploy(anvil, 'honestToken'));
  await anvil.client.mine({ blocks: 1 });
  await creditToken(db, token);
  const chain = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  const watch = watchDeposits(db, { networkCode: NETWORK, chain });
  await watch.read();
  let sent = 0;
  let first = 0;
  const bare = async () => {
    first = Number(await anvil.client.getBlockNumber()) + 1;
    for (let block = 0; block < BLOCKS_PER_ROUND; block += 1) sent = await mineTransfers(anvil, token, sent);
    return timed(() => readBare(anvil.url, first));
  };
  const service = () => timed(() => watch.read());
  const sides = [
    { name: 'bare', run: bare },
    { name: 'service', run: service },
  ];
  const comparison = await interleave(sides, ROUNDS, new CpuMeter(), console.log);
  const { median, min, max } = ratioOf(comparison, 'service', 'bare');
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from deposits`);
  const expected = ((ROUNDS + 1) * BLOCKS_PER_ROUND * TRANSFERS_PER_BLOCK) / OURS_AMONG;
  if (row?.count !== expected) throw new Error(`${row?.count} deposits came of ${expected}`);
  for (const side of ['bare', 'service']) {
    const { median: cpuMs } = spreadOf(roundsOf(comparison, side).map(({ extra }) => extra?.['cpuMs'] ?? Number.NaN));
    console.log(`${side}: ${cpuMs.toFixed(1)} ms of processor time of the reader for a block`);
  }
  console.log(`${median.toFixed(2)} of reading blocks and receipts only (${min.toFixed(2)}–${max.toFixed(2)})`);
}

async function creditToken(db: Database, contractAddress: Address): Promise<void> {
  const network = await findNetworkByCode(db, NETWORK);
  if (network === undefined) throw new Error(`The catalogue has no ${NETWORK}.`);
  const fields = { name: 'Bench', symbol: 'BENCH', assetType: 'token', decimals: 6, isNative: false } as const;
  await db
    .insert(assets)
    .values({ id: uuidv7(), networkId: network.id, contractAddress, isWhitelisted: true, ...fields });
}

/** One block, of which every second transfer is of the token. Answers how many there are in all now. */
async function mineTransfers({ client }: Anvil, token: Address, before: number): Promise<number> {
  const nonce = await client.getTransactionCount({ address: dev.address });
  await Promise.all(
    Array.from({ length: TRANSFERS_PER_BLOCK }, (_, index) => {
      const n = before + index;
      const isOurs = n % OURS_AMONG === 0;
      const to = isOurs
        ? addressOf(1 + ((n * 7_919) % addresses))
        : getAddress(numberToHex(2n ** 100n + BigInt(n), { size: 20 }));
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
      const what = Math.floor(n / OURS_AMONG + n) % 2 === 0 ? { to, value: 1n } : { to: token, data };
      const request = { from: dev.address, gas: numberToHex(GAS), nonce: numberToHex(nonce + index), ...what };
      const params = [{ ...request, ...('value' in what ? { value: numberToHex(what.value) } : {}) }];
      return client.request({ method: 'eth_sendTransaction', params } as never);
    }),
  );
  await client.mine({ blocks: 1 });
  return before + TRANSFERS_PER_BLOCK;
}

/** Each block with its transactions, and its receipts. */
async function readBare(url: string, first: number): Promise<void> {
  for (let next = first; next < first + BLOCKS_PER_ROUND; next += BLOCKS_AT_ONCE) {
    const numbers = Array.from({ length: BLOCKS_AT_ONCE }, (_, index) => numberToHex(next + index));
    await Promise.all(
      numbers.map(async (number) => {
        const block = await ask<{ transactions: unknown[] }>(url, 'eth_getBlockByNumber', [number, true]);
        const receipts = await ask<unknown[]>(url, 'eth_getBlockReceipts', [number]);
        const counts = [block.transactions.length, receipts.length];
        if (counts.some((count) => count !== TRANSFERS_PER_BLOCK))
          throw new Error(`block ${number} has ${at(counts, 0)} transactions and ${at(counts, 1)} receipts`);
      }),
    );
  }
}

async function ask<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result } = (await response.json()) as { result?: Result };
  if (result === undefined) throw new Error(`the node did not answer ${method}`);
  return result;
}

async function timed(act: () => Promise<unknown>): Promise<Round> {
  const [startedMs, before] = [performance.now(), process.cpuUsage()];
  await act();
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { operations: BLOCKS_PER_ROUND, seconds, extra: { cpuMs: (user + system) / 1000 / BLOCKS_PER_ROUND } };
}

await withScratch('blocks', main);
