//! Whether a signature or a public key is good: the one place for it, and never the crate that signed. Strict on both
//! curves: one signature has one form, and no key or nonce of small order is taken.

use ed25519_dalek::VerifyingKey;
use k256::ecdsa::RecoveryId;

/// A key that may be pinned: a canonical point of the prime order group, not zero. Else several keys could share one
/// signature, or one key have none of its own.
pub fn pinned_key(bytes: &[u8; 32]) -> Option<VerifyingKey> {
    let key = VerifyingKey::from_bytes(bytes).ok()?;
    (!key.is_weak() && key.to_edwards().is_torsion_free()).then_some(key)
}

/// A key that was derived from one that may be pinned: in the prime order group, which to check costs as much as a
/// signature.
pub fn derived_key(bytes: &[u8; 32]) -> Option<VerifyingKey> {
    VerifyingKey::from_bytes(bytes).ok()
}

pub fn ed25519(key: &VerifyingKey, message: &[u8], signature: &[u8; 64]) -> bool {
    key.verify_strict(message, &ed25519_dalek::Signature::from_bytes(signature)).is_ok()
}

/// ECDSA with a low s. Recovery computes the one key for which the signature is valid over the digest, so that its
/// equality with the expected key is the verification (SEC 1, 4.1.6): a second pass could not differ. A recovery id
/// above 1 (r past the group order, one in 2^127) is refused: the wire has no room for it.
pub fn secp256k1(public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64], recovery_id: u8) -> bool {
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(public_key);
    let (Ok(key), Ok(signature)) = (key, k256::ecdsa::Signature::from_slice(signature)) else { return false };
    let Some(recovery_id) = RecoveryId::from_byte(recovery_id).filter(|id| id.to_byte() <= 1) else { return false };
    let recovered = k256::ecdsa::VerifyingKey::recover_from_prehash(digest, &signature, recovery_id);
    recovered.is_ok_and(|recovered| recovered == key) && signature == signature.normalize_s()
}
