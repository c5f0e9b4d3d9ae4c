//! Non-hardened child public keys on secp256k1: BIP-32. Only public inputs: it says which key will sign, so that what
//! is signed can be held against it.

use hmac::{Hmac, Mac};
use k256::elliptic_curve::sec1::ToSec1Point;
use ripemd::Ripemd160;
use sha2::{Digest, Sha256, Sha512};

/// The compressed child key; `None` for a hardened index or a key that is not a point.
pub fn derive(public_key: &[u8], chain_code: &[u8; 32], path: &[u32]) -> Option<[u8; 33]> {
    child(public_key, chain_code, path)?.to_sec1_point(true).as_bytes().try_into().ok()
}

/// The same uncompressed, as Ethereum makes an address of it.
pub fn derive_point(public_key: &[u8], chain_code: &[u8; 32], path: &[u32]) -> Option<[u8; 65]> {
    child(public_key, chain_code, path)?.to_sec1_point(false).as_bytes().try_into().ok()
}

fn child(public_key: &[u8], chain_code: &[u8; 32], path: &[u32]) -> Option<k256::PublicKey> {
    let mut key = k256::PublicKey::from_sec1_bytes(public_key).ok()?;
    let mut chain_code = *chain_code;
    for index in path {
        if *index >= 1 << 31 {
            return None;
        }
        let mut mac = Hmac::<Sha512>::new_from_slice(&chain_code).ok()?;
        mac.update(key.to_sec1_point(true).as_bytes());
        mac.update(&index.to_be_bytes());
        let output: [u8; 64] = mac.finalize().into_bytes().into();
        let tweak = k256::SecretKey::from_slice(&output[..32]).ok()?.public_key();
        key = k256::PublicKey::from_affine((key.to_projective() + tweak.as_affine()).to_affine()).ok()?;
        chain_code.copy_from_slice(&output[32..]);
    }
    Some(key)
}

/// RIPEMD-160 of SHA-256: by which Bitcoin names a key.
pub fn key_hash(public_key: &[u8; 33]) -> [u8; 20] {
    use ripemd::Digest as _;
    let hash: [u8; 32] = Sha256::digest(public_key).into();
    Ripemd160::digest(hash).into()
}
