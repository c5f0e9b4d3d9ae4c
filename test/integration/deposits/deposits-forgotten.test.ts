// Goal: a sandbox whose anvil was stopped before its blocks were read is read on, and of a real network nothing is left
// out by itself. Method: a real anvil that is killed and comes back from its saved state, which knows its blocks and
// can trace none of them; the product's activities on a database of their own.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { concatHex, encodeFunctionData, erc20Abi, getAddress, pad } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';

const SANDBOX = 'ETHEREUM_SANDBOX';
const REAL = 'ETHEREUM_MAINNET';

let anvil: Anvil;
let rows: DepositDatabase;
const ours = privateKeyToAddress(generatePrivateKey());
let walletId: string;
let token: string;

const watchAs = (networkCode: string) =>
  watchDeposits(rows.db, { networkCode, chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337, trace: true }) });
const credited = async () =>
  new Map((await rows.depositsOf(walletId)).map(({ assetId, amountBaseUnits }) => [assetId, amountBaseUnits]));

beforeAll(async () => {
  [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  walletId = await rows.makeWallet('evm', ours);
  const contract = getAddress(await deploy(anvil, 'honestToken'));
  token = await rows.makeAsset(SANDBOX, contract);
  const forwarder = await deploy(anvil, 'forwarder');
  const gas = 3_000_000n;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ours, 30n] });
  await anvil.client.sendTransaction({ to: ours, value: 5n, gas });
  await anvil.client.sendTransaction({ to: contract, data, gas });
  await anvil.client.sendTransaction({ to: forwarder, value: 11n, data: concatHex([pad(ours), pad('0x00')]), gas });
  await anvil.client.mine({ blocks: 2 });
  await anvil.save();
  await anvil.kill();
  await anvil.restart();
}, 120_000);
afterAll(async () => {
  await anvil.stop();
  await rows.stop();
});

test('the sandbox is read on without what its node has forgotten, which the log says', async () => {
  const watch = watchAs(SANDBOX);
  await watch.read();
  expect(await credited()).toEqual(
    new Map([
      [await rows.nativeAsset(SANDBOX), 5n],
      [token, 30n],
    ]),
  );
  const logged = watch.lines.filter(({ message }) => message.includes('can no longer tell'));
  expect(logged.filter(({ message }) => message.includes('states'))).toHaveLength(1);
  const [first] = logged.filter(({ message }) => message.includes('traces'));
  expect(first).toMatchObject({
    level: 'WARN',
    meta: { networkCode: SANDBOX, reason: expect.stringMatching(/could not trace 0x/) },
  });
});

test('a real network waits at that block: a deposit may be in it', async () => {
  const watch = watchAs(REAL);
  await expect(watch.read()).rejects.toThrow(/could not trace 0x/);
  const { nextBlock } = await watch.state();
  await expect(watch.read()).rejects.toThrow(/could not trace 0x/);
  expect((await watch.state()).nextBlock).toBe(nextBlock);
  expect(watch.lines.filter(({ message }) => message.includes('can no longer tell'))).toEqual([]);
  expect((await watch.state()).readingFailure).toMatch(/could not trace 0x/);
});

test('an operator hears that it is not halted and why it is not read on, and has it read on without what cannot be traced', async () => {
  const watch = watchAs(REAL);
  const context = {
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: tmpdir(),
    onStart: () => {},
    environment: { PATH: process.env['PATH'], DATABASE_URL: rows.url },
  };
  const resume = (...args: string[]) => runCommand(context, 'resume-network', ['--network', REAL, ...args]);
  await expect(resume()).rejects.toThrow(/is not halted: nothing was changed.*could not trace 0x/);
  await expect(resume('--skip-traces-until', '99999')).rejects.toThrow(/is read from block \d+ to \d+/);
  const { headBlock } = await watch.state();
  expect(await resume('--skip-traces-until', String(headBlock))).toContain('without what cannot be traced');
  await watch.read();
  const { nextBlock, readingFailure } = await watch.state();
  expect([nextBlock, readingFailure]).toEqual([headBlock + 1, null]);
  const native = await rows.nativeAsset(REAL);
  expect((await rows.depositsOf(walletId)).filter(({ assetId }) => assetId === native)).toHaveLength(1);
  await expect(resume()).rejects.toThrow(/is not halted: nothing was changed\.$/m);
}, 120_000);
