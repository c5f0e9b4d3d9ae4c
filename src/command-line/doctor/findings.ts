// What a check of `countersign doctor` says.

export interface Finding {
  check: string;
  result: 'ok' | 'watch' | 'problem' | 'skipped';
  says: string;
  /** What to do. */
  advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, result: 'ok', says });
export const skipped = (check: string, says: string): Finding => ({ check, result: 'skipped', says });
export const watch = (check: string, says: string, advice: string): Finding => ({
  check,
  result: 'watch',
  says,
  advice,
});
export const problem = (check: string, says: string, advice: string): Finding => ({
  check,
  result: 'problem',
  says,
  advice,
});

export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
