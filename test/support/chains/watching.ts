// What a test watches on a chain: addresses of its own in memory, where the product has an index in SQL.
import type { Watched } from '../../../activities/chains/port/movements.ts';

export interface TestWatched extends Watched {
  /** What was asked for, one list a call. */
  asked: (readonly string[])[];
}

export function watching(ours: readonly string[], contracts: Iterable<string> = []): TestWatched {
  const asked: (readonly string[])[] = [];
  return {
    contracts: new Set(contracts),
    ours: async (addresses) => {
      asked.push(addresses);
      return new Set(addresses.filter((address) => ours.includes(address)));
    },
    asked,
  };
}
