//! What the tests share: a cluster in one process, the orchestrator's side of a session, and a participant that lies.

pub mod drive;
pub mod fixture;
pub mod keeper;
pub mod rogue;
