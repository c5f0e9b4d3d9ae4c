// Where others show what is in a chain: pages that somebody opens by hand, and that the console asks nothing of. Those
// of the sandbox are on this machine alone.
const explorers: Readonly<Record<string, string>> = {
  ETHEREUM_MAINNET: 'https://etherscan.io/tx/',
  ETHER_SEPOLIA_TESTNET: 'https://sepolia.etherscan.io/tx/',
  BASE_MAINNET: 'https://basescan.org/tx/',
  BASE_SEPOLIA_TESTNET: 'https://sepolia.basescan.org/tx/',
  ARBITRUM_MAINNET: 'https://arbiscan.io/tx/',
  ARBITRUM_SEPOLIA_TESTNET: 'https://sepolia.arbiscan.io/tx/',
  OPTIMISM_MAINNET: 'https://optimistic.etherscan.io/tx/',
  OPTIMISM_SEPOLIA_TESTNET: 'https://sepolia-optimism.etherscan.io/tx/',
  POLYGON_MAINNET: 'https://polygonscan.com/tx/',
  POLYGON_AMOY_TESTNET: 'https://amoy.polygonscan.com/tx/',
  BNB_MAINNET: 'https://bscscan.com/tx/',
  BNB_TESTNET: 'https://testnet.bscscan.com/tx/',
  AVALANCHE_MAINNET: 'https://snowscan.xyz/tx/',
  AVALANCHE_FUJI_TESTNET: 'https://testnet.snowscan.xyz/tx/',
  SOL_MAINNET: 'https://explorer.solana.com/tx/',
  BTC_MAINNET: 'https://mempool.space/tx/',
  BTC_TESTNET: 'https://mempool.space/testnet/tx/',
  TRON_MAINNET: 'https://tronscan.org/#/transaction/',
};

/** Undefined for a network that nobody is known to show, and for what is no hash. */
export function transactionPage(networkCode: string | undefined, hash: string): string | undefined {
  const base = explorers[networkCode ?? ''];
  return base === undefined || !/^[0-9a-zA-Z]{32,128}$/.test(hash) ? undefined : `${base}${hash}`;
}
