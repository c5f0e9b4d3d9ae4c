//! The data keys: one for each share that a session made, random, wrapped by the store key in a small file of its own,
//! and erased with the last file of that share. Whoever comes to the store key later, and to old blocks of the disk,
//! needs the blocks of that small file besides; once the store key is rotated and the old one destroyed, these are
//! worth nothing either.

use super::share_file::{self, State};
use super::vault::{Vault, UNREADABLE};
use crate::crypto::random;
use crate::crypto::seal::Seal;
use crate::storage::durable_file;
use crate::wire::refusal::Refused;
use crate::wire::{encode, Curve, Id};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;
use zeroize::Zeroizing;

const VERSION: u8 = 1;

/// Whose key it is: of one share, so that no file stands in for another.
pub struct Owner {
    pub wallet_id: Id,
    pub curve: Curve,
    pub node: u8,
    pub session_id: [u8; 32],
}

pub fn generate() -> Zeroizing<[u8; 32]> {
    Zeroizing::new(random::bytes())
}

pub fn wrap(store_key: &Seal, owner: &Owner, key: &[u8; 32]) -> Vec<u8> {
    [&[VERSION][..], &store_key.seal(&associated_data(owner), key)].concat()
}

pub fn unwrap(store_key: &Seal, owner: &Owner, bytes: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
    let sealed = bytes.strip_prefix(&[VERSION])?;
    let opened = store_key.open(&associated_data(owner), sealed)?;
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(opened.get(..32).filter(|_| opened.len() == 32)?);
    Some(key)
}

fn associated_data(owner: &Owner) -> Vec<u8> {
    let Owner { wallet_id, curve, node, session_id } = owner;
    encode(&("countersign/v1/data-key", VERSION, wallet_id, *curve, node, session_id))
}

/// The session that the share in this file was made in. `None` if there is no file, or one without a data key.
fn session_in(path: &Path) -> Result<Option<[u8; 32]>, Refused> {
    let mut header = vec![];
    match File::open(path).and_then(|file| file.take(share_file::HEADER_BYTES as u64).read_to_end(&mut header)) {
        Ok(_) => Ok(share_file::session_in(&header)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(_) => Err(UNREADABLE),
    }
}

impl Vault {
    fn owner(&self, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Owner {
        Owner { wallet_id, curve, node: self.node, session_id }
    }

    /// `Ok(None)` if there is none: it went with its share.
    pub(super) fn data_key(&self, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Result<Option<Seal>, Refused> {
        match fs::read(self.names.data_key_path(wallet_id, curve, session_id)) {
            Ok(bytes) => {
                let key = unwrap(&self.store_key, &self.owner(wallet_id, curve, session_id), &bytes);
                key.map(|key| Some(Seal::new(&key))).ok_or(UNREADABLE)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(_) => Err(UNREADABLE),
        }
    }

    /// Also a new one, which is on disk before the share that it seals.
    pub(super) fn data_key_for(&self, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Result<Seal, Refused> {
        if let Some(key) = self.data_key(wallet_id, curve, session_id)? {
            return Ok(key);
        }
        let key = generate();
        let wrapped = wrap(&self.store_key, &self.owner(wallet_id, curve, session_id), &key);
        let path = self.names.data_key_path(wallet_id, curve, session_id);
        let failed = Refused::internal("A share could not be written.");
        durable_file::write(&path, &wrapped).map_err(|_| failed)?;
        Ok(Seal::new(&key))
    }

    /// The data keys of the shares that are not prepared may be over soon.
    pub(super) fn note_present_data_keys(&self, wallet_id: Id, curve: Curve) -> Result<(), Refused> {
        for state in [State::Committed, State::Unrefreshed] {
            if let Some(session_id) = session_in(&self.names.path(wallet_id, curve, state))? {
                self.names.add_noted(wallet_id, curve, session_id);
            }
        }
        Ok(())
    }

    /// Erases those of the noted data keys whose share is in no file any more.
    pub(super) fn erase_unused_data_keys(&self, wallet_id: Id, curve: Curve) -> Result<(), Refused> {
        let noted = self.names.noted(wallet_id, curve);
        if noted.is_empty() {
            return Ok(());
        }
        for session_id in noted {
            if !self.is_sealed_somewhere(wallet_id, curve, session_id)? {
                match durable_file::erase(&self.names.data_key_path(wallet_id, curve, session_id)) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(UNREADABLE),
                    _ => {}
                }
            }
            self.names.drop_noted(wallet_id, curve, session_id);
        }
        durable_file::sync_directory(self.names.directory()).map_err(|_| UNREADABLE)
    }

    /// Also by a file that is torn: its key stays with it.
    fn is_sealed_somewhere(&self, wallet_id: Id, curve: Curve, session_id: [u8; 32]) -> Result<bool, Refused> {
        if self.names.path(wallet_id, curve, State::Prepared(session_id)).exists() {
            return Ok(true);
        }
        for state in [State::Committed, State::Unrefreshed] {
            let path = self.names.path(wallet_id, curve, state);
            if path.exists() && session_in(&path)?.is_none_or(|other| other == session_id) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
