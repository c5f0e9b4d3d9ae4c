// Goal: the reconciliation names every balance that the chain and the ledger do not agree on, and every contradiction
// of the ledger with itself, and nothing else. Method: the operator's command as it is run, a worker, real chains;
// balances are made wrong on the chain, and in the ledger behind the triggers' back.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { type LedgerEventKind, type Movement, postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { activateWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { startTestBitcoin, type TestChain } from '../../support/chains/chains.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { makeWallet } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const MINUTE_MS = 60_000;
const ETHEREUM = 'ETHEREUM_SANDBOX';
const BITCOIN = 'BTC_SANDBOX';

let directory: string;
let anvil: Anvil;
let bitcoin: TestChain;
let stack: WithdrawalStack;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-reconcile-'));
  [anvil, bitcoin] = await Promise.all([startAnvil(), startTestBitcoin(directory)]);
  stack = await startWithdrawals({ [ETHEREUM]: anvil.url, [BITCOIN]: bitcoin.address });
}, 6 * MINUTE_MS);
afterAll(async () => {
  await stack?.stop();
  await Promise.all([anvil?.stop(), bitcoin?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

interface Run {
  code: number;
  output: string;
}

async function run(...args: string[]): Promise<Run> {
  const { address, namespace } = testTemporal('reconcile');
  const environment = {
    PATH: process.env['PATH'],
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: stack.worker.taskQueue,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/reconcile-balances.js', ...args], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const nativeOf = (code: string) => assetIdOf(code, null);
function assetIdOf(code: string, contract: string | null): string {
  const network = networkSeed.find(({ internalCode }) => internalCode === code);
  const asset = assetSeed.find((each) => each.networkId === network?.id && each.contractAddress === contract);
  if (asset === undefined) throw new Error(`no such asset on ${code}`);
  return asset.id;
}

async function post(walletId: string, kind: LedgerEventKind, movement: Movement): Promise<void> {
  await stack.db.transaction((tx) =>
    postLedgerEvent(tx, { kind, subjectId: uuidv7(), walletId, movements: [movement] }),
  );
}

/** Without a key in any node, which a balance does not need. */
async function makeAddressedWallet(): Promise<string> {
  const walletId = await makeWallet(stack.db, stack.workspaceId);
  const [publicKey, chainCode] = [randomBytes(33), randomBytes(32)];
  const address = { addressType: 'evm', address: anyEvmAddress(), derivationPath: 'm/44/60/0/0/0' } as const;
  await activateWallet(stack.db, testSeals, walletId, {
    keys: [{ curve: 'secp256k1', publicKey, chainCode }],
    addresses: [address],
  });
  return walletId;
}

/** A wallet that owns so much by the ledger, and so much by the chain. */
async function makeOwner(ledger: bigint, chain: bigint): Promise<{ walletId: string; address: `0x${string}` }> {
  const walletId = await stack.makeWallet();
  const address = (await stack.addressOf(walletId, ETHEREUM)) as `0x${string}`;
  await stack.credit(walletId, ETHEREUM, ledger);
  await anvil.client.setBalance({ address, value: chain });
  return { walletId, address };
}

const corrected: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const correct of corrected.splice(0)) await correct();
});

test('what agrees is compared, and nothing is said of it', { timeout: 2 * MINUTE_MS }, async () => {
  await makeOwner(parseEther('2'), parseEther('2'));
  expect(await run()).toEqual({
    code: 0,
    output: '1 balances were compared with their chains.\nThe ledger agrees with itself and with the chains.\n',
  });
});

test('what the chain has too little or too much of is named, with by how much', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const [less, more] = [await makeOwner(parseEther('2'), parseEther('1.5')), await makeOwner(7n, 10n)];
  corrected.push(
    () => anvil.client.setBalance({ address: less.address, value: parseEther('2') }),
    () => anvil.client.setBalance({ address: more.address, value: 7n }),
  );
  const { code, output } = await run();
  expect(code).toBe(1);
  const lines = output.split('\n').filter((line) => line.startsWith('DIFFERS'));
  expect(lines.toSorted()).toEqual(
    [
      `DIFFERS     -0.5 ETH on ${ETHEREUM}, wallet ${less.walletId}, at ${less.address}, chain 1.5, ledger 2 (0 held), pending 0`,
      `DIFFERS     0.000000000000000003 ETH on ${ETHEREUM}, wallet ${more.walletId}, at ${more.address}, chain 0.00000000000000001, ledger 0.000000000000000007 (0 held), pending 0`,
    ].toSorted(),
  );
  const json = await run('--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output)).toMatchObject({ compared: 3, differenceCount: 2, underWayCount: 0, unreached: {} });
});

test('a token that the ledger has and the chain has not is named', { timeout: 2 * MINUTE_MS }, async () => {
  const walletId = await stack.makeWallet();
  const assetId = assetIdOf(ETHEREUM, dollars.ETHEREUM_SANDBOX);
  await post(walletId, 'deposit_confirmed', { assetId, from: 'outside', to: 'available', amount: 5_000_000n });
  corrected.push(() =>
    post(walletId, 'deposit_reversed', { assetId, from: 'available', to: 'outside', amount: 5_000_000n }),
  );
  const zero = '0x5f5f5260205ff3'; // returns 0 to every call
  await anvil.client.setCode({ address: dollars.ETHEREUM_SANDBOX, bytecode: zero });
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/^DIFFERS {5}-5 USDC on ETHEREUM_SANDBOX/m);
});

describe('what is under way', () => {
  test.each([
    ['held, and gone from the chain', { from: 'available', to: 'held', amount: 4n }, 6n],
    ['pending, and there', { from: 'outside', to: 'pending_in', amount: 4n }, 14n],
  ] as const)(
    '%s: it is told apart, and is no difference',
    { timeout: 2 * MINUTE_MS },
    async (_what, movement, onChain) => {
      const { walletId, address } = await makeOwner(10n, onChain);
      const { from, to, amount } = movement;
      const assetId = nativeOf(ETHEREUM);
      await post(walletId, 'fee_held', { assetId, from, to, amount });
      corrected.push(
        () => post(walletId, 'withdrawal_released', { assetId, from: to, to: from, amount }),
        () => anvil.client.setBalance({ address, value: 10n }),
      );
      const { code, output } = await run();
      expect(output).toMatch(/^under way {3}/m);
      expect(output).not.toMatch(/^DIFFERS/m);
      expect(code).toBe(0);
    },
  );

  test('more is gone than is held: it differs', { timeout: 2 * MINUTE_MS }, async () => {
    const { walletId, address } = await makeOwner(10n, 5n);
    const movement = { assetId: nativeOf(ETHEREUM), from: 'available', to: 'held', amount: 4n } as const;
    await post(walletId, 'fee_held', movement);
    corrected.push(() => anvil.client.setBalance({ address, value: 10n }));
    const { code, output } = await run();
    expect([code, output]).toEqual([1, expect.stringMatching(/^DIFFERS {5}-0.000000000000000005 ETH/m)]);
  });

  test('on Bitcoin, the change of a coin that is being spent is missing too', { timeout: 2 * MINUTE_MS }, async () => {
    const walletId = await stack.makeWallet();
    await stack.credit(walletId, BITCOIN, 100_000n);
    const assetId = nativeOf(BITCOIN);
    await post(walletId, 'fee_held', { assetId, from: 'available', to: 'held', amount: 1_000n });
    corrected.push(
      () => post(walletId, 'withdrawal_released', { assetId, from: 'held', to: 'available', amount: 1_000n }),
      () => post(walletId, 'deposit_reversed', { assetId, from: 'available', to: 'outside', amount: 100_000n }),
    );
    const { code, output } = await run();
    expect([code, output]).toEqual([0, expect.stringMatching(/^under way {3}-0.001 BTC on BTC_SANDBOX/m)]);
  });
});

test('a ledger that contradicts itself is told of', { timeout: 2 * MINUTE_MS }, async () => {
  const { walletId } = await makeOwner(8n, 8n);
  const client = postgres(stack.databaseUrl, { max: 1 });
  const set = (balance: number) =>
    client.unsafe(`set session_replication_role = replica;
      update ledger_accounts set balance = ${balance} where wallet_id = '${walletId}' and kind = 'available';
      set session_replication_role = origin`);
  await set(9);
  corrected.push(async () => {
    await set(8);
    await client.end();
  });
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toContain(`The ledger contradicts itself: account ${walletId} ${nativeOf(ETHEREUM)} available\n`);
  expect(output).toMatch(/^DIFFERS {5}-0.000000000000000001 ETH/m);
});

test('more balances than a batch are all compared, each once', { timeout: 3 * MINUTE_MS }, async () => {
  const before = JSON.parse((await run('--json')).output).compared as number;
  const walletIds = await Promise.all(Array.from({ length: 120 }, () => makeAddressedWallet()));
  const movement = { assetId: nativeOf(ETHEREUM), amount: 1n } as const;
  for (const walletId of walletIds) {
    await post(walletId, 'deposit_confirmed', { ...movement, from: 'outside', to: 'available' });
    await post(walletId, 'deposit_reversed', { ...movement, from: 'available', to: 'outside' });
  }
  const last = await makeOwner(1n, 2n);
  corrected.push(() => anvil.client.setBalance({ address: last.address, value: 1n }));
  const result = JSON.parse((await run('--json')).output);
  expect(result.compared).toBe(before + 121);
  expect(result.differences.map((each: { walletId: string }) => each.walletId)).toEqual([last.walletId]);
});

test('a network whose node fails is told of, and the others are compared', { timeout: 2 * MINUTE_MS }, async () => {
  const walletId = await stack.makeWallet();
  await stack.credit(walletId, BITCOIN, 1n);
  await bitcoin.stop();
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/^BTC_SANDBOX was not compared: .*cannot be reached/m);
  expect(output).toMatch(/^\d+ balances were compared/m);
  expect(output).not.toContain(new URL(bitcoin.address).password);
});

test('without the address of Temporal it says what to set', async () => {
  const env = { PATH: process.env['PATH'] };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['dist/reconcile-balances.js'], { env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  expect(output).toBe('TEMPORAL_ADDRESS is not set: it must be host:port of a Temporal frontend.\n');
});
