//! One node's share of a key, its child keys, and the bytes that both are stored and sent as.

pub mod canonical;
pub mod children;
pub mod derive_ed25519;
pub mod derive_secp256k1;
pub mod key_material;
pub mod share;
