//! The shares on disk, encrypted. A share is *prepared* (one file a session) until all nodes' confirmations commit it
//! (one file a key). A file that cannot be read is `ShareUnreadable`, never "absent": it is not overwritten.

use crate::durable_file;
use crate::key_material::KeyMaterial;
use crate::key_statement::{Confirmation, KeyStatement};
use crate::limits::{GENERATED_KEPT, REFRESHED_KEPT};
use crate::refusal::{RefusalCode, Refused};
use crate::share_cache::ShareCache;
use crate::share_file::{self, Binding, Seal, State};
use crate::share_names::ShareNames;
use crate::wire::{Curve, Id};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub const UNREADABLE: Refused =
    Refused::new(RefusalCode::ShareUnreadable, "A share file exists but cannot be read or opened.");
pub const UNKNOWN_WALLET: Refused = Refused::new(RefusalCode::UnknownWallet, "This node holds no such key.");
pub const WALLET_EXISTS: Refused = Refused::new(RefusalCode::WalletExists, "The wallet has a committed key.");
pub const WRONG_EPOCH: Refused = Refused::new(RefusalCode::WrongEpoch, "The key is at another epoch on this node.");
pub const NEEDS_REFRESH: Refused =
    Refused::new(RefusalCode::NeedsRefresh, "This node's share was repaired or restored: the key needs a refresh.");
const PREPARED_FULL: Refused = Refused::new(RefusalCode::Busy, "Too many refreshes of this key are prepared.");

/// A share with what all nodes stated about its key.
pub struct Share {
    pub statement: KeyStatement,
    /// Of this node when prepared, of all nodes when committed.
    pub confirmations: Vec<Confirmation>,
    pub material: KeyMaterial,
    /// Committed. A prepared share does not sign, nor does a repaired or restored one.
    pub signs: bool,
}

pub struct Vault {
    names: ShareNames,
    seal: Seal,
    node: u8,
    cache: ShareCache,
    held: AtomicU32,
    /// Held while share files are written or removed: preparing and committing the same key never interleave.
    writing: Mutex<()>,
}

impl Vault {
    /// `directory` is DIR/shares.
    pub fn open(directory: PathBuf, seal: Seal, node: u8) -> Result<Self, String> {
        let names = ShareNames::new(directory);
        let cannot_read = |e: std::io::Error| format!("cannot read {}: {e}", names.directory().display());
        let held = names.held_keys().map_err(cannot_read)?;
        let prepared = names.unsettled_keys().map_err(cannot_read)?;
        let check = names.directory().join("store-key.check");
        if check.exists() {
            let bytes = fs::read(&check).map_err(|e| format!("cannot read {}: {e}", check.display()))?;
            seal.open_check(node, &bytes).ok_or("the store key is not the one that these shares are encrypted with")?;
        } else if !held.is_empty() || !prepared.is_empty() {
            return Err(format!("{} is missing although shares exist", check.display()));
        } else {
            let bytes = seal.seal_check(node);
            durable_file::write(&check, &bytes).map_err(|e| format!("cannot write {}: {e}", check.display()))?;
        }
        let (cache, held) = (ShareCache::default(), AtomicU32::new(held.len() as u32));
        Ok(Self { names, seal, node, cache, held, writing: Mutex::new(()) })
    }

    pub fn keys(&self) -> Result<BTreeSet<(Id, Curve)>, String> {
        self.names.held_keys().map_err(|e| format!("cannot read {}: {e}", self.names.directory().display()))
    }

    pub fn held_keys(&self) -> u32 {
        self.held.load(Ordering::Relaxed)
    }

    /// Whether a file is there, readable or not.
    pub fn holds(&self, wallet_id: Id, curve: Curve) -> Result<bool, Refused> {
        let there = |state| self.names.path(wallet_id, curve, state).try_exists().map_err(|_| UNREADABLE);
        Ok(there(State::Committed)? || there(State::Unrefreshed)?)
    }

    /// The share of the key as it is. `Ok(None)` means that no file exists.
    pub fn share(&self, wallet_id: Id, curve: Curve) -> Result<Option<Arc<Share>>, Refused> {
        if let Some(share) = self.cache.get(wallet_id, curve) {
            return Ok(Some(share));
        }
        let replaced = self.cache.replaced();
        let committed = self.read(wallet_id, curve, State::Committed)?;
        let unrefreshed = self.read(wallet_id, curve, State::Unrefreshed)?;
        // Both are there only if a crash came between writing the later one and erasing the other.
        let share = match (committed, unrefreshed) {
            (Some(committed), Some(other)) if other.statement.epoch < committed.statement.epoch => Some(committed),
            (committed, unrefreshed) => unrefreshed.or(committed),
        };
        let share = share.map(Arc::new);
        share.iter().for_each(|share| self.cache.put_read(wallet_id, curve, share.clone(), replaced));
        Ok(share)
    }

    /// Of a generation for a key that is not there, or of a refresh to the next epoch of the key that is.
    pub fn prepare(&self, share: &Share) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, session_id, epoch, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if epoch == 0 {
            if self.holds(wallet_id, curve)? {
                return Err(WALLET_EXISTS);
            }
            let mut paths = self.names.prepared(wallet_id, curve).map_err(|_| UNREADABLE)?;
            while paths.len() >= GENERATED_KEPT {
                durable_file::erase(&paths.remove(0).0).map_err(|_| UNREADABLE)?;
            }
        } else {
            let current = self.share(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?;
            if current.statement.epoch.checked_add(1) != Some(epoch) {
                return Err(WRONG_EPOCH);
            }
            // Those of another roster do not count, or a failing node could bar its own replacement.
            let of_roster = |other: &&Share| other.statement.roster == share.statement.roster;
            if self.prepared_of(wallet_id, curve, epoch)?.iter().filter(of_roster).count() >= REFRESHED_KEPT {
                return Err(PREPARED_FULL);
            }
        }
        self.write(share, State::Prepared(session_id))
    }

    pub fn has_prepared(&self, wallet_id: Id, curve: Curve) -> Result<bool, Refused> {
        Ok(!self.names.prepared(wallet_id, curve).map_err(|_| UNREADABLE)?.is_empty())
    }

    /// The share prepared in the very session of `statement`.
    pub fn prepared(&self, statement: &KeyStatement) -> Result<Option<Share>, Refused> {
        self.read(statement.wallet_id, statement.curve, State::Prepared(statement.session_id))
    }

    /// Oldest first. One that cannot be read could not be committed here either, and is left out.
    pub fn prepared_of(&self, wallet_id: Id, curve: Curve, epoch: u32) -> Result<Vec<Share>, Refused> {
        let paths = self.names.prepared(wallet_id, curve).map_err(|_| UNREADABLE)?;
        let shares = paths.into_iter().filter_map(|(_, session_id)| {
            let share = self.read(wallet_id, curve, State::Prepared(session_id)).ok().flatten();
            share.filter(|share| share.statement.epoch == epoch)
        });
        Ok(shares.collect())
    }

    /// Makes a prepared share the key and erases what it replaces. The caller has verified `confirmations`.
    pub fn commit(
        &self,
        mut share: Share,
        confirmations: Vec<Confirmation>,
        present: &[u8; 32],
    ) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.share(wallet_id, curve)?;
        // Another request may have committed meanwhile; the caller looks again.
        if current.as_ref().is_some_and(|current| !share.statement.supersedes(&current.statement, present)) {
            return Err(WALLET_EXISTS);
        }
        (share.confirmations, share.signs) = (confirmations, true);
        self.put(share, State::Committed, current.is_none(), present)
    }

    /// A repaired or restored share. It takes the place of one that does not sign, or of an older epoch's.
    pub fn keep_unrefreshed(&self, mut share: Share, present: &[u8; 32]) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, epoch, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.share(wallet_id, curve)?;
        if current.as_ref().is_some_and(|current| current.signs && current.statement.epoch >= epoch) {
            return Err(WALLET_EXISTS);
        }
        share.signs = false;
        self.put(share, State::Unrefreshed, current.is_none(), present)
    }

    fn put(&self, share: Share, state: State, is_new: bool, present: &[u8; 32]) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        self.write(&share, state)?;
        self.held.fetch_add(u32::from(is_new), Ordering::Relaxed);
        self.cache.replace(wallet_id, curve, Arc::new(share));
        self.settle_locked(wallet_id, curve, present)
    }

    /// At the start: ends erasures that a crash cut short. What cannot be read now is refused when it is asked for.
    pub fn settle_all(&self, present: &[u8; 32]) -> Result<(), String> {
        let unsettled = self.names.unsettled_keys();
        let unsettled = unsettled.map_err(|e| format!("cannot read {}: {e}", self.names.directory().display()))?;
        for (wallet_id, curve) in unsettled {
            let _ = self.settle(wallet_id, curve, present);
        }
        Ok(())
    }

    /// Erases what the share of the key has superseded. `present` is the roster that this node runs with.
    pub fn settle(&self, wallet_id: Id, curve: Curve, present: &[u8; 32]) -> Result<(), Refused> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.settle_locked(wallet_id, curve, present)
    }

    fn settle_locked(&self, wallet_id: Id, curve: Curve, present: &[u8; 32]) -> Result<(), Refused> {
        let Some(current) = self.share(wallet_id, curve)? else { return Ok(()) };
        let other = if current.signs { State::Unrefreshed } else { State::Committed };
        let mut erased = vec![self.names.path(wallet_id, curve, other)];
        erased.retain(|path| path.exists());
        for (path, session_id) in self.names.prepared(wallet_id, curve).map_err(|_| UNREADABLE)? {
            // One of which not even this can be read could not be committed either. It is its operator's to remove.
            let Some(epoch) = fs::read(&path).ok().and_then(|bytes| share_file::epoch_of(&bytes)) else {
                eprintln!("{} cannot be read and is left as it is", path.display());
                continue;
            };
            // Another one of this epoch may still win; of a generation there is nothing to lose.
            let may_win = epoch == current.statement.epoch && epoch > 0 && {
                let other = self.read(wallet_id, curve, State::Prepared(session_id));
                other.map_or(true, |other| other.is_some_and(|o| o.statement.supersedes(&current.statement, present)))
            };
            if epoch <= current.statement.epoch && !may_win {
                erased.push(path);
            }
        }
        erased.iter().try_for_each(|path| durable_file::erase(path)).map_err(|_| UNREADABLE)?;
        match erased.is_empty() {
            true => Ok(()),
            false => durable_file::sync_directory(self.names.directory()).map_err(|_| UNREADABLE),
        }
    }

    fn binding(&self, wallet_id: Id, curve: Curve, state: State) -> Binding {
        Binding { wallet_id, curve, node: self.node, state }
    }

    fn write(&self, share: &Share, state: State) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        let failed = Refused::internal("A share could not be written.");
        let binding = self.binding(wallet_id, curve, state);
        let bytes = share_file::to_bytes(&self.seal, &binding, share).ok_or(failed)?;
        durable_file::replace(&self.names.path(wallet_id, curve, state), &bytes).map_err(|_| failed)
    }

    fn read(&self, wallet_id: Id, curve: Curve, state: State) -> Result<Option<Share>, Refused> {
        match fs::read(self.names.path(wallet_id, curve, state)) {
            Ok(bytes) => {
                let share = share_file::from_bytes(&self.seal, &self.binding(wallet_id, curve, state), &bytes);
                share.map(Some).ok_or(UNREADABLE)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(_) => Err(UNREADABLE),
        }
    }
}
