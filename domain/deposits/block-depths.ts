// How deep a block must lie before what it says of deposits is final, and how deep a reorganisation is believed.

export interface BlockDepths {
  /** How many blocks, its own included, a deposit must have over it. */
  confirmationBlocks: number;
}

/** A reorganisation that reaches further back than this is not believed (controls D6). */
export const windowBlocks = ({ confirmationBlocks }: BlockDepths): number => Math.max(64, 3 * confirmationBlocks);

/** The newest block whose deposits are final once `lastBlock` was read: 1 confirmation is the block itself. */
export const finalBlock = ({ confirmationBlocks }: BlockDepths, lastBlock: number): number =>
  lastBlock - Math.max(confirmationBlocks, 1) + 1;
