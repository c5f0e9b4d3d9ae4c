// What a chain throws: for now (`ChainError`), or for good (`ImpossibleTransfer`).

/**
 * `insufficient_funds`: the payer lacks the amount or the fee now. `wrong_chain`: the node is on another chain than its
 * network's; nothing that it says is believed. `unavailable`: the node cannot be asked.
 */
export type ChainErrorCode = 'insufficient_funds' | 'wrong_chain' | 'unavailable';

/**
 * The node answered what it must not, or not at all; the same call may succeed later. `message` holds no address of the
 * node with its credentials.
 */
export class ChainError extends Error {
  override name = 'ChainError';
  readonly code: ChainErrorCode | undefined;
  /** Of `insufficient_funds`, where it is known already: how much of the native currency, in base units. */
  readonly missing: bigint | undefined;

  constructor(message: string, code?: ChainErrorCode, missing?: bigint) {
    super(message);
    this.code = code;
    this.missing = missing;
  }
}

/**
 * This can never be sent as it is, however often it is tried: an amount below dust, a recipient that would lose it,
 * decimals that are not the mint's.
 */
export class ImpossibleTransfer extends Error {
  override name = 'ImpossibleTransfer';
}
