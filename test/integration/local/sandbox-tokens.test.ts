// Goal: the sandbox's dollar stands where the catalogue says, on a new chain and after a restart, and the treasury can
// pay with all of its keys. Method: the real chains as `npm start` supervises them, asked through viem and @solana/kit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createSolanaRpc, address as solanaAddress } from '@solana/kit';
import { fetchMint } from '@solana-program/token';
import { type Address, createPublicClient, erc20Abi, http } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from '../../../activities/chains/key-address.ts';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { DOLLAR_DECIMALS, DOLLAR_SUPPLY, dollars, treasuries } from '../../../domain/catalog/sandbox.ts';
import { ensureDollar, hasDollar } from '../../../src/local/ethereum/dollar.ts';
import { askNode } from '../../../src/local/json-rpc.ts';
import { reportMissingTokens } from '../../../src/local/tokens.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { startTestEthereum, startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { tokenAccountOf } from '../../support/chains/solana.ts';

const token = { address: dollars.ETHEREUM_SANDBOX as Address, abi: erc20Abi } as const;

let directory: string;
let ethereum: TestChain;
let solana: TestChain;
let bare: Anvil;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-tokens-'));
  [ethereum, solana, bare] = await Promise.all([
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
    startAnvil(),
  ]);
});
afterAll(async () => {
  await Promise.all([ethereum?.stop(), solana?.stop(), bare?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

const reader = () => createPublicClient({ chain: foundry, transport: http(ethereum.address), cacheTime: 0 });

test('the treasury on each chain is the address of its key', () => {
  const publicKeyOf = (code: keyof typeof treasuries) => {
    const key = Buffer.from(treasuries[code].privateKey, 'hex');
    return code === 'SOL_SANDBOX' ? ed25519.getPublicKey(key) : secp256k1.getPublicKey(key, true);
  };
  expect(addressOf('evm', publicKeyOf('ETHEREUM_SANDBOX'), 'regtest')).toBe(treasuries.ETHEREUM_SANDBOX.address);
  expect(addressOf('sol', publicKeyOf('SOL_SANDBOX'), 'regtest')).toBe(treasuries.SOL_SANDBOX.address);
  expect(addressOf('btc', publicKeyOf('BTC_SANDBOX'), 'regtest')).toBe(treasuries.BTC_SANDBOX.address);
});

test('the catalogue names the dollar of both chains', () => {
  const named = assetSeed.filter(({ name }) => name === 'Sandbox USD Coin');
  expect(named.map(({ contractAddress, decimals, symbol }) => ({ contractAddress, decimals, symbol }))).toEqual(
    Object.values(dollars).map((contractAddress) => ({ contractAddress, decimals: DOLLAR_DECIMALS, symbol: 'USDC' })),
  );
});

test('Ethereum begins with a dollar of 6 decimals whose supply is the treasury’s', async () => {
  const treasury = treasuries.ETHEREUM_SANDBOX.address as Address;
  expect(await reader().readContract({ ...token, functionName: 'symbol' })).toBe('USDC');
  expect(await reader().readContract({ ...token, functionName: 'decimals' })).toBe(DOLLAR_DECIMALS);
  expect(await reader().readContract({ ...token, functionName: 'totalSupply' })).toBe(DOLLAR_SUPPLY);
  expect(await reader().readContract({ ...token, functionName: 'balanceOf', args: [treasury] })).toBe(DOLLAR_SUPPLY);
});

test('Ethereum killed right after its start comes back with the dollar', async () => {
  const killed = ethereum.part();
  killed.kill('SIGKILL');
  await killed.exited;
  const supply = () =>
    reader()
      .readContract({ ...token, functionName: 'totalSupply' })
      .catch(() => 'away');
  await expect.poll(supply, { timeout: 60_000 }).toBe(DOLLAR_SUPPLY);
});

test('Solana begins with a dollar of 6 decimals whose supply is the treasury’s', async () => {
  const rpc = createSolanaRpc(solana.address);
  const treasury = solanaAddress(treasuries.SOL_SANDBOX.address);
  const mint = solanaAddress(dollars.SOL_SANDBOX);
  const { data } = await fetchMint(rpc, mint);
  expect(data).toMatchObject({ decimals: DOLLAR_DECIMALS, supply: DOLLAR_SUPPLY });
  expect(data.mintAuthority).toEqual({ __option: 'Some', value: treasury });
  const { value } = await rpc.getTokenAccountBalance(await tokenAccountOf(treasury, mint)).send();
  expect(value.amount).toBe(`${DOLLAR_SUPPLY}`);
});

test('a node of somebody else’s without the dollar is told of, and gets none; put there twice, it is there once', async () => {
  const ask = askNode(bare.url);
  const reported: string[] = [];
  const reporting = { report: (line: string) => void reported.push(line), signal: new AbortController().signal };
  reportMissingTokens({ ETHEREUM_SANDBOX: bare.url, SOL_SANDBOX: solana.address }, reporting);
  await expect.poll(() => reported, { timeout: 60_000 }).toEqual([expect.stringMatching(/^ETHEREUM_SANDBOX has no/)]);
  expect(await hasDollar(ask)).toBe(false);
  expect([await ensureDollar(ask), await ensureDollar(ask)]).toEqual([true, false]);
  expect(await bare.client.readContract({ ...token, functionName: 'totalSupply' })).toBe(DOLLAR_SUPPLY);
});
