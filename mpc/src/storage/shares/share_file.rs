//! A share as the bytes of a file, bound to wallet, curve, node, epoch, session and state, so that no file can stand in
//! for another. It is sealed by a data key, or by the store key itself in a folder from before. Knows nothing of paths.

use crate::crypto::seal::Seal;
use crate::crypto::secret_bytes;
use crate::keys::children::Children;
use crate::keys::key_material::KeyMaterial;
use crate::keys::share::Share;
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::{decode, encode, Curve, Id};
use borsh::{BorshDeserialize, BorshSerialize};
use zeroize::Zeroize;

/// Sealed by the store key. The header is version and epoch (big-endian).
const DIRECT_VERSION: u8 = 1;
const DIRECT_HEADER_BYTES: usize = 1 + 4;
/// Sealed by the data key of the session. The header is version, epoch (big-endian) and session.
const VERSION: u8 = 2;
pub const HEADER_BYTES: usize = DIRECT_HEADER_BYTES + 32;

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

/// Which key opens a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sealed {
    ByStoreKey,
    ByDataKeyOf([u8; 32]),
}

/// By its header. `None` if it is of no known version.
pub fn sealed_by(bytes: &[u8]) -> Option<Sealed> {
    match bytes.first()? {
        &DIRECT_VERSION => Some(Sealed::ByStoreKey),
        &VERSION => bytes.get(DIRECT_HEADER_BYTES..HEADER_BYTES)?.try_into().ok().map(Sealed::ByDataKeyOf),
        _ => None,
    }
}

pub fn session_in(header: &[u8]) -> Option<[u8; 32]> {
    match sealed_by(header)? {
        Sealed::ByStoreKey => None,
        Sealed::ByDataKeyOf(session_id) => Some(session_id),
    }
}

pub fn to_bytes(seal: &Seal, sealed: Sealed, binding: &Binding, share: &Share) -> Option<Vec<u8>> {
    let content = Content {
        statement: share.statement.clone(),
        confirmations: share.confirmations.clone(),
        material: share.material.to_bytes()?.to_vec(),
    };
    let plain = secret_bytes::borsh(&content);
    let epoch = share.statement.epoch;
    let header = match sealed {
        Sealed::ByStoreKey => [&[DIRECT_VERSION][..], &epoch.to_be_bytes()].concat(),
        Sealed::ByDataKeyOf(session_id) => [&[VERSION][..], &epoch.to_be_bytes(), &session_id].concat(),
    };
    let body = seal.seal(&associated_data(sealed, binding, epoch), &plain);
    Some([header, body].concat())
}

/// `seal` is the one that `sealed_by` named. `None` if anything does not fit: the key, the binding, the content, or the
/// content to itself.
pub fn from_bytes(seal: &Seal, binding: &Binding, bytes: &[u8]) -> Option<Share> {
    let sealed = sealed_by(bytes)?;
    let header_bytes = if sealed == Sealed::ByStoreKey { DIRECT_HEADER_BYTES } else { HEADER_BYTES };
    let (header, body) = bytes.split_at_checked(header_bytes)?;
    let epoch = u32::from_be_bytes(header[1..DIRECT_HEADER_BYTES].try_into().ok()?);
    let plain = seal.open(&associated_data(sealed, binding, epoch), body)?;
    let content: Content = decode(&plain)?;
    let statement = content.statement.clone();
    let material = KeyMaterial::from_bytes(binding.curve, &content.material)?;
    let fits = statement.wallet_id == binding.wallet_id
        && statement.curve == binding.curve
        && statement.epoch == epoch
        && !matches!(sealed, Sealed::ByDataKeyOf(session_id) if session_id != statement.session_id)
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

fn associated_data(sealed: Sealed, binding: &Binding, epoch: u32) -> Vec<u8> {
    let Binding { wallet_id, curve, node, state } = binding;
    let (label, prepared_in) = match state {
        State::Prepared(session_id) => ("countersign/v1/share", Some(session_id)),
        State::Committed => ("countersign/v1/share", None),
        State::Unrefreshed => ("countersign/v1/unrefreshed-share", None),
    };
    match sealed {
        Sealed::ByStoreKey => encode(&(label, DIRECT_VERSION, wallet_id, *curve, node, epoch, prepared_in)),
        Sealed::ByDataKeyOf(session_id) => {
            encode(&(label, VERSION, wallet_id, *curve, node, epoch, session_id, prepared_in))
        }
    }
}
