//! EIP-712 typed data: the form in which it travels, its types, and its digest.

mod atom;
mod digest;
mod type_table;
mod types;

pub use digest::digest;
pub use types::*;
