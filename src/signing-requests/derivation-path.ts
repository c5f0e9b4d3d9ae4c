// Reads a derivation path in either of its forms. Refuses hardened steps: no threshold cluster can derive them.
import { ApiError } from '../http/errors.ts';

const HARDENED = 2 ** 31;
const DEPTH_MAX = 10;

/** `m/44/60/0/0/0`, with or without `m/`; `m` alone is the wallet's root key. */
export function parseDerivationPath(text: string): number[] {
  const steps = text === 'm' ? [] : text.replace(/^m\//, '').split('/');
  return checkPath(
    steps.map((step) => {
      if (/^\d+['hH]$/.test(step)) throw hardened();
      if (!/^\d{1,16}$/.test(step))
        throw new ApiError(
          'invalid_request',
          'derivation_path must be whole numbers separated by "/", like m/44/60/0/0/0.',
        );
      return Number(step);
    }),
  );
}

/** Steps as whole numbers from 0 to 2³¹ − 1, at most ten of them. */
export function checkPath(path: number[]): number[] {
  if (path.some((step) => step >= HARDENED)) throw hardened();
  if (path.length > DEPTH_MAX)
    throw new ApiError('invalid_request', `A derivation path has at most ${DEPTH_MAX} components.`);
  return path;
}

export function readPath({ derivation_path: text }: { derivation_path?: string }): number[] | undefined {
  return text === undefined ? undefined : parseDerivationPath(text);
}

const hardened = () =>
  new ApiError(
    'hardened_derivation',
    'Hardened derivation needs the whole private key, which exists nowhere: use components below 2147483648 without a mark.',
  );
