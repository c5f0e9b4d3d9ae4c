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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::random;
    use ed25519_dalek::SigningKey;

    const ROOT: [u8; 33] = [2; 33];

    fn machine(seed: u8) -> VerifyingKey {
        SigningKey::from_bytes(&[seed; 32]).verifying_key()
    }

    /// The ban of the first machine must not stand in for that of the next one, which takes part from then on.
    #[test]
    fn a_second_ban_of_a_peer_is_in_force_at_once_and_the_same_ban_is_kept_once() {
        let path = std::env::temp_dir().join(format!("countersign-bans-{}", hex::encode(random::bytes::<8>())));
        let journal = Journal::open(&path).expect("a journal");
        let bans = Bans::load(&journal).expect("no bans");
        let impose = |generation, machine: VerifyingKey| {
            let ban = Ban { root_public_key: ROOT.to_vec(), peer: 3, generation, at_ms: 1 };
            bans.impose(ban, machine.to_bytes(), &journal, || ()).expect("it is written");
        };
        let is_barred = |machine, epoch, signing| {
            let wanted = Use { root_public_key: &ROOT, epoch, peers: &[2, 3], signing };
            bans.check(&BTreeMap::from([(3, machine)]), &wanted) == Err(Refused::banned(3))
        };
        impose(0, machine(1));
        impose(0, machine(1));
        assert_eq!(bans.list().len(), 1);
        assert!(is_barred(machine(1), 1, false) && !is_barred(machine(2), 1, true));
        impose(1, machine(2));
        assert!(is_barred(machine(2), 2, false) && is_barred(machine(2), 1, true));
        // Of the same machine, a later generation: what it has to be replaced for does not end with the first.
        impose(4, machine(2));
        assert_eq!(bans.list().len(), 3);
        assert!(is_barred(machine(3), 4, true) && !is_barred(machine(3), 5, true));
        drop(journal);
        std::fs::remove_file(path).expect("it was there");
    }
}
