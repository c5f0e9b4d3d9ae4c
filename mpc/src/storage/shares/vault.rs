//! The shares on disk, encrypted. A share is *prepared* (one file a session) until all nodes' confirmations commit it
//! (one file a key). A file that cannot be read is `ShareUnreadable`, never "absent": it is not overwritten.

use super::share_cache::ShareCache;
use super::share_file::{self, Binding, Sealed, State};
use super::share_names::{Found, ShareNames};
use crate::crypto::seal::Seal;
use crate::keys::share::Share;
use crate::limits::{GENERATED_KEPT, REFRESHED_KEPT, REFRESH_EPOCHS_AHEAD};
use crate::storage::durable_file;
use crate::storage::replacement;
use crate::storage::store_key_check::{self, Check, Form};
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Curve, Id};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub const UNREADABLE: Refused =
    Refused::new(RefusalCode::ShareUnreadable, "A share file exists but cannot be read or opened.");
pub const UNKNOWN_WALLET: Refused = Refused::new(RefusalCode::UnknownWallet, "This node holds no such key.");
pub const WALLET_EXISTS: Refused = Refused::new(RefusalCode::WalletExists, "The wallet has a committed key.");
pub const WRONG_EPOCH: Refused = Refused::new(RefusalCode::WrongEpoch, "The key is at another epoch on this node.");
pub const NEEDS_REFRESH: Refused =
    Refused::new(RefusalCode::NeedsRefresh, "This node's share was repaired or restored: the key needs a refresh.");
const LATER_PREPARED: Refused =
    Refused::new(RefusalCode::WrongEpoch, "A share of a later epoch is prepared: refresh to that one or beyond it.");
const PREPARED_FULL: Refused = Refused::new(RefusalCode::Busy, "Too many refreshes of this key are prepared.");

/// Keys whose size is compared with that of the cluster file at the start: the first ones and as many of the last.
const SIZES_LOOKED_AT: usize = 16;

pub struct Vault {
    pub(super) names: ShareNames,
    pub(super) store_key: Seal,
    form: Form,
    pub(super) node: u8,
    cache: ShareCache,
    held: AtomicU32,
    /// Some of the keys that were held at the start.
    sample: Vec<(Id, Curve)>,
    /// Held while share files are written or removed: preparing and committing the same key never interleave.
    pub(super) writing: Mutex<()>,
}

impl Vault {
    /// `directory` is DIR/shares.
    pub fn open(directory: PathBuf, store_key: Seal, node: u8) -> Result<Self, String> {
        // Before anything that is not finished is taken for something that was given up.
        replacement::finish(durable_file::directory_of(&directory))?;
        let cannot_read = |e| format!("cannot read {}: {e}", directory.display());
        let Found { names, held, unfinished } = ShareNames::find(directory.clone()).map_err(cannot_read)?;
        // What a crash left of a file that was being written holds a share, too, and nothing else would ever remove it.
        for path in unfinished {
            let _ = durable_file::erase(&path);
        }
        let has_shares = !held.is_empty() || names.has_prepared_shares();
        let form = checked_form(names.directory(), &store_key, node, has_shares)?;
        let sample = held.iter().take(SIZES_LOOKED_AT).chain(held.iter().rev().take(SIZES_LOOKED_AT));
        let sample = sample.copied().collect();
        let (cache, held) = (ShareCache::default(), AtomicU32::new(held.len() as u32));
        Ok(Self { names, store_key, form, node, cache, held, sample, writing: Mutex::new(()) })
    }

    pub fn keys(&self) -> Result<Vec<(Id, Curve)>, String> {
        let directory = self.names.directory();
        let found = ShareNames::find(directory.to_path_buf());
        found.map(|found| found.held).map_err(|e| format!("cannot read {}: {e}", directory.display()))
    }

    /// How many sign, and of how many nodes, by the first and the last keys that were here at the start: to read all of
    /// a million would hold up the start.
    pub fn sizes(&self) -> BTreeSet<(u8, usize)> {
        let shares = self.sample.iter().filter_map(|(wallet_id, curve)| self.share(*wallet_id, *curve).ok().flatten());
        shares.map(|share| (share.statement.threshold, share.confirmations.len())).collect()
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
            let mut prepared = self.names.prepared(wallet_id, curve);
            while prepared.len() >= GENERATED_KEPT {
                self.erase_prepared(wallet_id, curve, prepared.remove(0).1)?;
            }
            self.erase_unused_data_keys(wallet_id, curve)?;
        } else {
            let current = self.share(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?;
            self.check_refresh(&current.statement, epoch, &share.statement.roster)?;
        }
        self.write(share, State::Prepared(session_id))?;
        self.names.add_prepared(wallet_id, curve, session_id);
        Ok(())
    }

    /// Whether a share of `epoch` may be prepared of the key that is at `current`.
    pub fn check_refresh(&self, current: &KeyStatement, epoch: u32, roster: &[u8; 32]) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = *current;
        if !epoch.checked_sub(current.epoch).is_some_and(|ahead| (1..=REFRESH_EPOCHS_AHEAD).contains(&ahead)) {
            return Err(WRONG_EPOCH);
        }
        let prepared = self.prepared_from(wallet_id, curve, epoch);
        // Its commit would leave that share, and with it what a machine knew that had a part in its session.
        if prepared.iter().any(|other| other.statement.epoch > epoch) {
            return Err(LATER_PREPARED);
        }
        // Those of another roster do not count, or a failing node could bar its own replacement.
        let counts = |other: &&Share| other.statement.epoch == epoch && other.statement.roster == *roster;
        match prepared.iter().filter(counts).count() < REFRESHED_KEPT {
            true => Ok(()),
            false => Err(PREPARED_FULL),
        }
    }

    pub fn has_prepared(&self, wallet_id: Id, curve: Curve) -> bool {
        !self.names.prepared(wallet_id, curve).is_empty()
    }

    /// The share prepared in the very session of `statement`.
    pub fn prepared(&self, statement: &KeyStatement) -> Result<Option<Share>, Refused> {
        self.read(statement.wallet_id, statement.curve, State::Prepared(statement.session_id))
    }

    /// Of that epoch and of later ones, oldest first. One that cannot be read could not be committed here either, and
    /// is left out.
    pub fn prepared_from(&self, wallet_id: Id, curve: Curve, epoch: u32) -> Vec<Share> {
        let shares = self.names.prepared(wallet_id, curve).into_iter().filter_map(|(_, session_id)| {
            let share = self.read(wallet_id, curve, State::Prepared(session_id)).ok().flatten();
            share.filter(|share| share.statement.epoch >= epoch)
        });
        shares.collect()
    }

    /// Makes a prepared share the key and erases what it replaces, unless that is a share of the same epoch which may
    /// be needed: one that `is_acknowledged`, since all nodes may settle on it, or one that wins over a share which
    /// comes back only because it `is_acknowledged` itself. The caller has verified `confirmations`.
    pub fn commit(
        &self,
        mut share: Share,
        confirmations: Vec<Confirmation>,
        present: &[u8; 32],
        is_acknowledged: impl Fn(&KeyStatement) -> Result<bool, Refused>,
    ) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.share(wallet_id, curve)?;
        if let Some(current) = &current {
            let wins = share.statement.supersedes(&current.statement, present);
            let comes_back = !wins && current.can_give_way_to(&share.statement) && is_acknowledged(&share.statement)?;
            // Another request may have committed meanwhile; the caller looks again.
            if !wins && !comes_back {
                return Err(WALLET_EXISTS);
            }
            let same_epoch = current.signs && current.statement.epoch == share.statement.epoch;
            if same_epoch && (comes_back || is_acknowledged(&current.statement)?) {
                self.write(current, State::Prepared(current.statement.session_id))?;
                self.names.add_prepared(wallet_id, curve, current.statement.session_id);
            }
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

    pub(super) fn put(&self, share: Share, state: State, is_new: bool, present: &[u8; 32]) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        self.note_present_data_keys(wallet_id, curve)?;
        let written = self.write(&share, state);
        if written.is_err() {
            // The name may lead to the new share all the same: what failed then is the erasure of the old one, or a
            // sync.
            self.cache.forget(wallet_id, curve);
            let is_there = is_new && self.names.path(wallet_id, curve, state).exists();
            self.held.fetch_add(u32::from(is_there), Ordering::Relaxed);
            return written;
        }
        self.held.fetch_add(u32::from(is_new), Ordering::Relaxed);
        self.cache.replace(wallet_id, curve, Arc::new(share));
        self.settle_locked(wallet_id, curve, present)
    }

    fn binding(&self, wallet_id: Id, curve: Curve, state: State) -> Binding {
        Binding { wallet_id, curve, node: self.node, state }
    }

    fn write(&self, share: &Share, state: State) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, session_id, .. } = share.statement;
        let failed = Refused::internal("A share could not be written.");
        let binding = self.binding(wallet_id, curve, state);
        let bytes = match self.form {
            Form::Direct => share_file::to_bytes(&self.store_key, Sealed::ByStoreKey, &binding, share),
            Form::DataKeys => {
                self.names.add_noted(wallet_id, curve, session_id);
                let data_key = self.data_key_for(wallet_id, curve, session_id)?;
                share_file::to_bytes(&data_key, Sealed::ByDataKeyOf(session_id), &binding, share)
            }
        };
        let bytes = bytes.ok_or(failed)?;
        durable_file::replace(&self.names.path(wallet_id, curve, state), &bytes).map_err(|_| failed)?;
        self.names.drop_noted(wallet_id, curve, session_id);
        Ok(())
    }

    pub(super) fn read(&self, wallet_id: Id, curve: Curve, state: State) -> Result<Option<Share>, Refused> {
        let mut read_before = None;
        loop {
            let bytes = match fs::read(self.names.path(wallet_id, curve, state)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(_) => return Err(UNREADABLE),
            };
            if let Some(share) = self.opened(wallet_id, curve, state, &bytes)? {
                return Ok(Some(share));
            }
            // Its data key may have gone with it since it was read: then another file is there now, or none.
            if read_before.as_ref() == Some(&bytes) {
                return Err(UNREADABLE);
            }
            read_before = Some(bytes);
        }
    }

    /// A folder has files of its own form only.
    fn opened(&self, wallet_id: Id, curve: Curve, state: State, bytes: &[u8]) -> Result<Option<Share>, Refused> {
        let binding = self.binding(wallet_id, curve, state);
        match (self.form, share_file::sealed_by(bytes)) {
            (Form::Direct, Some(Sealed::ByStoreKey)) => Ok(share_file::from_bytes(&self.store_key, &binding, bytes)),
            (Form::DataKeys, Some(Sealed::ByDataKeyOf(session_id))) => {
                let data_key = self.data_key(wallet_id, curve, session_id)?;
                Ok(data_key.and_then(|data_key| share_file::from_bytes(&data_key, &binding, bytes)))
            }
            _ => Ok(None),
        }
    }
}

/// Of a folder of shares that its check says to be of this node and store key. One without shares gets a check; in the
/// form of before, because only `init` of before leaves a folder without one.
fn checked_form(shares: &Path, store_key: &Seal, node: u8, has_shares: bool) -> Result<Form, String> {
    let path = store_key_check::path(shares);
    if path.exists() {
        let bytes = fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let check = Check::from_bytes(store_key, &bytes)
            .ok_or("the store key is not the one that these shares are encrypted with")?;
        if check.node != node {
            return Err(format!("these shares are of node {}, not of node {node}", check.node));
        }
        return Ok(check.form);
    }
    if has_shares {
        return Err(format!("{} is missing although shares exist", path.display()));
    }
    write_check(shares, store_key, &Check { form: Form::Direct, node })?;
    Ok(Form::Direct)
}

/// Of a new folder, in which the shares are to lie in this form.
pub fn write_check(shares: &Path, store_key: &Seal, check: &Check) -> Result<(), String> {
    let path = store_key_check::path(shares);
    durable_file::write(&path, &check.to_bytes(store_key)).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
