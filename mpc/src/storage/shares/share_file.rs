//! A share as the bytes of a file: XChaCha20-Poly1305 under the store key, bound to wallet, curve, node, epoch and
//! state, so that no file can stand in for another. Knows nothing of paths.

use crate::crypto::random;
use crate::crypto::secret_bytes;
use crate::keys::children::Children;
use crate::keys::key_material::KeyMaterial;
use crate::keys::share::Share;
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::{decode, encode, Curve, Id};
use borsh::{BorshDeserialize, BorshSerialize};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::XChaCha20Poly1305;
use zeroize::{Zeroize, Zeroizing};

const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
/// Version, epoch (big-endian), nonce.
const HEADER_BYTES: usize = 1 + 4 + NONCE_BYTES;

pub struct Binding {
    pub wallet_id: Id,
    pub curve: Curve,
    pub node: u8,
    pub state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// In this session.
    Prepared([u8; 32]),
    Committed,
    /// Repaired or restored: it is the share of a committed key, but does not sign before a complete refresh.
    Unrefreshed,
}

/// The store key, ready for use.
pub struct Seal(XChaCha20Poly1305);

#[derive(BorshSerialize, BorshDeserialize)]
struct Content {
    statement: KeyStatement,
    confirmations: Vec<Confirmation>,
    material: Vec<u8>,
}

impl Drop for Content {
    fn drop(&mut self) {
        self.material.zeroize();
    }
}

impl Seal {
    pub fn new(store_key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(store_key.into()))
    }

    /// A known text under the store key: at start it tells a wrong key from corrupted shares.
    pub fn seal_check(&self, node: u8) -> Vec<u8> {
        let nonce = random::bytes::<NONCE_BYTES>();
        let payload = Payload { msg: b"store key", aad: &[node] };
        let sealed = self.0.encrypt(&nonce.into(), payload).expect("a short text seals");
        [&nonce[..], &sealed].concat()
    }

    pub fn open_check(&self, node: u8, bytes: &[u8]) -> Option<()> {
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
        let payload = Payload { msg: sealed, aad: &[node] };
        self.0.decrypt(nonce.into(), payload).ok().map(drop)
    }
}

pub fn to_bytes(seal: &Seal, binding: &Binding, share: &Share) -> Option<Vec<u8>> {
    let content = Content {
        statement: share.statement.clone(),
        confirmations: share.confirmations.clone(),
        material: share.material.to_bytes()?.to_vec(),
    };
    let plain = secret_bytes::borsh(&content);
    let nonce = random::bytes::<NONCE_BYTES>();
    let epoch = share.statement.epoch;
    let aad = associated_data(binding, epoch);
    let sealed = seal.0.encrypt(&nonce.into(), Payload { msg: &plain, aad: &aad }).ok()?;
    Some([&[VERSION][..], &epoch.to_be_bytes(), &nonce, &sealed].concat())
}

/// `None` if anything does not fit: the key, the binding, the content, or the content to itself.
pub fn from_bytes(seal: &Seal, binding: &Binding, bytes: &[u8]) -> Option<Share> {
    let (header, sealed) = bytes.split_at_checked(HEADER_BYTES)?;
    if header[0] != VERSION {
        return None;
    }
    let epoch = u32::from_be_bytes(header[1..5].try_into().ok()?);
    let aad = associated_data(binding, epoch);
    let nonce: [u8; NONCE_BYTES] = header[5..].try_into().ok()?;
    let plain = Zeroizing::new(seal.0.decrypt(&nonce.into(), Payload { msg: sealed, aad: &aad }).ok()?);
    let content: Content = decode(&plain)?;
    let statement = content.statement.clone();
    let material = KeyMaterial::from_bytes(binding.curve, &content.material)?;
    let fits = statement.wallet_id == binding.wallet_id
        && statement.curve == binding.curve
        && statement.epoch == epoch
        && !matches!(binding.state, State::Prepared(session_id) if session_id != statement.session_id)
        && material.belongs_to(binding.node)
        && material.public_key()? == statement.public_key
        && material.chain_code() == statement.chain_code;
    let signs = binding.state == State::Committed;
    fits.then(|| Share {
        statement,
        confirmations: content.confirmations.clone(),
        material,
        signs,
        children: Children::default(),
    })
}

fn associated_data(binding: &Binding, epoch: u32) -> Vec<u8> {
    let Binding { wallet_id, curve, node, state } = binding;
    let (label, session_id) = match state {
        State::Prepared(session_id) => ("countersign/v1/share", Some(session_id)),
        State::Committed => ("countersign/v1/share", None),
        State::Unrefreshed => ("countersign/v1/unrefreshed-share", None),
    };
    encode(&(label, VERSION, wallet_id, *curve, node, epoch, session_id))
}
