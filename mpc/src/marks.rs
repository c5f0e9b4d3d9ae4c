//! `Marks`: what others keep of this node's word is brought to it, and theirs to it. Whoever carries a mark cannot make one,
//! so that a bad node or carrier can hold marks back and nothing else. A node whose own mark is beyond its journal has a
//! disk that was set back: it has forgotten bans, bound messages, counters, and opens no session until it is restored.

use crate::journal::{Journal, Record};
use crate::mark::{Mark, Progress, MARKS_TOLD};
use crate::node::Node;
use crate::process::log;
use crate::refusal::{RefusalCode, Refused};
use crate::wire::ResponseBody;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

const SET_BACK: Refused = Refused::new(
    RefusalCode::SetBack,
    "The disk of this node was set back to an earlier state: it has to be restored.",
);
const NOT_YET_TOLD: Refused =
    Refused::new(RefusalCode::NotYetTold, "This node has not been told since its start what the others keep of it.");

pub struct Marks {
    /// By identity; as on disk.
    kept: Mutex<BTreeMap<[u8; 32], Mark>>,
    /// Since the start.
    told: AtomicBool,
    set_back: AtomicBool,
}

impl Marks {
    pub fn load(journal: &Journal) -> Result<Self, Refused> {
        let kept = journal.marks()?.into_iter().map(|mark| (mark.identity, mark)).collect();
        let set_back = AtomicBool::new(journal.was_set_back()?);
        Ok(Self { kept: Mutex::new(kept), told: AtomicBool::new(false), set_back })
    }

    /// Before anything is written that must not be forgotten, and again before it leaves.
    pub fn check(&self) -> Result<(), Refused> {
        if self.is_set_back() {
            return Err(SET_BACK);
        }
        match self.told.load(Ordering::SeqCst) {
            true => Ok(()),
            false => Err(NOT_YET_TOLD),
        }
    }

    pub fn is_set_back(&self) -> bool {
        self.set_back.load(Ordering::SeqCst)
    }

    pub fn list(&self) -> Vec<Mark> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn is_news(&self, mark: &Mark) -> bool {
        is_news(&self.kept.lock().unwrap_or_else(PoisonError::into_inner), mark)
    }

    fn keep(&self, mark: Mark) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if is_news(&kept, &mark) {
            kept.insert(mark.identity, mark);
        }
    }
}

fn is_news(kept: &BTreeMap<[u8; 32], Mark>, mark: &Mark) -> bool {
    mark.progress.is_beyond(&kept.get(&mark.identity).map_or(Progress::default(), |kept| kept.progress))
}

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
    node.marks.told.store(true, Ordering::SeqCst);
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
    if !node.marks.set_back.swap(true, Ordering::SeqCst) {
        log(format_args!(
            "the disk of this node was set back to an earlier state: it signs nothing until it is restored"
        ));
    }
    match node.journal.was_set_back()? {
        true => Ok(()),
        false => node.journal.write(Record::SetBack { seen: *seen }),
    }
}
