//! Seals secrets for the disk: XChaCha20-Poly1305 under a key of 32 bytes. The nonce is random and stands before what
//! is sealed. What the bytes are, and where they belong, is the caller's to say in the associated data.

use super::random;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::XChaCha20Poly1305;
use zeroize::Zeroizing;

const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
/// How much longer the sealed bytes are than the plain ones.
pub const SEAL_BYTES: usize = NONCE_BYTES + TAG_BYTES;

/// A store key or a data key, ready for use.
pub struct Seal(XChaCha20Poly1305);

impl Seal {
    pub fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }

    pub fn seal(&self, associated_data: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce = random::bytes::<NONCE_BYTES>();
        let payload = Payload { msg: plain, aad: associated_data };
        let sealed = self.0.encrypt(&nonce.into(), payload).expect("what fits into memory is short enough to seal");
        [&nonce[..], &sealed].concat()
    }

    /// `None` if the key, the associated data or a byte is another one.
    pub fn open(&self, associated_data: &[u8], bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
        let payload = Payload { msg: sealed, aad: associated_data };
        self.0.decrypt(nonce.into(), payload).ok().map(Zeroizing::new)
    }
}
