//! The shares on disk, encrypted, and those of them that are in memory.

mod data_key;
pub mod resealing;
mod settlement;
mod share_cache;
pub mod share_file;
mod share_names;
pub mod vault;
