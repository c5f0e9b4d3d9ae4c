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

    pub fn put(&self, wallet_id: Id, curve: Curve, share: Arc<Share>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.shares.len() >= CAPACITY {
            let oldest = entries.shares.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key);
            oldest.map(|key| entries.shares.remove(&key));
        }
        entries.uses += 1;
        let now = entries.uses;
        entries.shares.insert((wallet_id, curve), (share, now));
    }
}
