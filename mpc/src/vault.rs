//! The shares on disk, encrypted. A share is *prepared* (one file a session) until all nodes' confirmations commit it
//! (one file a key). A file that cannot be read is `ShareUnreadable`, never "absent": it is not overwritten.

use crate::durable_file;
use crate::key_material::KeyMaterial;
use crate::key_statement::{Confirmation, KeyStatement};
use crate::refusal::{RefusalCode, Refused};
use crate::share_cache::ShareCache;
use crate::share_file::{self, Binding, Seal};
use crate::wire::{Curve, Id};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Prepared shares kept for one key; the oldest goes.
const PREPARED_KEPT: usize = 8;

pub const UNREADABLE: Refused =
    Refused::new(RefusalCode::ShareUnreadable, "A share file exists but cannot be read or opened.");
pub const UNKNOWN_WALLET: Refused = Refused::new(RefusalCode::UnknownWallet, "This node holds no such key.");
pub const WALLET_EXISTS: Refused = Refused::new(RefusalCode::WalletExists, "The wallet has a committed key.");

/// A share with what all nodes stated about its key.
pub struct Share {
    pub statement: KeyStatement,
    /// Of this node when prepared, of all nodes when committed.
    pub confirmations: Vec<Confirmation>,
    pub material: KeyMaterial,
}

pub struct Vault {
    directory: PathBuf,
    seal: Seal,
    node: u8,
    cache: ShareCache,
    committed: AtomicU32,
    /// Held while share files are written or removed: preparing and committing the same key never interleave.
    writing: Mutex<()>,
}

impl Vault {
    /// `directory` is DIR/shares.
    pub fn open(directory: PathBuf, seal: Seal, node: u8) -> Result<Self, String> {
        let names = names(&directory).map_err(|e| format!("cannot read {}: {e}", directory.display()))?;
        let committed = names.iter().filter(|name| name.ends_with(".committed")).count() as u32;
        let check = directory.join("store-key.check");
        if check.exists() {
            let bytes = fs::read(&check).map_err(|e| format!("cannot read {}: {e}", check.display()))?;
            seal.open_check(node, &bytes).ok_or("the store key is not the one that these shares are encrypted with")?;
        } else if names.iter().any(|name| name.ends_with(".committed") || name.ends_with(".prepared")) {
            return Err(format!("{} is missing although shares exist", check.display()));
        } else {
            let bytes = seal.seal_check(node);
            durable_file::write(&check, &bytes).map_err(|e| format!("cannot write {}: {e}", check.display()))?;
        }
        let (cache, committed) = (ShareCache::default(), AtomicU32::new(committed));
        Ok(Self { directory, seal, node, cache, committed, writing: Mutex::new(()) })
    }

    pub fn committed_keys(&self) -> u32 {
        self.committed.load(Ordering::Relaxed)
    }

    pub fn is_committed(&self, wallet_id: Id, curve: Curve) -> Result<bool, Refused> {
        self.committed_path(wallet_id, curve).try_exists().map_err(|_| UNREADABLE)
    }

    pub fn has_prepared(&self, wallet_id: Id, curve: Curve) -> Result<bool, Refused> {
        Ok(!self.prepared_paths(wallet_id, curve)?.is_empty())
    }

    /// `Ok(None)` means that no file exists.
    pub fn committed(&self, wallet_id: Id, curve: Curve) -> Result<Option<Arc<Share>>, Refused> {
        if let Some(share) = self.cache.get(wallet_id, curve) {
            return Ok(Some(share));
        }
        let binding = Binding { wallet_id, curve, node: self.node, session_id: None };
        let Some(share) = self.read(&self.committed_path(wallet_id, curve), &binding)? else {
            return Ok(None);
        };
        let share = Arc::new(share);
        self.cache.put(wallet_id, curve, share.clone());
        Ok(Some(share))
    }

    pub fn prepare(&self, share: &Share) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, session_id, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_committed(wallet_id, curve)? {
            return Err(WALLET_EXISTS);
        }
        let mut paths = self.prepared_paths(wallet_id, curve)?;
        while paths.len() >= PREPARED_KEPT {
            fs::remove_file(paths.remove(0)).map_err(|_| UNREADABLE)?;
        }
        let binding = Binding { wallet_id, curve, node: self.node, session_id: Some(session_id) };
        self.write(&self.prepared_path(&binding, &session_id), &binding, share)
    }

    /// The share prepared in the very session of `statement`.
    pub fn prepared(&self, statement: &KeyStatement) -> Result<Option<Share>, Refused> {
        let KeyStatement { wallet_id, curve, session_id, .. } = *statement;
        let binding = Binding { wallet_id, curve, node: self.node, session_id: Some(session_id) };
        self.read(&self.prepared_path(&binding, &session_id), &binding)
    }

    /// Makes a prepared share the key, and drops every prepared one. The caller has verified `confirmations`.
    pub fn commit(&self, mut share: Share, confirmations: Vec<Confirmation>) -> Result<(), Refused> {
        let KeyStatement { wallet_id, curve, .. } = share.statement;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_committed(wallet_id, curve)? {
            // Another request committed meanwhile; the caller looks again.
            return Err(WALLET_EXISTS);
        }
        share.confirmations = confirmations;
        let binding = Binding { wallet_id, curve, node: self.node, session_id: None };
        self.write(&self.committed_path(wallet_id, curve), &binding, &share)?;
        self.committed.fetch_add(1, Ordering::Relaxed);
        self.cache.put(wallet_id, curve, Arc::new(share));
        self.drop_prepared_locked(wallet_id, curve)
    }

    /// After a crash between the two steps of a commit, leftovers go with the next commit.
    pub fn drop_prepared(&self, wallet_id: Id, curve: Curve) -> Result<(), Refused> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.drop_prepared_locked(wallet_id, curve)
    }

    fn drop_prepared_locked(&self, wallet_id: Id, curve: Curve) -> Result<(), Refused> {
        let paths = self.prepared_paths(wallet_id, curve)?;
        for path in &paths {
            fs::remove_file(path).map_err(|_| UNREADABLE)?;
        }
        match paths.is_empty() {
            true => Ok(()),
            false => durable_file::sync_directory(&self.directory).map_err(|_| UNREADABLE),
        }
    }

    fn write(&self, path: &Path, binding: &Binding, share: &Share) -> Result<(), Refused> {
        let failed = Refused::internal("A share could not be written.");
        let bytes = share_file::to_bytes(&self.seal, binding, share).ok_or(failed)?;
        durable_file::write(path, &bytes).map_err(|_| failed)
    }

    fn read(&self, path: &Path, binding: &Binding) -> Result<Option<Share>, Refused> {
        match fs::read(path) {
            Ok(bytes) => share_file::from_bytes(&self.seal, binding, &bytes).map(Some).ok_or(UNREADABLE),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(_) => Err(UNREADABLE),
        }
    }

    /// Names are made of hex digits only, so no identifier can leave the directory.
    fn committed_path(&self, wallet_id: Id, curve: Curve) -> PathBuf {
        self.directory.join(format!("{}.committed", stem(wallet_id, curve)))
    }

    fn prepared_path(&self, binding: &Binding, session_id: &[u8; 32]) -> PathBuf {
        let stem = stem(binding.wallet_id, binding.curve);
        self.directory.join(format!("{stem}.{}.prepared", hex::encode(session_id)))
    }

    /// Oldest first.
    fn prepared_paths(&self, wallet_id: Id, curve: Curve) -> Result<Vec<PathBuf>, Refused> {
        let prefix = stem(wallet_id, curve) + ".";
        let names = names(&self.directory).map_err(|_| UNREADABLE)?;
        let names = names.into_iter().filter(|name| name.starts_with(&prefix) && name.ends_with(".prepared"));
        let mut paths: Vec<PathBuf> = names.map(|name| self.directory.join(name)).collect();
        paths.sort_by_key(|path| {
            let modified = fs::metadata(path).and_then(|data| data.modified());
            (modified.unwrap_or(SystemTime::UNIX_EPOCH), path.clone())
        });
        Ok(paths)
    }
}

fn stem(wallet_id: Id, curve: Curve) -> String {
    let curve = match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    };
    format!("{}.{curve}", hex::encode(wallet_id))
}

fn names(directory: &Path) -> std::io::Result<Vec<String>> {
    fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}
