// What every adapter refuses before it does anything: requests that break the port's own rules.
import { validate } from 'uuid';
import { ClusterError, type SignRequest } from '../port.ts';
import type { WirePayload } from '../transport/wire.ts';
import { assertPath } from './derive-child-key.ts';
import { wirePayload } from './payload.ts';

export function assertUuid(value: string, name: string): void {
  if (!validate(value)) throw new ClusterError('invalid_request', `${name} is not a UUID`);
}

/** Returns the payload as the nodes read it. */
export function assertSignRequest({ operationId, attempt, walletId, curve, path, payload }: SignRequest): WirePayload {
  assertUuid(operationId, 'operationId');
  assertUuid(walletId, 'walletId');
  assertPath(path);
  if (!Number.isInteger(attempt) || attempt < 0 || attempt >= 2 ** 32)
    throw new ClusterError('invalid_request', 'attempt is not a 32-bit number');
  return wirePayload(payload, curve);
}
