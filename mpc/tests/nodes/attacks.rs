//! Goal: what PROTOCOL.md promises under attack: honest nodes never crash, never sign what was not asked, and name the
//! peer where the protocol can. Method: every round of every session, on both curves, with every hand in it (`rogues`,
//! `relay`); the keys of commands (`command_keys`); the machine under a node (`full_disk`, `torn`, `killed`, `clocks`).

pub mod child;
mod clocks;
mod command_keys;
#[cfg(target_os = "linux")]
mod full_disk;
mod hands;
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod relay;
mod rogues;
pub mod session;
mod torn;
