// What the code of domain/payloads/ refuses, in the port's words.
import { PayloadError } from '../../../domain/payloads/payload-error.ts';
import { ClusterError } from '../port.ts';

export function orInvalidRequest<Content>(read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (error instanceof PayloadError) throw new ClusterError('invalid_request', error.message);
    throw error;
  }
}
