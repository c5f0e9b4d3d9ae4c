//! Which peers must not be used with which root key any more. A ban is effective in memory at once and on disk
//! before it is answered; nothing in this program lifts one. It is of an epoch, whose OT state it is about, and of an
//! identity: a new machine in the peer's place may take part in the refresh that makes the OT state anew.

use crate::limits::BANS_A_HEALTH_ANSWER;
use crate::log::{log, Level};
use crate::storage::journal::{Banned, Journal, Record};
use crate::wire::refusal::Refused;
use crate::wire::Ban;
use ed25519_dalek::VerifyingKey;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLock};

/// By root public key and peer. Children share the root's OT state, so the root is what is banned.
type InForce = BTreeMap<(Vec<u8>, u8), Vec<Banned>>;

/// What is asked for: a session of this key with these peers.
pub struct Use<'u> {
    pub root_public_key: &'u [u8],
    pub epoch: u32,
    pub peers: &'u [u8],
    /// Uses OT state of before: a signing does, a complete refresh and a repair do not.
    pub signing: bool,
}

pub struct Bans {
    in_force: RwLock<InForce>,
    /// In force, and not on disk because it failed: a restart would lift them.
    pending: Mutex<Vec<(Ban, [u8; 32])>>,
}

impl Bans {
    pub fn load(journal: &Journal) -> Result<Self, Refused> {
        let mut in_force = InForce::new();
        for banned in journal.bans()? {
            in_force.entry((banned.ban.root_public_key.clone(), banned.ban.peer)).or_default().push(banned);
        }
        Ok(Self { in_force: RwLock::new(in_force), pending: Mutex::default() })
    }

    pub fn check(&self, nodes: &BTreeMap<u8, VerifyingKey>, wanted: &Use) -> Result<(), Refused> {
        let in_force = self.in_force.read().unwrap_or_else(PoisonError::into_inner);
        for peer in wanted.peers {
            let bans = in_force.get(&(wanted.root_public_key.to_vec(), *peer)).map_or(&[][..], Vec::as_slice);
            let present = nodes.get(peer).map(VerifyingKey::to_bytes);
            let bars = |banned: &Banned| {
                let same_machine = banned.identity.is_none() || banned.identity == present;
                same_machine || (wanted.signing && banned.ban.generation >= wanted.epoch)
            };
            if bans.iter().any(bars) {
                return Err(Refused::banned(*peer));
            }
        }
        Ok(())
    }

    /// `end_sessions` runs between the ban's taking effect and its fsync.
    pub fn impose(
        &self,
        ban: Ban,
        identity: [u8; 32],
        journal: &Journal,
        end_sessions: impl FnOnce(),
    ) -> Result<(), Refused> {
        let key = (ban.root_public_key.clone(), ban.peer);
        {
            let mut in_force = self.in_force.write().unwrap_or_else(PoisonError::into_inner);
            let bans = in_force.entry(key).or_default();
            let known = |other: &Banned| (other.ban.generation, other.identity) == (ban.generation, Some(identity));
            if !bans.iter().any(known) {
                bans.push(Banned { ban: ban.clone(), identity: Some(identity) });
            }
        }
        end_sessions();
        let written = journal.write(Record::Ban { ban: ban.clone(), identity });
        if written.is_err() {
            log(
                Level::Error,
                format_args!(
                    "a ban of node {} could not be written: it is in force, and lost if this process ends",
                    ban.peer
                ),
            );
            self.pending.lock().unwrap_or_else(PoisonError::into_inner).push((ban, identity));
        }
        written
    }

    /// Again what could not be written.
    pub fn write_pending(&self, journal: &Journal) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.retain(|(ban, identity)| journal.write(Record::Ban { ban: ban.clone(), identity: *identity }).is_err());
    }

    /// The newest first; of many the older ones are left out.
    pub fn list(&self) -> Vec<Ban> {
        let in_force = self.in_force.read().unwrap_or_else(PoisonError::into_inner);
        let mut bans: Vec<&Ban> = in_force.values().flatten().map(|banned| &banned.ban).collect();
        bans.sort_unstable_by_key(|ban| Reverse(ban.at_ms));
        bans.into_iter().take(BANS_A_HEALTH_ANSWER).cloned().collect()
    }
}
