//! Who a node is: the seed of its identity key, as `identity.key` holds it.

use ed25519_dalek::SigningKey;
use std::fs;
use std::path::Path;
use zeroize::Zeroizing;

pub fn read_identity(directory: &Path) -> Result<SigningKey, String> {
    let path = directory.join("identity.key");
    let bytes = Zeroizing::new(fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?);
    let seed: &[u8; 32] =
        bytes.as_slice().try_into().map_err(|_| format!("{} is not a 32-byte seed", path.display()))?;
    Ok(SigningKey::from_bytes(seed))
}
