//! `Marks`: what others keep of this node's word is brought to it, and theirs to it. Whoever carries a mark cannot make
//! one, so that a bad node or carrier can hold marks back and nothing else. A node whose own mark is beyond its journal
//! has a disk that was set back: it has forgotten bans, bound messages, counters, and opens no session until it is
//! restored.

use crate::storage::journal::Journal;
use crate::wire::progress_attestation::{Progress, ProgressAttestation};
use crate::wire::refusal::{RefusalCode, Refused};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

const SET_BACK: Refused = Refused::new(
    RefusalCode::SetBack,
    "The disk of this node was set back to an earlier state: it has to be restored.",
);
const NOT_YET_TOLD: Refused =
    Refused::new(RefusalCode::NotYetTold, "This node has not been told since its start what the others keep of it.");

pub struct RollbackDetection {
    /// By identity; as on disk.
    kept: Mutex<BTreeMap<[u8; 32], ProgressAttestation>>,
    /// Since the start.
    told: AtomicBool,
    set_back: AtomicBool,
}

impl RollbackDetection {
    pub fn load(journal: &Journal) -> Result<Self, Refused> {
        let kept = journal.marks()?.into_iter().map(|mark| (mark.identity, mark)).collect();
        let set_back = AtomicBool::new(journal.was_rolled_back()?);
        Ok(Self { kept: Mutex::new(kept), told: AtomicBool::new(false), set_back })
    }

    /// Before anything is written that must not be forgotten, and again before it leaves.
    pub fn check(&self) -> Result<(), Refused> {
        if self.is_rolled_back() {
            return Err(SET_BACK);
        }
        match self.told.load(Ordering::SeqCst) {
            true => Ok(()),
            false => Err(NOT_YET_TOLD),
        }
    }

    pub fn is_rolled_back(&self) -> bool {
        self.set_back.load(Ordering::SeqCst)
    }

    /// The others have said what they keep of this node.
    pub fn note_told(&self) {
        self.told.store(true, Ordering::SeqCst);
    }

    /// In force at once. Answers whether it was so before.
    pub fn note_rolled_back(&self) -> bool {
        self.set_back.swap(true, Ordering::SeqCst)
    }

    pub fn list(&self) -> Vec<ProgressAttestation> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub fn is_news(&self, mark: &ProgressAttestation) -> bool {
        is_news(&self.kept.lock().unwrap_or_else(PoisonError::into_inner), mark)
    }

    pub fn keep(&self, mark: ProgressAttestation) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if is_news(&kept, &mark) {
            kept.insert(mark.identity, mark);
        }
    }
}

fn is_news(kept: &BTreeMap<[u8; 32], ProgressAttestation>, mark: &ProgressAttestation) -> bool {
    mark.progress.is_beyond(&kept.get(&mark.identity).map_or(Progress::default(), |kept| kept.progress))
}
