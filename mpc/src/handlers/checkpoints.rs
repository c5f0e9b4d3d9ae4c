//! `KeepCheckpoint` and `Checkpoints`: what the audit chain was, kept where who rewrites the database does not reach.
//! Keeping takes a signed command, and goes forward only; reading changes nothing.

use super::node::Node;
use crate::guards::authorize::{authenticate, check_expires_within};
use crate::limits::COMMAND_AHEAD_MS;
use crate::storage::journal::Record;
use crate::wire::command::Command;
use crate::wire::refusal::Refused;
use crate::wire::{Checkpoint, CheckpointList, CheckpointPlace, ResponseBody};

const DAY_MS: u64 = 86_400_000;

/// On disk before the answer. A repeat is answered alike, so that used ids need not be kept.
pub fn keep(node: &Node, bytes: &[u8], signature: &[u8; 64]) -> Result<ResponseBody, Refused> {
    let command: Command<Checkpoint> = authenticate(&node.cluster, bytes, signature)?;
    let now_ms = node.limits.clock.now_ms();
    check_expires_within(&command, now_ms, COMMAND_AHEAD_MS)?;
    let checkpoint = command.operation;
    node.rollback.check()?;
    if checkpoint.seq == 0 {
        return Err(Refused::invalid("The entries of a chain count from 1."));
    }
    let (day, limits) = (now_ms / DAY_MS, node.limits.checkpoints);
    node.journal.write(Record::Checkpoint { checkpoint: checkpoint.clone(), day, limits })?;
    Ok(ResponseBody::CheckpointKept(checkpoint))
}

pub fn page(node: &Node, list: CheckpointList, after: Option<CheckpointPlace>) -> Result<ResponseBody, Refused> {
    Ok(ResponseBody::Checkpoints(node.journal.checkpoints(list, after)?))
}
