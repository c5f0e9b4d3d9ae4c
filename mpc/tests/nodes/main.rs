//! Goal: everything that PROTOCOL.md promises of a node, by the hazard that would break it. Method: real nodes in one
//! process, driven without sockets; rogue peers that hold genuine keys and change what they say. `processes` and
//! some of `attacks` run the binary over TLS.

mod attacks;
mod backup;
mod bans;
mod checkpoints;
mod cluster_file;
mod commands;
mod commit;
mod connections;
mod daily;
mod drive;
mod durability;
mod echo;
mod envelopes;
mod fixture;
mod fuzz_all_decoders;
mod generation;
mod hostile;
mod keeper;
mod lost_writes;
mod many_wallets;
mod paused;
mod points;
mod policy;
mod processes;
mod promised;
mod refresh;
mod refresh_commit;
mod refresh_crashes;
mod refresh_rogue;
mod removed;
mod repair;
mod rogue;
#[path = "../samples/mod.rs"]
mod samples;
mod sessions;
mod set_back;
mod signing;
mod solana;
mod typed_data;
mod vectors;
mod versions;
