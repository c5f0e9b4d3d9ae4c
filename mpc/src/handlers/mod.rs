//! A request's way through the node: one file for each kind of request, and what the requests of a session share.

pub(crate) mod attestations;
pub(crate) mod checkpoints;
pub(crate) mod commit_key;
mod dispatch;
pub mod node;
pub(crate) mod open;
pub(crate) mod repair;
pub(crate) mod result_cache;
pub(crate) mod round;
pub(crate) mod sessions;
pub(crate) mod settle_key;
pub(crate) mod start;
