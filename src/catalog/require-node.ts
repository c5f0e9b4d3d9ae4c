// What the workers know of a network now: whether they read it by a node and believe what it says, and its fees.
import { hasAdapter } from '../../domain/catalog/capabilities.ts';
import type { NetworkFees } from '../../domain/networks/stored-fees.ts';
import type { NetworkStateRow } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';

/** What no operator can change is no failure of a dependency. */
export function assertHasAdapter({ internalCode, addressType }: NetworkRow): void {
  if (!hasAdapter(addressType))
    throw new ApiError(
      'invalid_request',
      `${internalCode} is for signatures only: this service neither reads that chain nor sends to it yet, so there are no deposits, withdrawals or fees on it.`,
    );
}

/** A chain that did the unbelievable is left alone until an operator has looked. */
export function assertHasNode(
  network: NetworkRow,
  state: NetworkStateRow | undefined,
): asserts state is NetworkStateRow {
  assertHasAdapter(network);
  const { internalCode } = network;
  if (state === undefined || state.unwatchedAt !== null)
    throw new ApiError(
      'dependency_unavailable',
      `No node of ${internalCode} is connected here: an operator sets its RPC address.`,
    );
  if (state.haltedReason !== null)
    throw new ApiError(
      'dependency_unavailable',
      `${internalCode} is halted until an operator has looked at what its chain did.`,
    );
}

/** Older fees would mislead. */
const FEES_OLD_AFTER_MS = 10 * 60_000;

export function freshFees({ fees }: Pick<NetworkStateRow, 'fees'>): NetworkFees | null {
  return fees === null || Date.now() - Date.parse(fees.quotedAt) > FEES_OLD_AFTER_MS ? null : fees;
}

export function requireFees({ internalCode }: NetworkRow, state: NetworkStateRow): NetworkFees {
  const fees = freshFees(state);
  if (fees === null)
    throw new ApiError('dependency_unavailable', `The node of ${internalCode} tells no fees now: try again.`);
  return fees;
}
