// The networks that every deployment knows. Ids are stable for ever; coin types are SLIP-44's, chain ids EIP-155's.
const evm = { curve: 'secp256k1', coinType: 60, addressType: 'evm', isEvm: true } as const;
const solana = {
  curve: 'ed25519',
  coinType: 501,
  addressType: 'sol',
  chainId: null,
  isEvm: false,
  nativeCurrency: 'SOL',
} as const;
const bitcoin = {
  curve: 'secp256k1',
  coinType: 0,
  addressType: 'btc',
  chainId: null,
  isEvm: false,
  nativeCurrency: 'BTC',
} as const;

const id = (last: number) => `6e657477-6f72-4000-8000-${last.toString(16).padStart(12, '0')}`;

export const networkSeed = [
  network(1, 'ETHEREUM_SANDBOX', 'Ethereum Sandbox', { ...evm, chainId: 31337, nativeCurrency: 'ETH' }, true, 2),
  network(2, 'SOL_SANDBOX', 'Solana Sandbox', solana, true, 1),
  network(3, 'BTC_SANDBOX', 'Bitcoin Sandbox', bitcoin, true, 1),
  network(4, 'ETHEREUM_MAINNET', 'Ethereum', { ...evm, chainId: 1, nativeCurrency: 'ETH' }, false, 12),
  network(5, 'BASE_MAINNET', 'Base', { ...evm, chainId: 8453, nativeCurrency: 'ETH' }, false, 12),
  network(6, 'ETHER_SEPOLIA_TESTNET', 'Sepolia', { ...evm, chainId: 11155111, nativeCurrency: 'ETH' }, true, 12),
  network(7, 'SOL_MAINNET', 'Solana', solana, false, 32),
  network(8, 'SOL_DEVNET', 'Solana Devnet', solana, true, 32),
  network(9, 'BTC_MAINNET', 'Bitcoin', bitcoin, false, 3),
];

interface Family {
  curve: 'secp256k1' | 'ed25519';
  coinType: number;
  addressType: 'evm' | 'sol' | 'btc';
  chainId: number | null;
  isEvm: boolean;
  nativeCurrency: string;
}

function network(
  number: number,
  internalCode: string,
  name: string,
  family: Family,
  isTestnet: boolean,
  confirmationBlocks: number,
) {
  return { id: id(number), internalCode, name, ...family, isTestnet, confirmationBlocks };
}
