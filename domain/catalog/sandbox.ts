// What is known of the sandbox's own chains before they exist: the treasury that the faucet pays from, and the dollar
// that it pays. The keys stand here for everybody to read: whatever they hold is worth nothing, and nothing in
// production uses them. Imports nothing, so that any layer may read it.

export const sandboxCodes = ['ETHEREUM_SANDBOX', 'SOL_SANDBOX', 'BTC_SANDBOX'] as const;
export type SandboxCode = (typeof sandboxCodes)[number];

export const isSandboxCode = (code: string): code is SandboxCode => sandboxCodes.some((each) => each === code);

/**
 * Hex of 32 bytes. Ethereum: the last of the ten accounts of anvil's published mnemonic; the others: SHA-256 of
 * `countersign sandbox treasury <family>`.
 */
export const treasuries: Readonly<Record<SandboxCode, { privateKey: string; address: string }>> = {
  ETHEREUM_SANDBOX: {
    privateKey: '2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
    address: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  },
  SOL_SANDBOX: {
    privateKey: 'f374bd024f267b8a2dfcdb7da0b2b7f556a05864e1e76e3dbd63061bdfe0a96e',
    address: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk',
  },
  BTC_SANDBOX: {
    privateKey: '669de943e1a08c9ca040934a2d943abeb5bc9b86c14546125c402914c262442a',
    address: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
  },
};

export const DOLLAR_DECIMALS = 6;

/**
 * The contract and the mint. Ethereum: what CREATE2 makes of the code (src/local/ethereum/sandbox-usd.sol) for
 * everybody who deploys it; Solana: a key whose seed is SHA-256 of `countersign sandbox dollar solana`.
 */
export const dollars = {
  ETHEREUM_SANDBOX: '0xBC43078a3f7E988Ba1C1A2182e3cffd4D2938826',
  SOL_SANDBOX: 'FmcuQcnJmGAF9cQDjhabParTit2sQQzp2eBFF6KwUtQw',
} as const;

/** All of it is the treasury's, which may mint more. */
export const DOLLAR_SUPPLY = 1_000_000_000_000_000_000n;
