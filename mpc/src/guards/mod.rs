//! What is asked before a session may begin or go on: who speaks, whether somebody else has to approve, what was used
//! up today, which peers are banned, and whether the disk of this node was rolled back.

pub mod approver;
pub(crate) mod authorize;
pub(crate) mod bans;
pub(crate) mod daily_quota;
pub(crate) mod rollback;
