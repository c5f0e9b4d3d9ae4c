//! Recently used shares in memory, decrypted: at most `CAPACITY`, the least recently used goes. Committed ones only.

use crate::vault::Share;
use crate::wire::{Curve, Id};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A secp256k1 share takes about 150 kB.
const CAPACITY: usize = 256;

#[derive(Default)]
pub struct ShareCache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    shares: HashMap<(Id, Curve), (Arc<Share>, u64)>,
    uses: u64,
    /// How often a share was replaced: what was read from the disk before is not put in the place of what came since.
    replaced: u64,
}

impl ShareCache {
    pub fn get(&self, wallet_id: Id, curve: Curve) -> Option<Arc<Share>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.uses += 1;
        let now = entries.uses;
        let (share, used) = entries.shares.get_mut(&(wallet_id, curve))?;
        *used = now;
        Some(share.clone())
    }

    /// To be asked before a share is read for `put_read`.
    pub fn replaced(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).replaced
    }

    /// What was read when `replaced` was this.
    pub fn put_read(&self, wallet_id: Id, curve: Curve, share: Arc<Share>, replaced: u64) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.replaced == replaced {
            entries.put(wallet_id, curve, share);
        }
    }

    /// What is the share from now on.
    pub fn replace(&self, wallet_id: Id, curve: Curve, share: Arc<Share>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.replaced += 1;
        entries.put(wallet_id, curve, share);
    }
}

impl Entries {
    fn put(&mut self, wallet_id: Id, curve: Curve, share: Arc<Share>) {
        if self.shares.len() >= CAPACITY {
            let oldest = self.shares.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key);
            oldest.map(|key| self.shares.remove(&key));
        }
        self.uses += 1;
        let now = self.uses;
        self.shares.insert((wallet_id, curve), (share, now));
    }
}
