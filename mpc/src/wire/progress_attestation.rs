//! How far a node's journal has come, in that node's own signed words. The others keep the newest one, so that a node
//! whose disk was set back can be shown what it has said itself. Only public facts; nobody's word but the node's own
//! counts.

use super::encoding::encode;
use crate::crypto::signatures;
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};

/// In one request: one of each node of the largest cluster.
pub const ATTESTATIONS_A_REQUEST: usize = 255;

/// Compared by incarnation, then sequence.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// 0 for a node as it was made; a restore gives it a greater one.
    pub incarnation: u64,
    /// Which run of the program wrote last: a random number. 0 while none has.
    pub run: u64,
    /// How many records that must not be forgotten were written.
    pub sequence: u64,
}

impl Progress {
    pub fn is_beyond(&self, other: &Self) -> bool {
        (self.incarnation, self.sequence) > (other.incarnation, other.sequence)
    }
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct ProgressAttestation {
    /// The public key: a mark is of a machine, whatever the roster calls it.
    pub identity: [u8; 32],
    pub progress: Progress,
    pub signature: [u8; 64],
}

/// `"countersign/v1/mark" ‖ Borsh(identity, incarnation, run, sequence)`
pub fn attestation_signing_bytes(identity: &[u8; 32], progress: &Progress) -> Vec<u8> {
    [b"countersign/v1/mark".as_slice(), &encode(&(identity, progress))].concat()
}

impl ProgressAttestation {
    pub fn sign(key: &SigningKey, progress: Progress) -> Self {
        let identity = key.verifying_key().to_bytes();
        let signature = key.sign(&attestation_signing_bytes(&identity, &progress)).to_bytes();
        Self { identity, progress, signature }
    }

    /// `identity` is the pinned key of the node that it says it is of.
    pub fn verifies(&self, identity: &VerifyingKey) -> bool {
        let bytes = attestation_signing_bytes(&self.identity, &self.progress);
        self.identity == identity.to_bytes() && signatures::ed25519(identity, &bytes, &self.signature)
    }
}
