//! The flat form in which typed data travels. Decoding it is free of recursion.

use borsh::{BorshDeserialize, BorshSerialize};

/// Why typed data is refused: a fixed sentence.
pub type Misfit = &'static str;

pub const DOMAIN_TYPE: &str = "EIP712Domain";

/// The values of `domain` and `message` follow their types field by field, depth first. A struct has no token of its
/// own; an array opens with a `Count`, also when its type states the length.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct TypedData {
    /// Strictly ascending by name, `EIP712Domain` among them.
    pub types: Vec<StructType>,
    pub primary_type: String,
    pub domain: Vec<Token>,
    /// Empty when the primary type is `EIP712Domain`.
    pub message: Vec<Token>,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct StructType {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub type_name: String,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// An atom of 32 bytes, as the ABI encodes it: `address`, `bool`, `uintN`, `intN`, `bytesN`.
    Word([u8; 32]),
    /// `bytes`
    Bytes(Vec<u8>),
    /// `string`
    Text(String),
    /// How many elements of an array follow.
    Count(u32),
}
