//! The node's sessions and its cache of shares, over the locks of loom. The code is that of the node (see build.rs); the
//! modules that it names are the node's own.

pub use mpc_node::{crypto, keys, limits, policy, protocol, storage, wire};

pub mod sync {
    pub use loom::sync::{Mutex, MutexGuard};
    pub use std::sync::{Arc, PoisonError};
}

pub mod sessions {
    include!(concat!(env!("OUT_DIR"), "/sessions.rs"));
}

pub mod share_cache {
    include!(concat!(env!("OUT_DIR"), "/share_cache.rs"));
}
