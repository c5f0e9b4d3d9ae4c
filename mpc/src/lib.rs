//! The MPC node of Countersign: it holds one share of each key, acts only on signed commands and never sees another
//! node's share. PROTOCOL.md is the page it implements; this file only lists the parts, outside to inside.

// The process and its surroundings.
pub mod backup;
pub mod enrol;
pub mod enrolment;
pub mod file_watch;
pub mod limits;
pub mod process;
pub mod server;
pub mod tls;
pub mod wiping;

// A request's way: what comes in, who may, and the handlers.
mod authorize;
mod checkpoints;
mod commit;
pub mod countersigned;
mod daily;
pub mod node;
mod open;
pub mod policy;
mod repair;
mod round;
mod start;

// What travels.
pub mod channel;
pub mod cluster;
pub mod command;
pub mod hello;
pub mod key_statement;
pub mod mark;
pub mod refusal;
pub mod wire;

// What is computed.
pub mod canonical;
pub mod chains;
pub mod derive_ed25519;
pub mod derive_secp256k1;
pub mod eip712;
pub mod key_material;
pub mod protocol;
mod secret_bytes;
pub mod signatures;
pub mod solana_message;

// What is kept: in memory, then on disk.
mod bans;
mod finished;
mod marks;
mod sessions;
mod share_cache;

mod charge_tables;
mod checkpoint_tables;
mod durable_file;
pub mod journal;
mod journal_file;
mod journal_tables;
mod mark_tables;
mod record;
mod rosters;
mod sealed_stream;
pub mod share_file;
mod share_names;
pub mod vault;

pub mod clock;
mod random;
