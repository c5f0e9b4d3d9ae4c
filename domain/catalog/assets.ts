// The assets that every deployment knows: the native currency of each network, and stablecoins where their issuer or
// the chain's own bridge puts them. The sandbox's own dollar is the one exception: `npm start` puts it there
// (sandbox.seed.ts). Contracts were taken from lists that are maintained (see test/conformance/token-lists.json, which
// a test compares); an id follows from the network's code and the contract, and is stable for ever.
import { v5 as uuidv5 } from 'uuid';
import { networkSeed } from './networks.ts';
import { DOLLAR_DECIMALS, dollars } from './sandbox.ts';

const NAMESPACE = '61737365-7473-4000-8000-000000000000';

/** Native currencies that are not simply 18 decimals and named as their symbol. */
const natives: Readonly<Record<string, { name: string; decimals?: number }>> = {
  ETH: { name: 'Ether' },
  SOL: { name: 'Solana', decimals: 9 },
  BTC: { name: 'Bitcoin', decimals: 8 },
  TRX: { name: 'TRON', decimals: 6 },
  AVAX: { name: 'Avalanche' },
  tBNB: { name: 'BNB' },
  APE: { name: 'ApeCoin' },
  BERA: { name: 'Berachain' },
  CELO: { name: 'Celo' },
  'S-CELO': { name: 'Celo' },
  CHZ: { name: 'Chiliz' },
  CFX: { name: 'Conflux' },
  CORE: { name: 'Core' },
  CRO: { name: 'Cronos' },
  FTM: { name: 'Fantom' },
  FLR: { name: 'Flare' },
  FRAX: { name: 'Frax' },
  FUSE: { name: 'Fuse' },
  HYPE: { name: 'Hyperliquid' },
  KAIA: { name: 'Kaia' },
  KAVA: { name: 'Kava' },
  MNT: { name: 'Mantle' },
  METIS: { name: 'Metis' },
  MON: { name: 'Monad' },
  GLMR: { name: 'Moonbeam' },
  MOVR: { name: 'Moonriver' },
  XPL: { name: 'Plasma' },
  RON: { name: 'Ronin' },
  SEI: { name: 'Sei' },
  SOMI: { name: 'Somnia' },
  S: { name: 'Sonic' },
  XDC: { name: 'XDC' },
  ZETA: { name: 'ZetaChain' },
};

const logos: Readonly<Record<string, string>> = {
  ETH: 'eth',
  BTC: 'btc',
  SOL: 'sol',
  TRX: 'trx',
  POL: 'matic',
  BNB: 'bnb',
  tBNB: 'bnb',
  AVAX: 'avax',
  USDC: 'usdc',
  USDT: 'usdt',
  DAI: 'dai',
};

/** Issued by Circle itself on each of these: 6 decimals. */
const usdc: Readonly<Record<string, string>> = {
  ETHEREUM_MAINNET: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  BASE_MAINNET: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  ARBITRUM_MAINNET: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  OPTIMISM_MAINNET: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  POLYGON_MAINNET: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  AVALANCHE_MAINNET: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  SOL_MAINNET: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ETHER_SEPOLIA_TESTNET: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
  BASE_SEPOLIA_TESTNET: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  ARBITRUM_SEPOLIA_TESTNET: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
  OPTIMISM_SEPOLIA_TESTNET: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7',
  POLYGON_AMOY_TESTNET: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
  AVALANCHE_FUJI_TESTNET: '0x5425890298aed601595a70AB815c96711a31Bc65',
  SOL_DEVNET: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  CRONOS_MAINNET: '0x3D7F2C478aAfdB65542BCB44bCeeC05849999d2D',
  HYPEREVM_MAINNET: '0xb88339CB7199b77E23DB6E890353E22632Ba630f',
  INK_MAINNET: '0x2D270e6886d130D724215A266106e6832161EAEd',
  LINEA_MAINNET: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff',
  MONAD_MAINNET: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
  SEI_MAINNET: '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392',
  SONIC_MAINNET: '0x29219dd400f2Bf60E5a23d13Be72B486D4038894',
  UNICHAIN_MAINNET: '0x078D782b760474a361dDA0AF3839290b0EF57AD6',
  WORLD_CHAIN_MAINNET: '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1',
  XDC_MAINNET: '0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1',
  INK_SEPOLIA_TESTNET: '0xFabab97dCE620294D2B0b0e46C68964e326300Ac',
  LINEA_SEPOLIA_TESTNET: '0xFEce4462D57bD51A6A552365A011b95f0E16d9B7',
  MONAD_TESTNET: '0x534b2f3A21130d7a60830c2Df862319e593943A3',
  UNICHAIN_SEPOLIA_TESTNET: '0x31d0220469e10c4E71834a79b1f276d740d3768F',
  WORLD_CHAIN_SEPOLIA_TESTNET: '0x66145f38cBAC35Ca6F1Dfb4914dF98F1614aeA88',
};

/**
 * The other stablecoins: network, symbol, name, decimals, contract. A name says where it is not the issuer's own token.
 */
const otherTokens: readonly (readonly [string, string, string, number, string])[] = [
  ['BNB_MAINNET', 'USDC', 'Binance-Peg USD Coin', 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
  ['ETHEREUM_MAINNET', 'USDT', 'Tether USD', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ['ARBITRUM_MAINNET', 'USDT', 'Tether USD (USDT0)', 6, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
  ['OPTIMISM_MAINNET', 'USDT', 'Tether USD (bridged)', 6, '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'],
  ['POLYGON_MAINNET', 'USDT', 'Tether USD (USDT0)', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  ['BNB_MAINNET', 'USDT', 'Binance-Peg Tether USD', 18, '0x55d398326f99059fF775485246999027B3197955'],
  ['AVALANCHE_MAINNET', 'USDT', 'Tether USD', 6, '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7'],
  ['SOL_MAINNET', 'USDT', 'Tether USD', 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ['TRON_MAINNET', 'USDT', 'Tether USD', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['ETHEREUM_MAINNET', 'DAI', 'Dai Stablecoin', 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
  ['BASE_MAINNET', 'DAI', 'Dai Stablecoin (bridged)', 18, '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'],
  ['ARBITRUM_MAINNET', 'DAI', 'Dai Stablecoin (bridged)', 18, '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'],
  ['OPTIMISM_MAINNET', 'DAI', 'Dai Stablecoin (bridged)', 18, '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'],
  ['POLYGON_MAINNET', 'DAI', 'Dai Stablecoin (bridged)', 18, '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'],
];

const nativeAssets = networkSeed.map(({ internalCode, nativeCurrency }) => {
  const { name = nativeCurrency, decimals = 18 } = natives[nativeCurrency] ?? {};
  return asset(internalCode, { symbol: nativeCurrency, name, decimals }, null);
});
const tokenAssets = [
  ...Object.entries(usdc).map(([code, contract]) =>
    asset(code, { symbol: 'USDC', name: 'USD Coin', decimals: 6 }, contract),
  ),
  ...otherTokens.map(([code, symbol, name, decimals, contract]) => asset(code, { symbol, name, decimals }, contract)),
  ...Object.entries(dollars).map(([code, contract]) =>
    asset(code, { symbol: 'USDC', name: 'Sandbox USD Coin', decimals: DOLLAR_DECIMALS }, contract),
  ),
];

export const assetSeed: readonly AssetSeed[] = [...nativeAssets, ...tokenAssets];

interface AssetSeed {
  id: string;
  networkId: string;
  symbol: string;
  name: string;
  assetType: 'native' | 'token';
  isNative: boolean;
  decimals: number;
  contractAddress: string | null;
  logoUrl: string | null;
}

function asset(
  internalCode: string,
  { symbol, name, decimals }: { symbol: string; name: string; decimals: number },
  contractAddress: string | null,
): AssetSeed {
  const network = networkSeed.find((candidate) => candidate.internalCode === internalCode);
  if (network === undefined) throw new Error(`there is no network ${internalCode}`);
  const isNative = contractAddress === null;
  const logo = logos[symbol];
  return {
    id: uuidv5(`${internalCode}/${contractAddress ?? 'native'}`, NAMESPACE),
    networkId: network.id,
    symbol,
    name,
    assetType: isNative ? 'native' : 'token',
    isNative,
    decimals,
    contractAddress,
    logoUrl: logo === undefined ? null : `/logos/${logo}.svg`,
  };
}
