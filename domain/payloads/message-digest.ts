// Tells a message that is a digest and nothing else, which nobody can read: under the prefix of EIP-191 a Safe and
// ERC-4337 accounts take 32 bytes for the approval of whatever they are the hash of, and other contracts take its hex
// digits as text. As the nodes' policy tells it.

/** 32 bytes; or 64 hex digits in ASCII, with or without 0x. */
const DIGEST = /^0x([0-9a-f]{64}|(30(78|58))?(3[0-9]|[46][1-6]){64})$/i;

/** `hex`: the bytes of the message, with 0x. */
export const isDigest = (hex: string) => DIGEST.test(hex);

/** What may be such a digest under another name. */
export const isMessage = <Payload extends { kind: string }>(
  payload: Payload,
): payload is Extract<Payload, { hex: string }> => payload.kind === 'evm_message' || payload.kind === 'solana_message';
