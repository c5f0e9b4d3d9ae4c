//! The process and its surroundings: the server and its TLS, the files that it follows, and the commands of operators.

pub mod backup;
pub mod file_watch;
pub mod hardening;
pub mod observation;
pub mod program;
pub mod provision;
pub mod repair_commands;
pub mod rotate_store_key;
pub mod server;
pub mod tls;
pub mod zeroizing_allocator;
