// Reads a derivation path in either of its forms, and refuses what is none (domain/paths.ts).
import { faultOfPath, PATH_STEPS_MAX, type PathFault, parsePath } from '../../domain/paths.ts';
import { ApiError } from '../http/errors.ts';

const refusals: Readonly<Record<PathFault, ConstructorParameters<typeof ApiError>>> = {
  malformed: ['invalid_request', 'derivation_path must be whole numbers separated by "/", like m/44/60/0/0/0.'],
  hardened: [
    'hardened_derivation',
    'Hardened derivation needs the whole private key, which exists nowhere: use components below 2147483648 without a mark.',
  ],
  too_long: ['invalid_request', `A derivation path has at most ${PATH_STEPS_MAX} components.`],
};

/** `m/44/60/0/0/0`, with or without `m/`; `m` alone is the wallet's root key. */
export const parseDerivationPath = (text: string): number[] => accepted(parsePath(text));

/** Steps as whole numbers from 0 to 2³¹ − 1, at most ten of them. */
export const checkPath = (path: number[]): number[] => accepted(faultOfPath(path) ?? path);

export function readPath({ derivation_path: text }: { derivation_path?: string }): number[] | undefined {
  return text === undefined ? undefined : parseDerivationPath(text);
}

function accepted(path: number[] | PathFault): number[] {
  if (typeof path === 'string') throw new ApiError(...refusals[path]);
  return path;
}
