// What a caller keeps with a wallet: a few short texts by name, bounded so that a page of wallets stays small.
export type WalletMetadata = Readonly<Record<string, string>>;

export const METADATA_NAMES_MAX = 20;
export const METADATA_NAME_LENGTH_MAX = 40;
export const METADATA_VALUE_LENGTH_MAX = 200;
/** No colon, since a filter writes `name:value`. */
export const METADATA_NAME = `^[A-Za-z0-9_.-]{1,${METADATA_NAME_LENGTH_MAX}}$`;
