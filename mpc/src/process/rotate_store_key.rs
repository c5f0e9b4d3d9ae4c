//! `mpc-node rotate-store-key`: all that the store key protects is protected by another one afterwards: the data keys
//! of the shares, the identity and the TLS key. Of a node that does not run. A crash at any moment leaves a directory
//! that the old key opens, or one that the new key opens. Shares, journal and index stay as they are.
//!
//! The old key is written nowhere, not even under the new one: once it is destroyed, what old blocks of the disk hold
//! is worth nothing to whoever comes to the new key.

use super::hardening::lock_directory;
use super::provision;
use crate::crypto::seal::Seal;
use crate::storage::replacement::Replacement;
use crate::storage::secret_file::SECRET_FILES;
use crate::storage::shares::resealing;
use crate::storage::store_key_check::{self, Check, Form};
use std::fs;
use std::path::Path;

#[derive(Debug, PartialEq, Eq)]
pub enum Rotated {
    /// With the number of data keys.
    Now(u32),
    /// The directory belonged to the new key already: an earlier call came that far.
    Before,
}

/// The new key is made if its file does not exist. `before_step` is called before each change of the disk.
pub fn rotate(
    directory: &Path,
    old_key: &[u8; 32],
    new_key_file: &Path,
    before_step: &mut dyn FnMut(),
) -> Result<Rotated, String> {
    if !directory.join("shares").is_dir() {
        return Err(format!("{} is not the directory of a node", directory.display()));
    }
    let _lock = lock_directory(directory)?;
    let shares = directory.join("shares");
    let new_key = provision::init_store_key(new_key_file, &shares)?;
    let (old, new) = (Seal::new(old_key), Seal::new(&new_key));
    let path = store_key_check::path(&shares);
    let check = fs::read(&path).map_err(|e| {
        format!("cannot read {}: {e}. A node that never served has nothing to rotate: make it anew", path.display())
    })?;
    if *old_key == *new_key {
        return Err("the new store key is the old one".into());
    }
    if Check::from_bytes(&new, &check).is_some() {
        return Ok(Rotated::Before);
    }
    let check = Check::from_bytes(&old, &check)
        .ok_or("the old store key is not the one that these shares are encrypted with")?;
    let mut replacement = Replacement::begin(directory, before_step)?;
    let staged = stage(directory, &check, (&old, &new), &mut replacement);
    match staged {
        Ok(data_keys) => replacement.commit().map(|()| Rotated::Now(data_keys)),
        Err(sentence) => {
            replacement.give_up()?;
            Err(sentence)
        }
    }
}

fn stage(
    directory: &Path,
    check: &Check,
    (old, new): (&Seal, &Seal),
    replacement: &mut Replacement,
) -> Result<u32, String> {
    for file in SECRET_FILES {
        let plain = file.read(directory, old)?;
        replacement.stage(&file.path(directory), &file.to_bytes(Form::DataKeys, new, &plain))?;
    }
    resealing::stage(&directory.join("shares"), check, (old, new), replacement)
}
