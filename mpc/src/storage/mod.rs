//! What is on disk: the journal, the shares, and how a small file is written so that a crash tears none.

pub(crate) mod durable_file;
pub mod identity;
pub mod journal;
pub mod replacement;
pub mod secret_file;
pub mod shares;
pub mod store_key_check;
