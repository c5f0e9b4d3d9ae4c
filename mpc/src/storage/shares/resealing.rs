//! Seals a folder of shares by another store key. Where shares have data keys only those are wrapped anew, which is
//! little work. Shares that the old store key seals itself get data keys by that.

use super::data_key::{self, Owner};
use super::share_file::{self, Binding, Sealed, State};
use super::share_names::{self, Named};
use crate::crypto::seal::Seal;
use crate::storage::replacement::Replacement;
use crate::storage::store_key_check::{self, Check, Form};
use crate::wire::{Curve, Id};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use zeroize::Zeroizing;

type DataKeys = BTreeMap<(Id, Curve, [u8; 32]), Zeroizing<[u8; 32]>>;

struct Resealing<'r, 'd> {
    old: &'r Seal,
    new: &'r Seal,
    check: &'r Check,
    replacement: &'r mut Replacement<'d>,
    /// Of shares that had none.
    made: DataKeys,
}

/// Stages all that has to change. A file that the old key does not open is named, and nothing counts then: it would be
/// lost for good with the old key. Answers how many data keys the folder has.
pub fn stage(
    shares: &Path,
    check: &Check,
    (old, new): (&Seal, &Seal),
    replacement: &mut Replacement,
) -> Result<u32, String> {
    let cannot_read = |e: std::io::Error| format!("cannot read {}: {e}", shares.display());
    // Before anything is written into the folder.
    let mut names = vec![];
    for entry in fs::read_dir(shares).map_err(cannot_read)? {
        let name = entry.map_err(cannot_read)?.file_name();
        names.extend(name.to_str().and_then(|name| Some((name.to_string(), share_names::parse(name)?))));
    }
    let mut resealing = Resealing { old, new, check, replacement, made: DataKeys::new() };
    let mut data_keys = 0;
    for (name, ((wallet_id, curve), named)) in names {
        let path = shares.join(name);
        match named {
            Named::DataKey(session_id) => {
                resealing.wrap_anew(&path, wallet_id, curve, session_id)?;
                data_keys += 1;
            }
            Named::Share(state) if check.form == Form::Direct => {
                resealing.give_data_key(&path, wallet_id, curve, state)?;
            }
            Named::Share(_) => {}
        }
    }
    data_keys += resealing.made.len() as u32;
    resealing.stage_made(shares)?;
    let check = Check { form: Form::DataKeys, node: check.node };
    replacement.stage(&store_key_check::path(shares), &check.to_bytes(new))?;
    Ok(data_keys)
}

impl Resealing<'_, '_> {
    fn wrap_anew(&mut self, path: &Path, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Result<(), String> {
        let owner = Owner { wallet_id, curve, node: self.check.node, session_id };
        let key = data_key::unwrap(self.old, &owner, &read(path)?).ok_or_else(|| unopened(path))?;
        self.replacement.stage(path, &data_key::wrap(self.new, &owner, &key))
    }

    fn give_data_key(&mut self, path: &Path, wallet_id: Id, curve: Curve, state: State) -> Result<(), String> {
        let bytes = read(path)?;
        let binding = Binding { wallet_id, curve, node: self.check.node, state };
        let is_direct = share_file::sealed_by(&bytes) == Some(Sealed::ByStoreKey);
        let share = is_direct.then(|| share_file::from_bytes(self.old, &binding, &bytes)).flatten();
        let share = share.ok_or_else(|| unopened(path))?;
        let session_id = share.statement.session_id;
        let data_key = self.made.entry((wallet_id, curve, session_id)).or_insert_with(data_key::generate);
        let sealed = Sealed::ByDataKeyOf(session_id);
        let bytes = share_file::to_bytes(&Seal::new(data_key), sealed, &binding, &share);
        self.replacement.stage(path, &bytes.ok_or_else(|| unopened(path))?)
    }

    fn stage_made(&mut self, shares: &Path) -> Result<(), String> {
        for ((wallet_id, curve, session_id), key) in &self.made {
            let (wallet_id, curve, session_id) = (*wallet_id, *curve, *session_id);
            let path = share_names::data_key_path(shares, wallet_id, curve, session_id);
            let owner = Owner { wallet_id, curve, node: self.check.node, session_id };
            self.replacement.stage(&path, &data_key::wrap(self.new, &owner, key))?;
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn unopened(path: &Path) -> String {
    format!("{} cannot be opened: bring it back from a copy, or move it away if it is not needed", path.display())
}
