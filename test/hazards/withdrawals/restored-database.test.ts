// Goal: when PostgreSQL is put back to an older backup while nodes and chains go on, nothing is paid twice: neither
// what the backup has as accepted and was paid since, nor what it does not know and a caller asks for again. Method:
// API, worker, three nodes, PostgreSQL, anvil, btcd and the sandbox's Solana as processes; the files of PostgreSQL are
// copied and put back, and the steps of the runbook are done by its commands.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKeyPairSigner, lamports, address as solanaAddress } from '@solana/kit';
import { type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { CountersignError } from '../../../src/client/client.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { fundedSolanaClient, SOL } from '../../support/chains/solana.ts';
import { type KillablePostgres, startKillablePostgres } from '../../support/processes/killable-postgres.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { anyEvmAddress } from '../../support/withdrawals/withdrawals.ts';

const MINUTE_MS = 60_000;
const patient = { timeout: 90_000, interval: 300 };

/** What the cases need of one chain. Amounts as callers write them. */
interface Coin {
  assetId: string;
  addressType: 'evm' | 'sol' | 'btc';
  chain: Chain;
  amount: string;
  baseUnits: bigint;
  fund(to: string): Promise<unknown>;
  recipient(): Promise<string>;
  walletId: string;
}

let directory: string;
let database: KillablePostgres;
let anvil: Anvil;
let bitcoin: TestBitcoin;
let solana: TestChain;
let stack: Stack;
let coins: Coin[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-restored-'));
  const starting = [startKillablePostgres(), startAnvil(), startBitcoin(), startTestSolana(directory)] as const;
  [database, anvil, bitcoin, solana] = await Promise.all(starting);
  const urls = { ETHEREUM_SANDBOX: anvil.url, BTC_SANDBOX: bitcoin.node.rpcUrl, SOL_SANDBOX: solana.address };
  const environment = {
    RPC_URLS: Object.entries(urls)
      .map((pair) => pair.join('='))
      .join(','),
  };
  stack = await startStack({ environment, database: { url: database.url, drop: async () => {} } });
  const client = await fundedSolanaClient(solana.address);
  const unfunded: Omit<Coin, 'walletId'>[] = [
    {
      assetId: sandbox.ETH.assetId,
      addressType: 'evm',
      amount: '1',
      baseUnits: parseEther('1'),
      chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }),
      fund: (to) => anvil.client.sendTransaction({ account: dev, to: to as Hex, value: parseEther('20') }),
      recipient: async () => anyEvmAddress(),
    },
    {
      assetId: sandbox.SOL.assetId,
      addressType: 'sol',
      amount: '1',
      baseUnits: SOL,
      chain: solanaChain({ rpcUrl: solana.address }),
      fund: (to) => client.rpc.requestAirdrop(solanaAddress(to), lamports(20n * SOL)).send(),
      recipient: async () => (await generateKeyPairSigner()).address,
    },
    {
      assetId: sandbox.BTC.assetId,
      addressType: 'btc',
      amount: '0.001',
      baseUnits: 100_000n,
      chain: bitcoin.chain,
      fund: async (to) => {
        for (let count = 0; count < 6; count += 1) await bitcoin.pay(bitcoin.miner, to, 400_000n);
      },
      recipient: async () => newWallet().address,
    },
  ];
  coins = await Promise.all(unfunded.map(funded));
}, 5 * MINUTE_MS);
afterAll(async () => {
  await stack?.stop();
  await Promise.all([database?.stop(), anvil?.stop(), bitcoin?.node.stop(), solana?.stop()]);
  rmSync(directory, { recursive: true, force: true });
}, 2 * MINUTE_MS);

const mine = () => Promise.all([anvil.client.mine({ blocks: 1 }), bitcoin.mine()]);
const nativeOf = { contract: null, decimals: 0 };

async function funded(coin: Omit<Coin, 'walletId'>): Promise<Coin> {
  const { wallet_id: walletId } = await stack.client.createWallet({ name: 'restored' }).wait();
  const path = { wallet_id: walletId };
  const query = { address_type: coin.addressType };
  const { address } = await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path, query });
  await coin.fund(address);
  const available = async () => {
    await mine();
    for await (const { asset_id, available } of stack.client.walletBalances(walletId))
      if (asset_id === coin.assetId) return Number(available);
    return 0;
  };
  await vi.waitFor(async () => expect(await available()).toBeGreaterThan(0), patient);
  return { ...coin, walletId };
}

interface Payment {
  coin: Coin;
  to: string;
  externalId: string;
}

const payments = (name: string): Promise<Payment[]> =>
  Promise.all(coins.map(async (coin) => ({ coin, to: await coin.recipient(), externalId: `${name}-${coin.assetId}` })));

/** The id, or the code of a refusal. Asked again while nobody answers. */
async function ask({ coin, to, externalId }: Payment): Promise<string> {
  const { walletId, amount, assetId } = coin;
  const body = { asset_id: assetId, amount, recipient_address: to, external_id: externalId };
  for (let tries = 0; ; tries += 1) {
    try {
      return (await stack.client.requestWithdrawal(walletId, body)).withdrawal.id;
    } catch (error) {
      if (error instanceof CountersignError && error.status < 500) return error.code;
      if (tries === 100) throw error;
      await sleep(300);
    }
  }
}

const statusOf = async (id: string) => (await stack.client.withdrawal(id)).status;
async function untilEnded(ids: readonly string[], status: string): Promise<void> {
  const look = async () => {
    await mine();
    return Promise.all(ids.map(statusOf));
  };
  await expect.poll(look, patient).toEqual(ids.map(() => status));
}

async function expectPaidOnce(paid: readonly Payment[]): Promise<void> {
  for (const { coin, to, externalId } of paid)
    expect(await coin.chain.balance(to, nativeOf), externalId).toBe(coin.baseUnits);
}

const command = (name: string, args: string[]) =>
  runCommand(
    {
      dist: resolve(import.meta.dirname, '../../../dist'),
      logDirectory: directory,
      onStart: () => {},
      environment: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.url,
        KEY_ENCRYPTION_KEY: stack.keyEncryptionKey,
        TEMPORAL_ADDRESS: stack.temporal.address,
        TEMPORAL_TASK_QUEUE: stack.temporal.taskQueue,
      },
    },
    name,
    args,
  );

/** Ends with code 1 where they differ, which fails. */
async function compareLedgerWithChains(): Promise<string> {
  await mine();
  return command('reconcile-balances', []);
}

async function walletStatuses(): Promise<(string | undefined)[]> {
  const read = async ({ walletId }: Coin) =>
    (await stack.client.get('/api/v1/wallets/{wallet_id}', { path: { wallet_id: walletId } })).status;
  return Promise.all(coins.map(read));
}

describe('PostgreSQL is put back to a backup', () => {
  test('what was paid since is found, and not paid again; then the wallets go on', {
    timeout: 8 * MINUTE_MS,
  }, async () => {
    const [before, open, lost, next] = await Promise.all(['before', 'open', 'lost', 'next'].map(payments));
    if (before === undefined || open === undefined || lost === undefined || next === undefined) throw new Error();
    await untilEnded(await Promise.all(before.map(ask)), 'completed');

    await stack.worker.stop();
    const openIds = await Promise.all(open.map(ask));
    await database.backUp();
    stack.worker = await stack.startWorker();
    await untilEnded(openIds, 'completed');
    await untilEnded(await Promise.all(lost.map(ask)), 'completed');

    await Promise.all([stack.worker.stop(), stack.api.stop()]);
    await database.kill();
    await database.restoreBackup();
    stack.api = await stack.startApi();
    // A caller who has lost the answers, before any worker has looked at a chain.
    const againIds = await Promise.all(lost.map(ask));
    stack.worker = await stack.startWorker();
    await untilEnded(againIds, 'failed');
    expect(await walletStatuses()).toEqual(coins.map(() => 'frozen'));
    for (let blocks = 0; blocks < 5; blocks += 1) await mine();
    await expectPaidOnce([...before, ...open, ...lost]);

    const listed = await command('outflows', ['list']);
    const found = [...listed.matchAll(/^UNRESOLVED +(\S+)/gm)].map(([, id]) => id ?? '');
    expect(found).toHaveLength(open.length + lost.length);
    for (const id of found) await command('outflows', ['resolve', id, '--note', 'Paid after the backup.']);
    for (const { walletId } of coins)
      await stack.client.post('/api/v1/wallets/{wallet_id}/unfreeze', { path: { wallet_id: walletId } });
    await untilEnded(await Promise.all(next.map(ask)), 'completed');
    await expectPaidOnce([...before, ...open, ...lost, ...next]);
    await vi.waitFor(async () => expect(await compareLedgerWithChains()).toContain('were compared'), patient);
    // Temporal knows that the workflow of these has ended: none is begun again, and the search for orphans closes them.
    expect(await Promise.all(openIds.map(statusOf))).toEqual(
      openIds.map(() => expect.stringMatching(/approved|failed/)),
    );
  });
});
