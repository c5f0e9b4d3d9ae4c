//! Which peers must not be used with which root key any more. A ban is effective in memory at once and on disk
//! before it is answered; nothing in this program lifts one.

use crate::journal::{Journal, Record};
use crate::refusal::Refused;
use crate::wire::Ban;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

pub struct Bans {
    /// By root public key and peer. Children share the root's OT state, so the root is what is banned.
    in_force: RwLock<BTreeMap<(Vec<u8>, u8), Ban>>,
}

impl Bans {
    pub fn load(journal: &Journal) -> Result<Self, Refused> {
        let bans = journal.bans()?.into_iter().map(|ban| ((ban.root_public_key.clone(), ban.peer), ban));
        Ok(Self { in_force: RwLock::new(bans.collect()) })
    }

    pub fn check(&self, root_public_key: &[u8], peers: &[u8]) -> Result<(), Refused> {
        let in_force = self.in_force.read().unwrap_or_else(PoisonError::into_inner);
        match peers.iter().find(|peer| in_force.contains_key(&(root_public_key.to_vec(), **peer))) {
            Some(peer) => Err(Refused::banned(*peer)),
            None => Ok(()),
        }
    }

    /// `end_sessions` runs between the ban's taking effect and its fsync.
    pub fn impose(&self, ban: Ban, journal: &Journal, end_sessions: impl FnOnce()) -> Result<(), Refused> {
        let key = (ban.root_public_key.clone(), ban.peer);
        self.in_force.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert_with(|| ban.clone());
        end_sessions();
        journal.write(Record::Ban(ban))
    }

    pub fn list(&self) -> Vec<Ban> {
        self.in_force.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}
