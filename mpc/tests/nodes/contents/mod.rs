//! What a node reads in a content before it signs it, and what its policy says of it.

pub mod daily_quota;
pub mod paused;
pub mod policy_file;
pub mod solana;
pub mod solana_offchain;
pub mod typed_data;
