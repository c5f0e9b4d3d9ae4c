//! Which shares of a key go, and when: what a commit has superseded at once, every other one of its epoch when all
//! nodes have acknowledged one and the same.

use super::share_file::State;
use super::vault::{Vault, UNKNOWN_WALLET, UNREADABLE, WALLET_EXISTS};
use crate::keys::share::Share;
use crate::storage::durable_file;
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::Refused;
use crate::wire::{Curve, Id};
use std::cmp::Ordering;
use std::io::ErrorKind;
use std::sync::PoisonError;

/// Whether a prepared share may become the key again, so that it stays when `current` has become it. Of one epoch those
/// that would win, and those that this node has acknowledged (they were the key: all nodes' confirmations are with
/// them). Of a generation there is nothing to lose.
fn may_be_needed(prepared: &Share, current: &Share, present: &[u8; 32]) -> bool {
    let (prepared_of, current_of) = (&prepared.statement, &current.statement);
    match prepared_of.epoch.cmp(&current_of.epoch) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => {
            let was_the_key = prepared.confirmations.len() > 1 && prepared_of.roster == current_of.roster;
            let is_other = prepared_of.session_id != current_of.session_id;
            prepared_of.epoch > 0 && (prepared_of.supersedes(current_of, present) || (was_the_key && is_other))
        }
    }
}

impl Vault {
    /// While nothing is prepared, committed or erased.
    pub fn undisturbed<T>(&self, work: impl FnOnce() -> T) -> T {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Makes the share of `statement` the key if it is not, and erases every other one of its epoch and of earlier
    /// ones. The caller has verified that all nodes have acknowledged it.
    pub fn settle_on(&self, statement: &KeyStatement, present: &[u8; 32]) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = *statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.share(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?;
        if current.statement.epoch > statement.epoch {
            return Err(WALLET_EXISTS);
        }
        // What was repaired or restored makes place for a refresh only.
        if !current.signs {
            return Err(UNKNOWN_WALLET);
        }
        if current.statement != *statement {
            let share = self.read(wallet_id, curve, State::Prepared(statement.session_id))?;
            let was_the_key = |share: &Share| share.statement == *statement && share.confirmations.len() > 1;
            let mut share = share.filter(was_the_key).ok_or(UNKNOWN_WALLET)?;
            share.signs = true;
            self.put(share, State::Committed, false, present)?;
        }
        let prepared = self.names.prepared(wallet_id, curve);
        let mut erased = false;
        for (_, session_id) in prepared {
            let readable = self.read(wallet_id, curve, State::Prepared(session_id)).ok().flatten();
            if readable.is_some_and(|share| share.statement.epoch <= statement.epoch) {
                self.erase_prepared(wallet_id, curve, session_id)?;
                erased = true;
            }
        }
        if erased {
            durable_file::sync_directory(self.names.directory()).map_err(|_| UNREADABLE)?;
        }
        self.erase_unused_data_keys(wallet_id, curve)
    }

    /// After the start: ends erasures that a crash cut short. What cannot be read now is refused when it is asked for.
    pub fn settle_all(&self, present: &[u8; 32]) {
        for (wallet_id, curve) in self.names.unsettled_keys() {
            let _ = self.settle(wallet_id, curve, present);
        }
    }

    /// Erases what the share of the key has superseded. `present` is the roster that this node runs with.
    pub fn settle(&self, wallet_id: Id, curve: Curve, present: &[u8; 32]) -> Result<(), Refused> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.settle_locked(wallet_id, curve, present)
    }

    pub(super) fn settle_locked(&self, wallet_id: Id, curve: Curve, present: &[u8; 32]) -> Result<(), Refused> {
        self.erase_superseded(wallet_id, curve, present)?;
        self.erase_unused_data_keys(wallet_id, curve)
    }

    fn erase_superseded(&self, wallet_id: Id, curve: Curve, present: &[u8; 32]) -> Result<(), Refused> {
        let Some(current) = self.share(wallet_id, curve)? else { return Ok(()) };
        let other = if current.signs { State::Unrefreshed } else { State::Committed };
        let other = Some(self.names.path(wallet_id, curve, other)).filter(|path| path.exists());
        let mut superseded = vec![];
        for (_, session_id) in self.names.prepared(wallet_id, curve) {
            let other = match self.read(wallet_id, curve, State::Prepared(session_id)) {
                // Moved away by hand.
                Ok(None) => {
                    superseded.push(session_id);
                    continue;
                }
                Ok(Some(other)) => other,
                // One that cannot be read is left where it is, whatever it says of its epoch, and is in nobody's way.
                Err(_) => continue,
            };
            if !may_be_needed(&other, &current, present) {
                superseded.push(session_id);
            }
        }
        if other.is_none() && superseded.is_empty() {
            return Ok(());
        }
        self.note_present_data_keys(wallet_id, curve)?;
        other.iter().try_for_each(|path| durable_file::erase(path)).map_err(|_| UNREADABLE)?;
        superseded.into_iter().try_for_each(|session_id| self.erase_prepared(wallet_id, curve, session_id))?;
        durable_file::sync_directory(self.names.directory()).map_err(|_| UNREADABLE)
    }

    /// The caller erases the data keys that are over by that.
    pub(super) fn erase_prepared(&self, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Result<(), Refused> {
        self.names.add_noted(wallet_id, curve, session_id);
        match durable_file::erase(&self.names.path(wallet_id, curve, State::Prepared(session_id))) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(UNREADABLE),
            _ => self.names.drop_prepared(wallet_id, curve, session_id),
        }
        Ok(())
    }
}
