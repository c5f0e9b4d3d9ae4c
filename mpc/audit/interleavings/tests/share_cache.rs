//! Goal: a share that was replaced is never used again, whatever the order in which threads read, replace and fail to
//! write. Method: loom tries each order of their locks. The disk is one more lock; `Vault::share` and `Vault::put` are
//! written down here as they use the cache.

use frost_ed25519::keys::{generate_with_dealer, IdentifierList, KeyPackage};
use interleavings::share_cache::ShareCache;
use loom::sync::{Arc, Mutex};
use loom::thread;
use mpc_node::keys::children::Children;
use mpc_node::keys::key_material::{FrostKey, KeyMaterial};
use mpc_node::keys::share::Share;
use mpc_node::wire::key_statement::KeyStatement;
use mpc_node::wire::{Curve, Id};
use std::sync::Arc as Shared;

const WALLET: Id = [1; 16];
const CURVE: Curve = Curve::Ed25519;

fn share(epoch: u32) -> Shared<Share> {
    let (shares, public) = generate_with_dealer(3, 2, IdentifierList::Default, rand_core::OsRng).expect("a key");
    let package = shares.into_values().next().and_then(|share| KeyPackage::try_from(share).ok()).expect("a share");
    let material = KeyMaterial::Ed25519(FrostKey { package, public, chain_code: [0; 32] });
    let statement = KeyStatement {
        wallet_id: WALLET,
        curve: CURVE,
        epoch,
        session_id: [0; 32],
        roster: [0; 32],
        threshold: 2,
        public_key: vec![],
        chain_code: [0; 32],
        transcript: [0; 32],
        workspace_id: None,
    };
    Shared::new(Share { statement, confirmations: vec![], material, signs: true, children: Children::default() })
}

struct Vault {
    cache: ShareCache,
    disk: Mutex<Shared<Share>>,
    /// Whoever writes holds it; who reads does not.
    writing: Mutex<()>,
}

impl Vault {
    fn with(share: &Shared<Share>) -> Arc<Self> {
        Arc::new(Self { cache: ShareCache::default(), disk: Mutex::new(share.clone()), writing: Mutex::new(()) })
    }

    fn read_disk(&self) -> Shared<Share> {
        self.disk.lock().unwrap().clone()
    }

    /// `Vault::share`.
    fn share(&self) -> Shared<Share> {
        if let Some(share) = self.cache.get(WALLET, CURVE) {
            return share;
        }
        let replaced = self.cache.replaced();
        let share = self.read_disk();
        self.cache.put_read(WALLET, CURVE, share.clone(), replaced);
        share
    }

    /// As it must not be: whether a share was replaced is asked when it has been read.
    fn share_asked_too_late(&self) -> Shared<Share> {
        let share = self.read_disk();
        let replaced = self.cache.replaced();
        self.cache.put_read(WALLET, CURVE, share.clone(), replaced);
        share
    }

    /// `Vault::put`, after a commit.
    fn put(&self, share: &Shared<Share>) {
        let _writing = self.writing.lock().unwrap();
        *self.disk.lock().unwrap() = share.clone();
        self.cache.replace(WALLET, CURVE, share.clone());
    }

    /// The same, when the file has its name and something after that failed.
    fn put_and_fail(&self, share: &Shared<Share>) {
        let _writing = self.writing.lock().unwrap();
        *self.disk.lock().unwrap() = share.clone();
        self.cache.forget(WALLET, CURVE);
    }
}

/// A commit beside readers: whoever asks after it gets its share, and one who asks meanwhile gets one of the two.
#[test]
fn a_reader_beside_a_commit_brings_no_replaced_share_back() {
    let (old, new) = (share(0), share(1));
    loom::model(move || {
        let vault = Vault::with(&old);
        let readers: Vec<_> = (0..2)
            .map(|_| {
                let (vault, old, new) = (vault.clone(), old.clone(), new.clone());
                thread::spawn(move || {
                    let seen = vault.share();
                    assert!(Shared::ptr_eq(&seen, &old) || Shared::ptr_eq(&seen, &new));
                })
            })
            .collect();
        vault.put(&new);
        assert!(Shared::ptr_eq(&vault.share(), &new));
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        assert!(Shared::ptr_eq(&vault.share(), &new));
    });
}

#[test]
fn a_commit_that_fails_behind_the_rename_leaves_what_the_disk_has() {
    let (old, new) = (share(0), share(1));
    loom::model(move || {
        let vault = Vault::with(&old);
        let reader = {
            let vault = vault.clone();
            thread::spawn(move || drop(vault.share()))
        };
        vault.put_and_fail(&new);
        assert!(Shared::ptr_eq(&vault.share(), &new));
        reader.join().unwrap();
        assert!(Shared::ptr_eq(&vault.share(), &new));
    });
}

#[test]
fn of_two_commits_the_cache_has_the_one_of_the_disk() {
    let shares = [share(0), share(1), share(2)];
    loom::model(move || {
        let vault = Vault::with(&shares[0]);
        let other = {
            let (vault, share) = (vault.clone(), shares[1].clone());
            thread::spawn(move || vault.put(&share))
        };
        let reader = {
            let vault = vault.clone();
            thread::spawn(move || drop(vault.share()))
        };
        vault.put(&shares[2]);
        other.join().unwrap();
        reader.join().unwrap();
        assert!(Shared::ptr_eq(&vault.share(), &vault.read_disk()));
    });
}

/// The search finds what it is for.
#[test]
#[should_panic(expected = "a replaced share came back")]
fn a_reader_that_asks_too_late_is_found() {
    let (old, new) = (share(0), share(1));
    loom::model(move || {
        let vault = Vault::with(&old);
        let reader = {
            let vault = vault.clone();
            thread::spawn(move || drop(vault.share_asked_too_late()))
        };
        vault.put(&new);
        reader.join().unwrap();
        assert!(Shared::ptr_eq(&vault.share(), &new), "a replaced share came back");
    });
}
