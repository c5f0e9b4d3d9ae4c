//! How keys come to be and stay: generation, commit, refresh and repair.

pub mod cluster_sizes;
pub mod commit;
pub mod generation;
pub mod many_wallets;
pub mod refresh;
pub mod refresh_commit;
pub mod refresh_crashes;
pub mod refresh_rogue;
pub mod refresh_settle;
pub mod repair;
pub mod repair_two;
pub mod workspaces;
