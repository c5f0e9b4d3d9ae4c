// What a withdrawal under way lacks, as its row keeps it and callers are shown it, and when that is worth another word.
// Imports nothing, so that any layer may read it.
export interface Shortage {
  assetId: string;
  symbol: string;
  /** A decimal number in the asset's unit; null where nobody could say how much. */
  missing: string | null;
  /** RFC 3339: when it fails, if that is still missing then; null when it waits however long that takes. */
  waitsUntil: string | null;
}

/** By how much what is missing may move before it is another shortage. */
const FACTOR = 2;

/** Whether who was told of the one needs not be told of the other. */
export function isSimilarShortage(one: Shortage, other: Shortage): boolean {
  if (one.assetId !== other.assetId || one.waitsUntil !== other.waitsUntil) return false;
  if (one.missing === null || other.missing === null) return one.missing === other.missing;
  const [less = 0, more = 0] = [Number(one.missing), Number(other.missing)].sort((left, right) => left - right);
  return more < FACTOR * less;
}
