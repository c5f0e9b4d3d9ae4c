// What no policy and no approval can permit on a sign route: what the operator switched off, and a transaction whose
// fee is above the cap of a network on which it may be valid.
import type { NetworkCatalog } from '../catalog/networks.ts';
import { readFee } from '../policies/read-fee.ts';
import { assertReadable } from './raw-switch.ts';
import type { SigningIntent } from './signing-intent.ts';

interface Settings {
  networks: NetworkCatalog;
  signRawEnabled: boolean;
}

export function assertSignable(settings: Settings, intent: SigningIntent): SigningIntent {
  const fee = readFee(intent.content.payload);
  for (const network of intent.validOn) settings.networks.assertFeeWithinCap(network, fee, 'The transaction');
  return assertReadable(settings, intent);
}
