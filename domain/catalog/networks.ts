// The networks that every deployment knows. Ids are stable for ever; coin types are SLIP-44's, chain ids EIP-155's.
// Names and currencies of EVM chains are those of viem/chains; a test compares them.
import { furtherEvmChains } from './evm-networks.ts';

const evm = { curve: 'secp256k1', coinType: 60, addressType: 'evm', isEvm: true } as const;
const solana = {
  curve: 'ed25519',
  coinType: 501,
  addressType: 'sol',
  chainId: null,
  isEvm: false,
  nativeCurrency: 'SOL',
  logoUrl: '/logos/sol.svg',
} as const;
/** Coin type 0 on test networks too: a wallet has one Bitcoin key, and receives with it on every Bitcoin network. */
const bitcoin = {
  curve: 'secp256k1',
  coinType: 0,
  addressType: 'btc',
  chainId: null,
  isEvm: false,
  nativeCurrency: 'BTC',
  logoUrl: '/logos/btc.svg',
} as const;
const tron = {
  curve: 'secp256k1',
  coinType: 195,
  addressType: 'tron',
  chainId: null,
  isEvm: false,
  nativeCurrency: 'TRX',
  logoUrl: '/logos/trx.svg',
} as const;

/**
 * A chain has a logo when one of its own is among those served; the mark of a shared currency would not tell chains
 * apart.
 */
const ethereum = (chainId: number): Family => ({ ...evm, chainId, nativeCurrency: 'ETH', logoUrl: '/logos/eth.svg' });
const rollup = (chainId: number): Family => ({ ...evm, chainId, nativeCurrency: 'ETH', logoUrl: null });
const polygon = (chainId: number): Family => ({ ...evm, chainId, nativeCurrency: 'POL', logoUrl: '/logos/matic.svg' });
const bnb = (chainId: number, nativeCurrency: string): Family => ({
  ...evm,
  chainId,
  nativeCurrency,
  logoUrl: '/logos/bnb.svg',
});
const avalanche = (chainId: number): Family => ({
  ...evm,
  chainId,
  nativeCurrency: 'AVAX',
  logoUrl: '/logos/avax.svg',
});

const numbered = (last: number) => `6e657477-6f72-4000-8000-${last.toString(16).padStart(12, '0')}`;
const byChainId = (chainId: number) => `6e657477-6f72-4000-8001-${chainId.toString(16).padStart(12, '0')}`;

const FURTHER_CONFIRMATION_BLOCKS = 12;

/** Number, code, name, family, whether it is a test network, and after how many blocks a deposit is final. */
const numberedNetworks: readonly (readonly [number, string, string, Family, boolean, number])[] = [
  [1, 'ETHEREUM_SANDBOX', 'Ethereum Sandbox', ethereum(31337), true, 2],
  [2, 'SOL_SANDBOX', 'Solana Sandbox', solana, true, 1],
  [3, 'BTC_SANDBOX', 'Bitcoin Sandbox', bitcoin, true, 1],
  [4, 'ETHEREUM_MAINNET', 'Ethereum', ethereum(1), false, 12],
  [5, 'BASE_MAINNET', 'Base', rollup(8453), false, 12],
  [6, 'ETHER_SEPOLIA_TESTNET', 'Sepolia', ethereum(11155111), true, 12],
  [7, 'SOL_MAINNET', 'Solana', solana, false, 32],
  [8, 'SOL_DEVNET', 'Solana Devnet', solana, true, 32],
  [9, 'BTC_MAINNET', 'Bitcoin', bitcoin, false, 3],
  [10, 'ARBITRUM_MAINNET', 'Arbitrum One', rollup(42161), false, 12],
  [11, 'OPTIMISM_MAINNET', 'OP Mainnet', rollup(10), false, 12],
  [12, 'POLYGON_MAINNET', 'Polygon', polygon(137), false, 64],
  [13, 'BNB_MAINNET', 'BNB Smart Chain', bnb(56, 'BNB'), false, 15],
  [14, 'AVALANCHE_MAINNET', 'Avalanche', avalanche(43114), false, 12],
  [15, 'TRON_MAINNET', 'Tron', tron, false, 20],
  [16, 'BASE_SEPOLIA_TESTNET', 'Base Sepolia', rollup(84532), true, 12],
  [17, 'ARBITRUM_SEPOLIA_TESTNET', 'Arbitrum Sepolia', rollup(421614), true, 12],
  [18, 'OPTIMISM_SEPOLIA_TESTNET', 'OP Sepolia', rollup(11155420), true, 12],
  [19, 'POLYGON_AMOY_TESTNET', 'Polygon Amoy', polygon(80002), true, 64],
  [20, 'BNB_TESTNET', 'BNB Smart Chain Testnet', bnb(97, 'tBNB'), true, 15],
  [21, 'AVALANCHE_FUJI_TESTNET', 'Avalanche Fuji', avalanche(43113), true, 12],
  [22, 'BTC_TESTNET', 'Bitcoin Testnet', bitcoin, true, 3],
];

export const networkSeed: readonly NetworkSeed[] = [
  ...numberedNetworks.map(([number, internalCode, name, family, isTestnet, confirmationBlocks]) => ({
    id: numbered(number),
    internalCode,
    name,
    ...family,
    isTestnet,
    disabled: false,
    confirmationBlocks,
  })),
  ...furtherEvmChains.map(([internalCode, name, chainId, nativeCurrency]) => ({
    id: byChainId(chainId),
    internalCode,
    name,
    ...evm,
    chainId,
    nativeCurrency,
    logoUrl: null,
    isTestnet: internalCode.endsWith('_TESTNET'),
    disabled: true,
    confirmationBlocks: FURTHER_CONFIRMATION_BLOCKS,
  })),
];

interface Family {
  curve: 'secp256k1' | 'ed25519';
  coinType: number;
  addressType: 'evm' | 'sol' | 'btc' | 'tron';
  chainId: number | null;
  isEvm: boolean;
  nativeCurrency: string;
  logoUrl: string | null;
}

interface NetworkSeed extends Family {
  id: string;
  internalCode: string;
  name: string;
  isTestnet: boolean;
  /** Only the state in which a network first appears: an operator's choice stays. */
  disabled: boolean;
  confirmationBlocks: number;
}
