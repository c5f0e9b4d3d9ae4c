//! How values are written as bytes, and the two that nearly every other one has: an identifier and a curve.

use borsh::{BorshDeserialize, BorshSerialize};

/// The 16 bytes of a UUID: a wallet, a command or an operation.
pub type Id = [u8; 16];

#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Curve {
    Secp256k1,
    Ed25519,
}

/// One frame's bytes to a value; trailing bytes are an error.
pub fn decode<T: BorshDeserialize>(bytes: &[u8]) -> Option<T> {
    borsh::from_slice(bytes).ok()
}

pub fn encode<T: BorshSerialize>(value: &T) -> Vec<u8> {
    // Writing to memory fails only past u32 lengths, which every cap here excludes.
    borsh::to_vec(value).expect("a bounded value encodes")
}
