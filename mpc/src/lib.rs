//! The MPC node of Countersign: it holds one share of each key, acts only on signed commands and never sees another
//! node's share. PROTOCOL.md is the page it implements; this file only lists the parts.

#![forbid(clippy::dbg_macro)]

pub mod cluster;
pub mod command;
pub mod key_statement;
pub mod refusal;
pub mod wire;
