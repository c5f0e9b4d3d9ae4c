//! The journal: what must survive a crash besides the shares. One file, one table for each kind of fact.

mod acknowledgement_table;
mod attestation_tables;
mod charge_tables;
mod checkpoint_tables;
mod durable_journal;
mod journal_file;
mod record;
mod roster_table;
mod tables;

pub use acknowledgement_table::Acknowledged;
pub use durable_journal::Journal;
pub use record::{Banned, Record};
pub use tables::{COMMAND_USED, MESSAGE_CONFLICT};
