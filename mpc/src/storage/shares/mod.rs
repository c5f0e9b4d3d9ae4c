//! The shares on disk, encrypted, and those of them that are in memory.

mod share_cache;
pub mod share_file;
mod share_names;
mod settlement;
pub mod vault;
