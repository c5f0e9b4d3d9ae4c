//! The node's own policy: which contents it signs, whatever the orchestrator commands. Changes no state.

mod bitcoin;
mod charges;
mod check;
mod coins;
mod evm;
mod fee_caps;
mod file;
mod hours;
mod messages;
mod paused;
mod refusals;
mod seen;
mod solana;
mod tokens;
mod typed_data;
mod values;

pub use charges::{short_hash, transaction_subject, Charge};
pub use file::Policy;
pub use seen::{seen, Movement, Seen};
