//! `shares/store-key.check`: a known text under the store key. It tells a wrong key from damaged shares, of which node
//! the folder is, and in which form its secrets lie. A folder keeps its form until its store key is rotated, so that
//! the former version of this program can still read it after an upgrade.

use crate::crypto::seal::{Seal, SEAL_BYTES};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const TEXT: &[u8] = b"store key";
const VERSION: u8 = 2;
/// Without a version byte.
const DIRECT_BYTES: usize = TEXT.len() + SEAL_BYTES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As versions up to 0.1.0 wrote it: shares are sealed by the store key itself, and `identity.key` and `tls.key`
    /// lie in plain.
    Direct,
    /// Shares are sealed by data keys, which the store key wraps, and it seals `identity.key` and `tls.key`.
    DataKeys,
}

pub struct Check {
    pub form: Form,
    pub node: u8,
}

pub fn path(shares: &Path) -> PathBuf {
    shares.join("store-key.check")
}

impl Check {
    pub fn to_bytes(&self, store_key: &Seal) -> Vec<u8> {
        let sealed = store_key.seal(&associated_data(self.form, self.node), TEXT);
        match self.form {
            Form::Direct => sealed,
            Form::DataKeys => [&[VERSION][..], &sealed].concat(),
        }
    }

    /// `None` under any other key.
    pub fn from_bytes(store_key: &Seal, bytes: &[u8]) -> Option<Self> {
        let (form, sealed) = split(bytes)?;
        let opens = |node: &u8| store_key.open(&associated_data(form, *node), sealed).is_some();
        (1..=u8::MAX).find(opens).map(|node| Self { form, node })
    }
}

fn split(bytes: &[u8]) -> Option<(Form, &[u8])> {
    match bytes {
        _ if bytes.len() == DIRECT_BYTES => Some((Form::Direct, bytes)),
        [VERSION, sealed @ ..] if sealed.len() == DIRECT_BYTES => Some((Form::DataKeys, sealed)),
        _ => None,
    }
}

/// The first form has the index alone.
fn associated_data(form: Form, node: u8) -> Vec<u8> {
    match form {
        Form::Direct => vec![node],
        Form::DataKeys => borsh::to_vec(&("countersign/v1/store-key", VERSION, node)).expect("a short text encodes"),
    }
}

/// By its check, without a key. `None` if there is no check: no share was ever sealed there.
pub fn form_of(shares: &Path) -> Result<Option<Form>, String> {
    let path = path(shares);
    match fs::read(&path) {
        Ok(bytes) => {
            let damaged = || format!("{} is damaged", path.display());
            split(&bytes).map(|(form, _)| Some(form)).ok_or_else(damaged)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}
