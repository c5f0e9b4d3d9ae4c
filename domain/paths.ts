// A derivation path as rows have it, `m/44/60/0/0/0`, and as the numbers that a cluster derives by; `m` alone has no
// step.

/** From here on a step is hardened: no threshold cluster can derive it, since it needs the whole private key. */
const FIRST_HARDENED = 2 ** 31;
export const PATH_STEPS_MAX = 10;

export type PathFault = 'malformed' | 'hardened' | 'too_long';

/** What keeps these steps from being a path. */
export function faultOfPath(path: readonly number[]): PathFault | undefined {
  if (path.some((step) => step >= FIRST_HARDENED)) return 'hardened';
  if (!path.every((step) => Number.isInteger(step) && step >= 0)) return 'malformed';
  return path.length > PATH_STEPS_MAX ? 'too_long' : undefined;
}

/** With or without `m/`. */
export function parsePath(text: string): number[] | PathFault {
  const steps = text === 'm' ? [] : text.replace(/^m\//, '').split('/');
  const wrong = steps.find((step) => !/^\d{1,16}$/.test(step));
  if (wrong !== undefined) return /^\d+['hH]$/.test(wrong) ? 'hardened' : 'malformed';
  const path = steps.map(Number);
  return faultOfPath(path) ?? path;
}

/** Of a row, which holds what was accepted. */
export function storedPath(text: string): number[] {
  const path = parsePath(text);
  if (typeof path === 'string') throw new Error(`the path of a row is ${path}`);
  return path;
}

export const formatPath = (path: readonly number[]): string => ['m', ...path].join('/');
