//! What travels, exactly as in PROTOCOL.md: frames, commands, hellos, statements and refusals. Types, encoding and
//! signatures; no checks of meaning and no secrets.

pub mod command;
mod encoding;
mod frames;
pub mod hello;
pub mod key_acknowledgement;
pub mod key_statement;
pub mod progress_attestation;
pub mod refusal;

pub use encoding::*;
pub use frames::*;
