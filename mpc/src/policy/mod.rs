//! The node's own policy: which contents it signs, whatever the orchestrator commands. Changes no state.

mod bitcoin;
mod charges;
mod check;
mod evm;
mod fee_caps;
mod file;
mod hours;
mod messages;
mod native_outflow;
mod paused;
mod payload_facts;
mod refusals;
mod solana;
mod tokens;
mod typed_data;
mod values;
mod wallets;

pub use charges::{short_hash, transaction_subject, Charge};
pub use file::Policy;
pub use payload_facts::{seen, Movement, Seen};
