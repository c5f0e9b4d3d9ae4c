// The payload of a signing operation, rebuilt from its row: what the nodes are to be shown when nothing but the row can
// be trusted. Pure.

import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import type { SigningRequestRow } from './signing-requests.ts';

type Columns = Pick<SigningRequestRow, 'payloadKind' | 'signingHash' | 'unsignedTx' | 'typedData'>;

export function payloadOf({ payloadKind: kind, signingHash, unsignedTx, typedData }: Columns): SigningPayload {
  switch (kind) {
    case 'raw_digest':
      return { kind, hex: signingHash };
    case 'evm_transaction':
    case 'solana_transaction':
    case 'solana_message':
    case 'bitcoin_input':
      return { kind, hex: unsignedTx };
    case 'evm_message':
      return { kind, hex: withoutPrefix(unsignedTx) };
    case 'evm_typed_data':
      if (typedData === null) throw new Error('the row of a document has no document');
      return { kind, typedData };
  }
}

/** `\x19Ethereum Signed Message:\n` */
const PREFIX = '19457468657265756d205369676e6564204d6573736167653a0a';

/** Of a message the row has what is hashed: the prefix of EIP-191, the length in decimal digits, and the message. */
function withoutPrefix(prefixed: string): string {
  const rest = Buffer.from(prefixed.slice(2 + PREFIX.length), 'hex');
  // The length grows with its digits, so that one number of digits fits at most.
  for (let digits = 1; digits < rest.length + 1; digits += 1) {
    const text = rest.subarray(0, digits).toString('latin1');
    if (text === String(rest.length - digits)) return `0x${rest.subarray(digits).toString('hex')}`;
  }
  // The row was changed since. As it stands it is the message of nothing that was accepted, and who compares will see
  // that.
  return prefixed;
}
