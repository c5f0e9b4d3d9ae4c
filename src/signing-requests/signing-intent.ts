// What a caller wants signed, read and checked, before anything is stored. Every sign route, and every item of a batch,
// becomes one of these.

import type { SigningContent } from '../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';

export interface SigningIntent {
  network: NetworkRow;
  /** Where the signature may be valid: `network` first (valid-networks.ts). */
  validOn: readonly [NetworkRow, ...NetworkRow[]];
  content: SigningContent;
  /** Absent when the network's default applies. */
  path: readonly number[] | undefined;
  /** Canonical: with whose key the caller wants it signed, when it said so. */
  sender?: string;
}
