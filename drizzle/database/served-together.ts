// Has many who ask for the same statement served by one. Who asks while no statement is under way is served with all
// who ask in the same turn of the event loop; who comes later waits for it to end, and goes with the others who wait.
// So one that comes alone waits for nobody, and a crowd costs few round trips and few commits. Knows no table.
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** A statement that takes longer is waited for no more: what holds it up must not hold up those who come after it. */
const LATE_MS = 25;

export interface ServedTogether<Item, Result> {
  /** Answers for each item, in their order. */
  all: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** At most so many at once. */
  most: number;
  /** Other than `LATE_MS`. */
  lateMs?: number;
}

interface Asking<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * When a statement for several fails, each of them is asked for by itself: one that cannot be served harms no other.
 */
export function servedTogether<Item, Result>(served: ServedTogether<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Asking<Item, Result>[] = [];
  let isUnderWay = false;
  let isGathering = false;

  const next = () => {
    if (isUnderWay || waiting.length === 0) return;
    isUnderWay = true;
    let isCounted = true;
    const end = () => {
      clearTimeout(late);
      if (!isCounted) return;
      isCounted = false;
      isUnderWay = false;
      next();
    };
    const late = setTimeout(end, served.lateMs ?? LATE_MS);
    void serve(served, waiting.splice(0, served.most)).finally(end);
  };
  const gather = async (): Promise<void> => {
    if (isGathering || isUnderWay) return;
    isGathering = true;
    await endOfTurn();
    isGathering = false;
    next();
  };
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void gather();
    });
}

async function serve<Item, Result>(
  { all }: ServedTogether<Item, Result>,
  asking: readonly Asking<Item, Result>[],
): Promise<void> {
  try {
    const results = await all(asking.map(({ item }) => item));
    for (const [index, { resolve }] of asking.entries()) resolve(results[index] as Result);
  } catch (error) {
    const [first, second] = asking;
    if (second === undefined) first?.reject(error);
    else await Promise.all(asking.map((one) => serve({ all, most: 1 }, [one])));
  }
}
