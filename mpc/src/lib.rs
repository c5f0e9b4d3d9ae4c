//! The MPC node of Countersign: it holds one share of each key, acts only on signed commands and never sees another
//! node's share. PROTOCOL.md is the page it implements. The modules are listed from the outside to the inside; which of
//! them may use which is drawn in README.md and checked by scripts/crate-arrows.mjs of the service.

pub mod process;

pub mod handlers;

pub mod guards;
pub mod policy;
pub mod protocol;
pub mod storage;

pub mod keys;

pub mod chains;
pub mod wire;

pub mod crypto;

pub mod clock;
pub mod cluster;
pub mod limits;
pub mod log;
