// The bounds of what can be signed. They are those of the nodes (mpc/src/limits.rs), so that nobody accepts what
// somebody refuses later.

export const PAYLOAD_BYTES_MAX = 65_536;

/** What a packet on Solana holds. */
export const SOLANA_MESSAGE_BYTES_MAX = 1232;

/**
 * Of EIP-712: structs and arrays around a value, struct types, and the bytes of all struct types as `encodeType` writes
 * them.
 */
export const TYPED_DATA_DEPTH_MAX = 32;
export const TYPED_DATA_TYPES_MAX = 64;
export const TYPE_TEXT_BYTES_MAX = 4096;
