// The operator's switch for raw digests, which nobody can read before they are signed. Messages that say something,
// typed data and transactions are not behind it.
import { isBlindMessage } from '../../domain/payloads/message-digest.ts';
import { ApiError } from '../http/errors.ts';
import type { SigningIntent } from './signing-intent.ts';

interface Switch {
  signRawEnabled: boolean;
}

export function assertRawEnabled({ signRawEnabled }: Switch): void {
  if (!signRawEnabled)
    throw new ApiError(
      'route_disabled',
      'Signing of raw digests, and of messages that are one, is switched off here: use signTyped, signMessage or signTransaction.',
    );
}

/** A message that is a digest is one under another name. */
export function assertReadable(settings: Switch, intent: SigningIntent): SigningIntent {
  if (isBlindMessage(intent.content.payload)) assertRawEnabled(settings);
  return intent;
}
