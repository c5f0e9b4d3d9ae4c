//! `Marks`: what others keep of this node's word is brought to it, and theirs to it.

use super::node::Node;
use crate::log::log;
use crate::storage::journal::Record;
use crate::wire::progress_attestation::{Mark, Progress, MARKS_TOLD};
use crate::wire::refusal::Refused;
use crate::wire::ResponseBody;

/// What does not verify, and what is of nobody here, is passed over: it must not keep the rest from being heard.
pub fn take(node: &Node, told: Vec<Mark>) -> Result<ResponseBody, Refused> {
    if told.len() > MARKS_TOLD {
        return Err(Refused::invalid("There are too many marks."));
    }
    let identity = node.identity.verifying_key();
    let (own, others): (Vec<_>, Vec<_>) = told.into_iter().partition(|mark| mark.identity == identity.to_bytes());
    for mark in own {
        if !node.journal.has_reached(&mark.progress)? && mark.verifies(&identity) {
            set_back(node, &mark.progress)?;
        }
    }
    node.marks.note_told();
    let genuine = |mark: &Mark| node.cluster.nodes.values().any(|peer| mark.verifies(peer));
    let news: Vec<Mark> = others.into_iter().filter(|mark| node.marks.is_news(mark) && genuine(mark)).collect();
    if !news.is_empty() {
        node.journal.write(Record::Marks(news.clone()))?;
        news.into_iter().for_each(|mark| node.marks.keep(mark));
    }
    Ok(ResponseBody::MarksTaken)
}

/// In force at once; on disk when this returns, so that no restart lifts it.
fn set_back(node: &Node, seen: &Progress) -> Result<(), Refused> {
    if !node.marks.note_set_back() {
        log(format_args!(
            "the disk of this node was set back to an earlier state: it signs nothing until it is restored"
        ));
    }
    match node.journal.was_set_back()? {
        true => Ok(()),
        false => node.journal.write(Record::SetBack { seen: *seen }),
    }
}
