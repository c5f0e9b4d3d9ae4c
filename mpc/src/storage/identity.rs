//! Who a node is: the seed of its identity key, as `identity.key` holds it.

use super::secret_file::SecretFile;
use crate::crypto::seal::Seal;
use ed25519_dalek::SigningKey;
use std::path::Path;

pub fn read_identity(directory: &Path, store_key: &Seal) -> Result<SigningKey, String> {
    let bytes = SecretFile::Identity.read(directory, store_key)?;
    let path = SecretFile::Identity.path(directory);
    let seed: &[u8; 32] =
        bytes.as_slice().try_into().map_err(|_| format!("{} is not a 32-byte seed", path.display()))?;
    Ok(SigningKey::from_bytes(seed))
}
