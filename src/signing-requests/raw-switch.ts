// The operator's switch for raw digests, which nobody can read before they are signed. Messages, typed data and transactions are not behind it.
import { ApiError } from '../http/errors.ts';

export function assertRawEnabled({ signRawEnabled }: { signRawEnabled: boolean }): void {
  if (!signRawEnabled)
    throw new ApiError(
      'route_disabled',
      'Signing of raw digests is switched off here: use signTyped, signMessage or signTransaction.',
    );
}
