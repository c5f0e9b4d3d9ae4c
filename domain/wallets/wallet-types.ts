// What callers say a wallet is. Nothing here decides by it.
export const walletTypes = ['standard', 'mpc'] as const;
export type WalletType = (typeof walletTypes)[number];
