//! `identity.key` and `tls.key`: sealed by the store key, or plain in a directory from before
//! (`store_key_check::Form`). Both are read, whatever the form: whoever puts a plain one there passes for nobody,
//! because peers pin the public halves.

use super::store_key_check::Form;
use crate::crypto::seal::Seal;
use std::fs;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// No seed has this length and no PEM begins like this.
const MAGIC: &[u8] = b"countersign/v1/sealed-file\n";

#[derive(Clone, Copy)]
pub enum SecretFile {
    Identity,
    TlsKey,
}

pub const SECRET_FILES: [SecretFile; 2] = [SecretFile::Identity, SecretFile::TlsKey];

impl SecretFile {
    pub fn path(self, directory: &Path) -> PathBuf {
        directory.join(match self {
            SecretFile::Identity => "identity.key",
            SecretFile::TlsKey => "tls.key",
        })
    }

    fn label(self) -> &'static [u8] {
        match self {
            SecretFile::Identity => b"countersign/v1/identity-key",
            SecretFile::TlsKey => b"countersign/v1/tls-key",
        }
    }

    pub fn read(self, directory: &Path, store_key: &Seal) -> Result<Zeroizing<Vec<u8>>, String> {
        let path = self.path(directory);
        let bytes = Zeroizing::new(fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?);
        let Some(sealed) = bytes.strip_prefix(MAGIC) else { return Ok(bytes) };
        let wrong = || format!("the store key is not the one that {} is sealed by", path.display());
        store_key.open(self.label(), sealed).ok_or_else(wrong)
    }

    /// The content of the file in a directory of this form.
    pub fn to_bytes(self, form: Form, store_key: &Seal, plain: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(match form {
            Form::Direct => plain.to_vec(),
            Form::DataKeys => [MAGIC, &store_key.seal(self.label(), plain)].concat(),
        })
    }
}
