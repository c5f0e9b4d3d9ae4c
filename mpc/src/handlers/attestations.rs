//! `Marks`: what others keep of this node's word is brought to it, and theirs to it.

use super::node::Node;
use crate::log::{log, Level};
use crate::storage::journal::Record;
use crate::wire::progress_attestation::{Progress, ProgressAttestation, ATTESTATIONS_A_REQUEST};
use crate::wire::refusal::Refused;
use crate::wire::ResponseBody;

/// What does not verify, and what is of nobody here, is passed over: it must not keep the rest from being heard.
pub fn take(node: &Node, told: Vec<ProgressAttestation>) -> Result<ResponseBody, Refused> {
    if told.len() > ATTESTATIONS_A_REQUEST {
        return Err(Refused::invalid("There are too many marks."));
    }
    let identity = node.identity.verifying_key();
    let (own, others): (Vec<_>, Vec<_>) = told.into_iter().partition(|mark| mark.identity == identity.to_bytes());
    for mark in own {
        if !node.journal.has_reached(&mark.progress)? && mark.verifies(&identity) {
            set_back(node, &mark.progress)?;
        }
    }
    node.rollback.note_told();
    let genuine = |mark: &ProgressAttestation| node.cluster.nodes.values().any(|peer| mark.verifies(peer));
    let news: Vec<ProgressAttestation> =
        others.into_iter().filter(|mark| node.rollback.is_news(mark) && genuine(mark)).collect();
    if !news.is_empty() {
        node.journal.write(Record::Attestations(news.clone()))?;
        news.into_iter().for_each(|mark| node.rollback.keep(mark));
    }
    Ok(ResponseBody::MarksTaken)
}

/// In force at once; on disk when this returns, so that no restart lifts it.
fn set_back(node: &Node, seen: &Progress) -> Result<(), Refused> {
    if !node.rollback.note_rolled_back() {
        log(
            Level::Error,
            format_args!(
                "the disk of this node was set back to an earlier state: it signs nothing until it is restored"
            ),
        );
    }
    match node.journal.was_rolled_back()? {
        true => Ok(()),
        false => node.journal.write(Record::RolledBack { seen: *seen }),
    }
}
