//! Non-hardened child keys on ed25519. No standard exists; this is the `Edwards` scheme of LFDT-Lockness' hd-wallet:
//! per index, HMAC-SHA512(key = chain code, A ‖ 00 ‖ index big-endian); its left half, read as a big-endian integer
//! modulo L, is the tweak, its right half the next chain code. Only public inputs; written down in ARCHITECTURE.md.

use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::{EdwardsPoint, Scalar};
use hmac::{Hmac, Mac};
use sha2::Sha512;

pub struct Child {
    /// The sum of the tweaks along the path: child secret = root secret + tweak.
    pub tweak: Scalar,
    pub public_key: [u8; 32],
    pub chain_code: [u8; 32],
}

/// `None` for a hardened index or a public key that is not a point.
pub fn derive(public_key: &[u8; 32], chain_code: &[u8; 32], path: &[u32]) -> Option<Child> {
    let mut point = CompressedEdwardsY(*public_key).decompress()?;
    let (mut tweak, mut chain_code) = (Scalar::ZERO, *chain_code);
    for index in path {
        if *index >= 1 << 31 {
            return None;
        }
        let mut mac = Hmac::<Sha512>::new_from_slice(&chain_code).ok()?;
        mac.update(point.compress().as_bytes());
        mac.update(&[0]);
        mac.update(&index.to_be_bytes());
        let output: [u8; 64] = mac.finalize().into_bytes().into();
        let mut left: [u8; 32] = output[..32].try_into().ok()?;
        left.reverse(); // The scalar type reads little-endian; the scheme is big-endian.
        let step = Scalar::from_bytes_mod_order(left);
        point += EdwardsPoint::mul_base(&step);
        tweak += step;
        chain_code = output[32..].try_into().ok()?;
    }
    Some(Child { tweak, public_key: point.compress().to_bytes(), chain_code })
}
