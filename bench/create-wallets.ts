// (e) Wallets created a second, sixteen at once, from sending the POST until the row is `active`, against the cluster
// generating the same two keys for each, driven directly. All in closed loops of this process, in turn.
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { curves } from '../domain/statuses.ts';
import { CountersignClient } from '../src/client/client.ts';
import { FinalRows } from './final-rows.ts';
import { loop } from './sign-to-success.ts';
import type { Contenders } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { type Comparison, interleave } from './support/rounds.ts';
import type { Settings } from './support/settings.ts';
import { connectNodes } from './support/signers.ts';

export const WALLETS_AT_ONCE = 16;

export async function measureCreateWallets(
  contenders: Contenders,
  { rounds, walletsRoundMs }: Settings,
  cpu: CpuMeter,
  report: (line: string) => void,
): Promise<Comparison> {
  const sql = postgres(contenders.databaseUrl, { max: 1 });
  const active = new FinalRows(sql, 'wallets');
  const client = new CountersignClient({ baseUrl: contenders.apiUrl, ...contenders.workspace });
  const cluster = connectNodes(contenders);
  const create = async () => {
    const { wallet_id: id } = await client.createWallet({ name: `bench ${uuidv7()}` });
    await active.waitFor(id);
  };
  const generate = async () => {
    const walletId = uuidv7();
    await Promise.all(curves.map((curve) => cluster.generateKey({ walletId, curve })));
  };
  try {
    const sides = [
      { name: 'service', run: () => loop(create, WALLETS_AT_ONCE, walletsRoundMs) },
      { name: 'cluster', run: () => loop(generate, WALLETS_AT_ONCE, walletsRoundMs) },
    ];
    return await interleave(sides, rounds, cpu, report);
  } finally {
    await Promise.all([cluster.close(), sql.end()]);
  }
}
