// What a signing operation has the nodes sign, as JSON can carry it.
import type { TypedData } from '../payloads/typed-data.ts';
import type { PayloadKind } from '../statuses.ts';

/** Every kind of `payloadKinds`: its bytes as 0x hex, or the EIP-712 document. */
export type SigningPayload =
  | { kind: Exclude<PayloadKind, 'evm_typed_data'>; hex: string }
  | { kind: 'evm_typed_data'; typedData: TypedData };
