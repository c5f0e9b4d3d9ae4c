// The chains on which outflows are tried, each with what the cases need of it: a token of the catalogue's list, money
// for a wallet, blocks, strangers.
import { address, generateKeyPairSigner, lamports } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import { erc20Abi, getAddress, type Hex, parseEther } from 'viem';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import type { Curve } from '../../../domain/statuses.ts';
import type { AddressType } from '../../../domain/wallets/address-types.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { findNetworkByCode } from '../../../drizzle/networks/network-states.ts';
import { anyEvmAddress } from '../withdrawals/withdrawals.ts';
import type { Anvil } from './anvil.ts';
import { newWallet, type TestBitcoin } from './bitcoin-wallets.ts';
import { deploy } from './evm-contracts.ts';
import { makeMint, SOL, type SolanaClient } from './solana.ts';

/** The symbol of each chain's token. */
export const TOKEN = 'TOKEN';
export const TOKEN_DECIMALS = 6;

/** What the cases need of one chain. Amounts are base units. */
export interface Family {
  networkCode: string;
  curve: Curve;
  addressType: AddressType;
  chain: Chain;
  amount: bigint;
  /** Of a token, where the chain has any; the wallet gets some of it. */
  contract: string | undefined;
  fund(to: string): Promise<void>;
  mine(): Promise<void>;
  recipient(): Promise<string>;
}

interface Parts {
  anvil: Anvil;
  bitcoin: TestBitcoin;
  solana: SolanaClient;
  solanaUrl: string;
  db: Database;
}

/** Each is made when it is first asked for, within a test. */
export function outflowFamilies(parts: Parts) {
  return {
    Ethereum: once(() => ofEthereum(parts)),
    Bitcoin: once(async () => ofBitcoin(parts)),
    Solana: once(() => ofSolana(parts)),
  };
}

async function ofEthereum({ anvil, db }: Parts): Promise<Family> {
  const contract = getAddress(await deploy(anvil, 'honestToken'));
  await addToken(db, 'ETHEREUM_SANDBOX', contract);
  const mine = () => anvil.client.mine({ blocks: 1 });
  const fund = async (to: string) => {
    const args = [to as Hex, 1_000n] as const;
    await anvil.client.sendTransaction({ to: to as Hex, value: parseEther('5') });
    await anvil.client.writeContract({ address: contract, abi: erc20Abi, functionName: 'transfer', args });
    await mine();
  };
  return {
    networkCode: 'ETHEREUM_SANDBOX',
    curve: 'secp256k1',
    addressType: 'evm',
    amount: parseEther('1'),
    contract,
    chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }),
    fund,
    mine,
    recipient: async () => anyEvmAddress(),
  };
}

const ofBitcoin = ({ bitcoin }: Parts): Family => ({
  networkCode: 'BTC_SANDBOX',
  curve: 'secp256k1',
  addressType: 'btc',
  amount: 100_000n,
  contract: undefined,
  chain: bitcoin.chain,
  fund: async (to) => {
    for (const amount of [800_000n, 400_000n, 400_000n]) await bitcoin.pay(bitcoin.miner, to, amount);
    await bitcoin.mine();
  },
  mine: async () => void (await bitcoin.mine()),
  recipient: async () => newWallet().address,
});

async function ofSolana({ solana, solanaUrl, db }: Parts): Promise<Family> {
  const { mint, mintTo } = await makeMint(solana, TOKEN_DECIMALS);
  await addToken(db, 'SOL_SANDBOX', mint);
  return {
    networkCode: 'SOL_SANDBOX',
    curve: 'ed25519',
    addressType: 'sol',
    amount: SOL,
    contract: mint,
    chain: solanaChain({ rpcUrl: solanaUrl }),
    fund: async (to) => {
      await solana.confirm(await solana.rpc.requestAirdrop(address(to), lamports(5n * SOL)).send());
      await mintTo(address(to), 1_000n);
    },
    mine: async () => {}, // it makes a block of what it gets
    recipient: async () => (await generateKeyPairSigner()).address,
  };
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function addToken(db: Database, networkCode: string, contractAddress: string): Promise<void> {
  const network = await findNetworkByCode(db, networkCode);
  const asset = {
    id: uuidv7(),
    networkId: network?.id ?? '',
    name: TOKEN,
    symbol: TOKEN,
    assetType: 'token' as const,
    decimals: TOKEN_DECIMALS,
    contractAddress,
    isNative: false,
    isWhitelisted: true,
  };
  await db.insert(assets).values(asset);
  // The worker, which runs in this process, believes the catalogue of the code and not the database's copy of it.
  (assetSeed as object[]).push(asset);
}
