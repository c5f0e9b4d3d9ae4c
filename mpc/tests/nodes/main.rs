//! Goal: everything that PROTOCOL.md promises of a node, by the hazard that would break it. Method: real nodes in one
//! process, driven without sockets; rogue peers that hold genuine keys and change what they say. `processes` and
//! some of `attacks` run the binary over TLS.

mod attacks;
mod backup;
mod bans;
mod checkpoints;
mod cluster_file;
mod commands;
mod connections;
mod contents;
mod durability;
mod echo;
mod envelopes;
mod fuzz_all_decoders;
mod hostile;
mod keys;
mod lost_writes;
mod points;
mod processes;
mod promised;
mod removed;
mod rolled_back;
#[path = "../samples/mod.rs"]
mod samples;
mod sessions;
mod signing;
mod store_key;
mod support;
mod vectors;
mod versions;
