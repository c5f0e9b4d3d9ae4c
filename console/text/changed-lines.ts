// Which lines of a text are gone and which are new: as few as a longest common subsequence leaves.
export interface ChangedLine {
  kind: 'same' | 'gone' | 'new';
  line: string;
  /** Its place in what is shown. */
  at: number;
}

/** More than as many pairs of lines are not compared: then all of them are gone, and all are new. */
const PAIRS_MAX = 4_000_000;

export function changedLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const shown: Omit<ChangedLine, 'at'>[] = [];
  const common = commonLengths(before, after);
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [gone, added] = [before[one], after[other]];
    if (gone !== undefined && gone === added && common !== undefined) {
      shown.push({ kind: 'same', line: gone });
      one += 1;
      other += 1;
    } else if (
      gone !== undefined &&
      (added === undefined || lengthAt(common, one + 1, other) >= lengthAt(common, one, other + 1))
    ) {
      shown.push({ kind: 'gone', line: gone });
      one += 1;
    } else {
      shown.push({ kind: 'new', line: added ?? '' });
      other += 1;
    }
  }
  return shown.map((line, at) => ({ ...line, at }));
}

type Lengths = readonly Uint32Array[] | undefined;

const lengthAt = (common: Lengths, one: number, other: number) => common?.[one]?.[other] ?? 0;

/** By a place in either text: how many lines the rests have in common. Undefined where that is too much to compute. */
function commonLengths(before: readonly string[], after: readonly string[]): Lengths {
  if (before.length * after.length > PAIRS_MAX) return undefined;
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1) {
      const row = rows[one] as Uint32Array;
      row[other] =
        before[one] === after[other]
          ? lengthAt(rows, one + 1, other + 1) + 1
          : Math.max(lengthAt(rows, one + 1, other), lengthAt(rows, one, other + 1));
    }
  return rows;
}
