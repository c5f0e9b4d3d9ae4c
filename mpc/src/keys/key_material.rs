//! One node's share of one key, on either curve: public facts, child keys and the bytes for the vault.
//! No `Debug`: the crates' own would print shares.

use super::derive_ed25519::derive;
use crate::wire::Curve;
use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::{EdwardsPoint, Scalar};
use dkls23::protocols::Party;
use frost_ed25519::keys::{KeyPackage, PublicKeyPackage, SigningShare, VerifyingShare};
use frost_ed25519::VerifyingKey;
use k256::{AffinePoint, Secp256k1};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zeroize::{Zeroize, Zeroizing};

pub enum KeyMaterial {
    Secp256k1(Party<Secp256k1>),
    Ed25519(FrostKey),
}

#[derive(Clone)]
pub struct FrostKey {
    pub package: KeyPackage,
    pub public: PublicKeyPackage,
    pub chain_code: [u8; 32],
}

#[derive(Serialize, Deserialize)]
struct StoredFrostKey {
    package: Vec<u8>,
    public: Vec<u8>,
    chain_code: [u8; 32],
}

impl Drop for StoredFrostKey {
    fn drop(&mut self) {
        self.package.zeroize();
    }
}

impl KeyMaterial {
    /// 33 bytes, compressed, or 32.
    pub fn public_key(&self) -> Option<Vec<u8>> {
        match self {
            KeyMaterial::Secp256k1(party) => Some(compressed(&party.pk).to_vec()),
            KeyMaterial::Ed25519(key) => key.public_key().map(|bytes| bytes.to_vec()),
        }
    }

    /// About what it takes in memory. On secp256k1 that is what it shares with each peer for the oblivious transfers.
    pub fn size_bytes(&self) -> usize {
        const OF_A_PEER_BYTES: usize = 52_000;
        match self {
            KeyMaterial::Secp256k1(party) => party.mul_senders.len() * OF_A_PEER_BYTES,
            KeyMaterial::Ed25519(key) => key.public.verifying_shares().len() * size_of::<VerifyingShare>(),
        }
    }

    pub fn chain_code(&self) -> [u8; 32] {
        match self {
            KeyMaterial::Secp256k1(party) => *party.chain_code(),
            KeyMaterial::Ed25519(key) => key.chain_code,
        }
    }

    /// The share of the child key at `path`. `None` for a path that derives no valid key.
    pub fn derive(&self, path: &[u32]) -> Option<KeyMaterial> {
        match self {
            KeyMaterial::Secp256k1(party) => {
                let path = path.iter().fold("m".to_string(), |path, index| format!("{path}/{index}"));
                party.derive_from_path(&path, |_| String::new()).ok().map(KeyMaterial::Secp256k1)
            }
            KeyMaterial::Ed25519(key) => key.derive(path).map(KeyMaterial::Ed25519),
        }
    }

    /// Whether this is the share of node `index`, not another's put in its place.
    pub fn belongs_to(&self, index: u8) -> bool {
        match self {
            KeyMaterial::Secp256k1(party) => party.party_index.as_u8() == index,
            KeyMaterial::Ed25519(key) => {
                u16::from(index).try_into().is_ok_and(|id: frost_ed25519::Identifier| *key.package.identifier() == id)
            }
        }
    }

    pub fn to_bytes(&self) -> Option<Zeroizing<Vec<u8>>> {
        match self {
            KeyMaterial::Secp256k1(party) => Some(crate::keys::canonical::to_bytes(party)),
            KeyMaterial::Ed25519(key) => {
                let (package, public) = (key.package.serialize().ok()?, key.public.serialize().ok()?);
                let stored = StoredFrostKey { package, public, chain_code: key.chain_code };
                Some(crate::keys::canonical::to_bytes(&stored))
            }
        }
    }

    pub fn from_bytes(curve: Curve, bytes: &[u8]) -> Option<Self> {
        match curve {
            Curve::Secp256k1 => crate::keys::canonical::from_bytes(bytes).map(KeyMaterial::Secp256k1),
            Curve::Ed25519 => {
                let stored: StoredFrostKey = crate::keys::canonical::from_bytes(bytes)?;
                Some(KeyMaterial::Ed25519(FrostKey {
                    package: KeyPackage::deserialize(&stored.package).ok()?,
                    public: PublicKeyPackage::deserialize(&stored.public).ok()?,
                    chain_code: stored.chain_code,
                }))
            }
        }
    }
}

impl FrostKey {
    pub fn public_key(&self) -> Option<[u8; 32]> {
        self.public.verifying_key().serialize().ok()?.try_into().ok()
    }

    /// The child at `path`: one additive tweak on every share, on every verifying share and on the group key.
    pub fn derive(&self, path: &[u32]) -> Option<FrostKey> {
        let child = derive(&self.public_key()?, &self.chain_code, path)?;
        let tweak_point = EdwardsPoint::mul_base(&child.tweak);
        let mut verifying_shares = BTreeMap::new();
        for (identifier, share) in self.public.verifying_shares() {
            let point = CompressedEdwardsY(share.serialize().ok()?.try_into().ok()?).decompress()? + tweak_point;
            let moved = VerifyingShare::deserialize(point.compress().as_bytes()).ok()?;
            verifying_shares.insert(*identifier, moved);
        }
        let group_key = VerifyingKey::deserialize(&child.public_key).ok()?;
        let share_bytes: Zeroizing<Vec<u8>> = Zeroizing::new(self.package.signing_share().serialize());
        let share: Zeroizing<Scalar> = Zeroizing::new(
            Option::<Scalar>::from(Scalar::from_canonical_bytes(share_bytes.as_slice().try_into().ok()?))?
                + child.tweak,
        );
        let identifier = *self.package.identifier();
        let package = KeyPackage::new(
            identifier,
            SigningShare::deserialize(Zeroizing::new(share.to_bytes()).as_slice()).ok()?,
            *verifying_shares.get(&identifier)?,
            group_key,
            *self.package.min_signers(),
        );
        let public = PublicKeyPackage::new(verifying_shares, group_key, self.public.min_signers());
        Some(FrostKey { package, public, chain_code: child.chain_code })
    }
}

pub fn compressed(point: &AffinePoint) -> [u8; 33] {
    use k256::elliptic_curve::group::GroupEncoding;
    point.to_bytes().into()
}
