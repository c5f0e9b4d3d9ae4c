//! A node's signed word that a share of this statement is its share of the key, and that it signs no such word about
//! another share of this epoch and roster. With those of all nodes nobody needs any other share of the epoch.

use super::encoding::encode;
use super::key_statement::KeyStatement;
use crate::crypto::signatures;
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    pub node: u8,
    pub statement: KeyStatement,
    pub signature: [u8; 64],
}

/// `"countersign/v1/acknowledgement" ‖ Borsh(node, statement)`
fn signing_bytes(node: u8, statement: &KeyStatement) -> Vec<u8> {
    [b"countersign/v1/acknowledgement".as_slice(), &encode(&(node, statement))].concat()
}

impl Acknowledgement {
    pub fn sign(identity: &SigningKey, node: u8, statement: KeyStatement) -> Self {
        let signature = identity.sign(&signing_bytes(node, &statement)).to_bytes();
        Self { node, statement, signature }
    }

    pub fn verifies(&self, identity: &VerifyingKey) -> bool {
        signatures::ed25519(identity, &signing_bytes(self.node, &self.statement), &self.signature)
    }
}
