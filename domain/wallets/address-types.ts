// The families of chains that a wallet has an address for.
export const addressTypes = ['evm', 'sol', 'btc', 'tron'] as const;
export type AddressType = (typeof addressTypes)[number];
