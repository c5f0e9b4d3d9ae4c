//! Results of recent sessions, so that a repeated `Open` gets the same answer. Memory only, bounded by age and number.

use crate::limits::RESULTS_KEPT;
use crate::wire::{Id, Outcome};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub struct ResultCache {
    kept: Duration,
    results: Mutex<Results>,
}

#[derive(Default)]
struct Results {
    by_command: HashMap<Id, ([u8; 32], Outcome)>,
    /// Oldest first.
    order: VecDeque<(Instant, Id)>,
}

impl ResultCache {
    pub fn new(kept: Duration) -> Self {
        Self { kept, results: Mutex::default() }
    }

    /// The digest of the command that finished under this id, and its outcome.
    pub fn get(&self, command_id: Id) -> Option<([u8; 32], Outcome)> {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.forget_older(self.kept);
        results.by_command.get(&command_id).cloned()
    }

    pub fn put(&self, command_id: Id, command_digest: [u8; 32], outcome: Outcome) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.forget_older(self.kept);
        results.by_command.insert(command_id, (command_digest, outcome));
        results.order.push_back((Instant::now(), command_id));
    }
}

impl Results {
    fn forget_older(&mut self, kept: Duration) {
        while let Some((at, command_id)) = self.order.front().copied() {
            if at.elapsed() < kept && self.order.len() <= RESULTS_KEPT {
                break;
            }
            self.order.pop_front();
            self.by_command.remove(&command_id);
        }
    }
}
