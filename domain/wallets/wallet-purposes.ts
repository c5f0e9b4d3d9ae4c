// What a caller may say that a wallet is for. Nothing here decides by it.
export const walletPurposes = [
  'general',
  'gas_tank',
  'deployment',
  'custody',
  'user',
  'payment',
  'one_time_use',
] as const;
export type WalletPurpose = (typeof walletPurposes)[number];
