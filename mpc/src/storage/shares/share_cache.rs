//! Recently used shares in memory, decrypted: at most `SHARE_CACHE_BYTES` of them, the least recently used go.
//! Committed ones only.

use crate::keys::share::Share;
use crate::limits::SHARE_CACHE_BYTES;
use crate::wire::{Curve, Id};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

type Key = (Id, Curve);

#[derive(Default)]
pub struct ShareCache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    /// With when it was used last.
    shares: HashMap<Key, (Arc<Share>, u64)>,
    /// By last use, oldest first.
    order: BTreeMap<u64, Key>,
    size_bytes: usize,
    uses: u64,
    /// How often a share was replaced: what was read from the disk before is not put in the place of what came since.
    replaced: u64,
}

impl ShareCache {
    pub fn get(&self, wallet_id: Id, curve: Curve) -> Option<Arc<Share>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let share = entries.take(&(wallet_id, curve))?;
        entries.put((wallet_id, curve), share.clone());
        Some(share)
    }

    /// To be asked before a share is read for `put_read`.
    pub fn replaced(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).replaced
    }

    /// What was read when `replaced` was this.
    pub fn put_read(&self, wallet_id: Id, curve: Curve, share: Arc<Share>, replaced: u64) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.replaced == replaced {
            entries.put((wallet_id, curve), share);
        }
    }

    /// What is the share from now on.
    pub fn replace(&self, wallet_id: Id, curve: Curve, share: Arc<Share>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.replaced += 1;
        entries.put((wallet_id, curve), share);
    }

    /// Only the disk knows which share it is.
    pub fn forget(&self, wallet_id: Id, curve: Curve) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.replaced += 1;
        entries.take(&(wallet_id, curve));
    }
}

impl Entries {
    fn take(&mut self, key: &Key) -> Option<Arc<Share>> {
        let (share, used) = self.shares.remove(key)?;
        self.order.remove(&used);
        self.size_bytes -= share.size_bytes();
        Some(share)
    }

    fn put(&mut self, key: Key, share: Arc<Share>) {
        self.take(&key);
        while self.size_bytes + share.size_bytes() > SHARE_CACHE_BYTES {
            let Some(oldest) = self.order.first_key_value().map(|(_, oldest)| *oldest) else { break };
            self.take(&oldest);
        }
        self.uses += 1;
        self.size_bytes += share.size_bytes();
        self.order.insert(self.uses, key);
        self.shares.insert(key, (share, self.uses));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::children::Children;
    use crate::keys::key_material::KeyMaterial;
    use crate::wire::key_statement::KeyStatement;
    use frost_ed25519::keys::{generate_with_dealer, IdentifierList, KeyPackage};

    fn share() -> Arc<Share> {
        let (shares, public) = generate_with_dealer(3, 2, IdentifierList::Default, rand_core::OsRng).expect("a key");
        let package = shares.into_values().next().and_then(|share| KeyPackage::try_from(share).ok()).expect("a share");
        let material =
            KeyMaterial::Ed25519(crate::keys::key_material::FrostKey { package, public, chain_code: [0; 32] });
        let statement = KeyStatement::of_test(2);
        Arc::new(Share { statement, confirmations: vec![], material, signs: true, children: Children::default() })
    }

    #[test]
    fn it_is_bounded_by_bytes_and_the_least_recently_used_go() {
        let (cache, share) = (ShareCache::default(), share());
        let fit = SHARE_CACHE_BYTES / share.size_bytes();
        let wallet = |number: usize| (number as u128).to_be_bytes();
        let held = |number| cache.0.lock().unwrap().shares.contains_key(&(wallet(number), Curve::Ed25519));
        (0..fit).for_each(|number| cache.replace(wallet(number), Curve::Ed25519, share.clone()));
        assert!(held(0) && held(1));
        assert!(cache.get(wallet(0), Curve::Ed25519).is_some());
        cache.replace(wallet(fit), Curve::Ed25519, share.clone());
        assert!(held(0) && !held(1) && held(2) && held(fit));
        (0..3 * fit).for_each(|number| cache.replace(wallet(number), Curve::Ed25519, share.clone()));
        let entries = cache.0.lock().unwrap();
        assert_eq!((entries.shares.len(), entries.order.len()), (fit, fit));
        assert_eq!(entries.size_bytes, fit * share.size_bytes());
    }

    #[test]
    fn what_was_read_before_a_replacement_is_not_put() {
        let (cache, old, new) = (ShareCache::default(), share(), share());
        let replaced = cache.replaced();
        cache.replace([1; 16], Curve::Ed25519, new.clone());
        cache.put_read([1; 16], Curve::Ed25519, old, replaced);
        assert!(Arc::ptr_eq(&cache.get([1; 16], Curve::Ed25519).unwrap(), &new));
    }
}
