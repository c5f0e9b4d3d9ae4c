// The caller's part of a `contract_call`, as the API stores it in the row of a withdrawal and the workers read it
// there.

/** Whole numbers that may be large are decimal text. */
export type StoredCall = {
  /** 0x hex, lower case. */
  data: string;
  accessList?: readonly { address: string; storageKeys: readonly string[] }[];
  nonce?: number;
  gasLimit?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
};
