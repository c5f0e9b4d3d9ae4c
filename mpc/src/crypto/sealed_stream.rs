//! A stream of bytes sealed to an X25519 public key, so that who writes it cannot read it back: a fresh ephemeral key,
//! HKDF-SHA-256, XChaCha20-Poly1305 in chunks that are numbered and of which the last one says so. Knows no content.

use super::random;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use sha2::Sha256;
use std::io::{Error, ErrorKind, Read, Result, Write};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

const MAGIC: &[u8] = b"countersign/v1/backup\n";
const CHUNK_BYTES: usize = 64 * 1024;
const TAG_BYTES: usize = 16;

pub struct SealedWriter<W: Write> {
    inner: W,
    chunks: Chunks,
    buffer: Zeroizing<Vec<u8>>,
}

pub struct SealedReader<R: Read> {
    inner: R,
    chunks: Chunks,
    /// Opened and not yet read.
    buffer: Zeroizing<Vec<u8>>,
    read: usize,
    ended: bool,
}

/// The key serves one stream, so a counter is nonce enough.
struct Chunks {
    cipher: XChaCha20Poly1305,
    number: u64,
}

impl Chunks {
    fn new(shared: &[u8; 32], ephemeral: &PublicKey, recipient: &PublicKey) -> Self {
        let salt = [ephemeral.to_bytes(), recipient.to_bytes()].concat();
        let mut key = Zeroizing::new([0; 32]);
        let hkdf = Hkdf::<Sha256>::new(Some(&salt), shared);
        hkdf.expand(MAGIC, &mut key[..]).expect("32 bytes are a valid length for HKDF");
        Self { cipher: XChaCha20Poly1305::new((&*key).into()), number: 0 }
    }

    fn next_nonce(&mut self, last: bool) -> XNonce {
        let mut nonce = [0; 24];
        nonce[15..23].copy_from_slice(&self.number.to_be_bytes());
        nonce[23] = u8::from(last);
        self.number += 1;
        nonce.into()
    }
}

impl<W: Write> SealedWriter<W> {
    /// `None` for a recipient of small order, whose shared secret everybody knows.
    pub fn new(mut inner: W, recipient: [u8; 32]) -> Option<Result<Self>> {
        let (recipient, secret) = (PublicKey::from(recipient), StaticSecret::from(random::bytes::<32>()));
        let (ephemeral, shared) = (PublicKey::from(&secret), secret.diffie_hellman(&recipient));
        if !shared.was_contributory() {
            return None;
        }
        let chunks = Chunks::new(shared.as_bytes(), &ephemeral, &recipient);
        let head = inner.write_all(MAGIC).and_then(|()| inner.write_all(ephemeral.as_bytes()));
        Some(head.map(|()| Self { inner, chunks, buffer: Zeroizing::new(Vec::with_capacity(CHUNK_BYTES)) }))
    }

    pub fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            // A full chunk waits for what follows it: only the end knows that it is the last.
            if self.buffer.len() == CHUNK_BYTES {
                self.seal(false)?;
            }
            let taken = bytes.len().min(CHUNK_BYTES - self.buffer.len());
            self.buffer.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    /// Without this the stream is one that was cut short.
    pub fn finish(mut self) -> Result<W> {
        self.seal(true)?;
        Ok(self.inner)
    }

    fn seal(&mut self, last: bool) -> Result<()> {
        let nonce = self.chunks.next_nonce(last);
        let sealed = self.chunks.cipher.encrypt(&nonce, self.buffer.as_slice()).map_err(|_| Error::other("sealing"))?;
        self.buffer.iter_mut().for_each(|byte| *byte = 0);
        self.buffer.clear();
        self.inner.write_all(&sealed)
    }
}

impl<R: Read> SealedReader<R> {
    pub fn new(mut inner: R, recipient: &StaticSecret) -> Result<Self> {
        let mut head = [0; MAGIC.len() + 32];
        inner.read_exact(&mut head)?;
        let (magic, ephemeral) = head.split_at(MAGIC.len());
        let ephemeral: [u8; 32] = ephemeral.try_into().map_err(|_| invalid())?;
        let ephemeral = PublicKey::from(ephemeral);
        let shared = recipient.diffie_hellman(&ephemeral);
        if magic != MAGIC || !shared.was_contributory() {
            return Err(invalid());
        }
        let chunks = Chunks::new(shared.as_bytes(), &ephemeral, &PublicKey::from(recipient));
        Ok(Self { inner, chunks, buffer: Zeroizing::new(vec![]), read: 0, ended: false })
    }

    /// Exactly `length` bytes of what was written.
    pub fn read(&mut self, length: usize) -> Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(length));
        while bytes.len() < length {
            if self.read == self.buffer.len() {
                self.open_next()?;
            }
            let taken = (length - bytes.len()).min(self.buffer.len() - self.read);
            bytes.extend_from_slice(&self.buffer[self.read..self.read + taken]);
            self.read += taken;
        }
        Ok(bytes)
    }

    /// Nothing is left, and nothing was cut off.
    pub fn finish(self) -> Result<()> {
        match self.ended && self.read == self.buffer.len() {
            true => Ok(()),
            false => Err(invalid()),
        }
    }

    fn open_next(&mut self) -> Result<()> {
        if self.ended {
            return Err(invalid());
        }
        let mut sealed = Vec::with_capacity(CHUNK_BYTES + TAG_BYTES);
        self.inner.by_ref().take((CHUNK_BYTES + TAG_BYTES) as u64).read_to_end(&mut sealed)?;
        // A short chunk is the last; of a full one the nonce that fits tells.
        let number = self.chunks.number;
        let mut opened = Err(chacha20poly1305::Error);
        for last in [sealed.len() < CHUNK_BYTES + TAG_BYTES, true] {
            if opened.is_err() {
                self.chunks.number = number;
                let nonce = self.chunks.next_nonce(last);
                opened = self.chunks.cipher.decrypt(&nonce, sealed.as_slice());
                self.ended = last;
            }
        }
        self.buffer = Zeroizing::new(opened.map_err(|_| invalid())?);
        self.read = 0;
        // Whatever follows the last chunk is not of the stream.
        match self.ended && self.inner.read(&mut [0])? > 0 {
            true => Err(invalid()),
            false => Ok(()),
        }
    }
}

fn invalid() -> Error {
    Error::new(ErrorKind::InvalidData, "it is damaged, cut short, or sealed to another key")
}
