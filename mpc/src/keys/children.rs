//! The keys that were derived from a share of late, kept beside it and gone with it: each index of a path costs a
//! multiplication, and an address signs many times.

use super::key_material::{FrostKey, KeyMaterial};
use dkls23::protocols::derivation::DerivData;
use dkls23::protocols::Party;
use k256::Secp256k1;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Of one share. A wallet has an address on each family of chains, and rarely more.
const CHILDREN_MAX: usize = 4;
/// About what each takes in memory.
const OF_A_CHILD_BYTES: usize = 2048;
pub const CHILDREN_BYTES: usize = CHILDREN_MAX * OF_A_CHILD_BYTES;

#[derive(Default)]
pub struct Children(Mutex<HashMap<Vec<u32>, Child>>);

/// On secp256k1 without what a share has in common with each peer: that is large, and the same for all children.
enum Child {
    Secp256k1(DerivData<Secp256k1>),
    Ed25519(FrostKey),
}

impl Children {
    /// The child of `root` at `path`; always to be asked with the same root. `None` where there is none.
    pub fn derive(&self, root: &KeyMaterial, path: &[u32]) -> Option<KeyMaterial> {
        if let Some(known) = self.lock().get(path) {
            return known.join(root);
        }
        let derived = root.derive(path)?;
        let child = match &derived {
            KeyMaterial::Secp256k1(party) => Child::Secp256k1(party.derivation_data.clone()),
            KeyMaterial::Ed25519(key) => Child::Ed25519(key.clone()),
        };
        let mut children = self.lock();
        if children.len() >= CHILDREN_MAX {
            children.clear();
        }
        children.insert(path.to_vec(), child);
        Some(derived)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Vec<u32>, Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Child {
    fn join(&self, root: &KeyMaterial) -> Option<KeyMaterial> {
        match (self, root) {
            (Child::Secp256k1(data), KeyMaterial::Secp256k1(root)) => Some(KeyMaterial::Secp256k1(Party {
                parameters: root.parameters.clone(),
                party_index: root.party_index,
                session_id: root.session_id.clone(),
                poly_point: data.poly_point,
                pk: data.pk,
                zero_share: root.zero_share.clone(),
                mul_senders: root.mul_senders.clone(),
                mul_receivers: root.mul_receivers.clone(),
                derivation_data: data.clone(),
                address: String::new(),
            })),
            (Child::Ed25519(key), KeyMaterial::Ed25519(_)) => Some(KeyMaterial::Ed25519(key.clone())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frost_ed25519::keys::{generate_with_dealer, IdentifierList, KeyPackage};

    #[test]
    fn a_child_that_is_kept_is_the_one_that_was_derived_and_few_are_kept() {
        let (shares, public) = generate_with_dealer(3, 2, IdentifierList::Default, rand_core::OsRng).expect("a key");
        let package = shares.into_values().next().and_then(|share| KeyPackage::try_from(share).ok()).expect("a share");
        let root = KeyMaterial::Ed25519(FrostKey { package, public, chain_code: [3; 32] });
        let children = Children::default();
        for index in 0..3 * CHILDREN_MAX as u32 {
            let path = [44, index];
            let direct = root.derive(&path).and_then(|key| key.to_bytes()).expect("a child");
            for _ in 0..2 {
                let kept = children.derive(&root, &path).and_then(|key| key.to_bytes()).expect("a child");
                assert!(*kept == *direct);
            }
            assert!(children.lock().len() <= CHILDREN_MAX);
        }
        assert!(children.derive(&root, &[1 << 31]).is_none(), "a hardened index derives nothing");
    }
}
