//! The orchestrator's signed commands: their types, what is signed, and the digest each payload stands for.
//! The checks of a command's content live in `authorize.rs`.

use crate::wire::{Curve, Id};
use borsh::{BorshDeserialize, BorshSerialize};
use sha2::{Digest, Sha256};
use sha3::Keccak256;

pub const PROTOCOL_VERSION: u16 = 1;

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub version: u16,
    pub roster: [u8; 32],
    pub command_id: Id,
    pub expires_at_ms: u64,
    pub operation: Operation,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    GenerateKey {
        wallet_id: Id,
        curve: Curve,
        threshold: u8,
        nodes: Vec<u8>,
    },
    Sign {
        operation_id: Id,
        attempt: u32,
        wallet_id: Id,
        curve: Curve,
        path: Vec<u32>,
        signers: Vec<u8>,
        payload: Payload,
    },
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    RawDigest([u8; 32]),
    EvmTransaction(Vec<u8>),
    EvmMessage(Vec<u8>),
    KeyTest,
}

/// `"countersign/v1/command" ‖ command bytes`
pub fn command_signing_bytes(command: &[u8]) -> Vec<u8> {
    [b"countersign/v1/command".as_slice(), command].concat()
}

impl Operation {
    pub fn wallet_id(&self) -> Id {
        match self {
            Operation::GenerateKey { wallet_id, .. } | Operation::Sign { wallet_id, .. } => *wallet_id,
        }
    }

    pub fn curve(&self) -> Curve {
        match self {
            Operation::GenerateKey { curve, .. } | Operation::Sign { curve, .. } => *curve,
        }
    }

    /// Ascending once the command is authorized.
    pub fn participants(&self) -> &[u8] {
        match self {
            Operation::GenerateKey { nodes, .. } => nodes,
            Operation::Sign { signers, .. } => signers,
        }
    }

    pub fn is_generation(&self) -> bool {
        matches!(self, Operation::GenerateKey { .. })
    }
}

impl Payload {
    /// The digest that gets signed. The node computes it itself, so that what it reads is what it signs.
    pub fn digest(&self, wallet_id: Id, curve: Curve, operation_id: Id) -> [u8; 32] {
        match self {
            Payload::RawDigest(digest) => *digest,
            Payload::EvmTransaction(transaction) => Keccak256::digest(transaction).into(),
            Payload::EvmMessage(message) => {
                let prefix = format!("\x19Ethereum Signed Message:\n{}", message.len());
                Keccak256::new().chain_update(prefix).chain_update(message).finalize().into()
            }
            Payload::KeyTest => Sha256::new()
                .chain_update(b"countersign/v1/key-test")
                .chain_update(wallet_id)
                .chain_update([curve as u8])
                .chain_update(operation_id)
                .finalize()
                .into(),
        }
    }
}
