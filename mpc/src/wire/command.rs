//! The orchestrator's signed commands: their types, what is signed, and the message each payload stands for.
//! The checks of a command's content live in `authorize.rs`.

use super::{Checkpoint, Curve, Id};
use crate::chains::bitcoin::BitcoinInput;
use crate::chains::eip712::{self, TypedData};
use borsh::{BorshDeserialize, BorshSerialize};
use sha2::{Digest, Sha256};
use sha3::Keccak256;

pub const PROTOCOL_VERSION: u16 = 1;

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Command<O = Operation> {
    pub version: u16,
    pub roster: [u8; 32],
    pub command_id: Id,
    pub expires_at_ms: u64,
    pub operation: O,
}

/// What a command may ask for. Each kind is signed under a label of its own, so that none can be taken for another.
pub trait Commanded: BorshDeserialize {
    const LABEL: &'static [u8];
}

impl Commanded for Operation {
    const LABEL: &'static [u8] = b"countersign/v1/command";
}

impl Commanded for Checkpoint {
    const LABEL: &'static [u8] = b"countersign/v1/checkpoint";
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
    /// Of all nodes: new shares of the same key.
    Refresh {
        wallet_id: Id,
        curve: Curve,
        /// The one to be made.
        epoch: u32,
        nodes: Vec<u8>,
    },
    /// Under the enrolment key only: the target gets the share of its index again.
    Repair {
        wallet_id: Id,
        curve: Curve,
        /// As it is.
        epoch: u32,
        public_key: Vec<u8>,
        target: u8,
        /// The helpers and the target.
        nodes: Vec<u8>,
    },
    /// A generation that says whose wallet it is. No other operation does: from then on the key's statement says it.
    GenerateWorkspaceKey {
        wallet_id: Id,
        curve: Curve,
        threshold: u8,
        nodes: Vec<u8>,
        workspace_id: Id,
    },
}

/// A repair is signed under a label of its own, by the enrolment key.
pub const REPAIR_LABEL: &[u8] = b"countersign/v1/enrolment";

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    RawDigest([u8; 32]),
    EvmTransaction(Vec<u8>),
    EvmMessage(Vec<u8>),
    KeyTest,
    EvmTypedData(TypedData),
    SolanaTransaction(Vec<u8>),
    BitcoinInput(BitcoinInput),
    SolanaMessage(Vec<u8>),
}

/// `label ‖ command bytes`
pub fn signing_bytes<O: Commanded>(command: &[u8]) -> Vec<u8> {
    [O::LABEL, command].concat()
}

pub fn command_signing_bytes(command: &[u8]) -> Vec<u8> {
    signing_bytes::<Operation>(command)
}

impl Operation {
    pub fn wallet_id(&self) -> Id {
        match self {
            Operation::GenerateKey { wallet_id, .. }
            | Operation::GenerateWorkspaceKey { wallet_id, .. }
            | Operation::Sign { wallet_id, .. }
            | Operation::Refresh { wallet_id, .. }
            | Operation::Repair { wallet_id, .. } => *wallet_id,
        }
    }

    pub fn curve(&self) -> Curve {
        match self {
            Operation::GenerateKey { curve, .. }
            | Operation::GenerateWorkspaceKey { curve, .. }
            | Operation::Sign { curve, .. }
            | Operation::Refresh { curve, .. }
            | Operation::Repair { curve, .. } => *curve,
        }
    }

    /// Ascending once the command is authorized.
    pub fn participants(&self) -> &[u8] {
        match self {
            Operation::GenerateKey { nodes, .. }
            | Operation::GenerateWorkspaceKey { nodes, .. }
            | Operation::Refresh { nodes, .. }
            | Operation::Repair { nodes, .. } => nodes,
            Operation::Sign { signers, .. } => signers,
        }
    }

    pub fn is_generation(&self) -> bool {
        matches!(self, Operation::GenerateKey { .. } | Operation::GenerateWorkspaceKey { .. })
    }

    /// The others make shares: their messages are larger and their rounds slow.
    pub fn is_signing(&self) -> bool {
        matches!(self, Operation::Sign { .. })
    }
}

impl Payload {
    /// The bytes that get signed: a digest of 32 bytes, but on Solana the content itself. The node computes them from
    /// the content, so that what it reads is what it signs. Fails for content that `authorize.rs` refuses.
    pub fn message(&self, wallet_id: Id, curve: Curve, operation_id: Id) -> Result<Vec<u8>, eip712::Misfit> {
        let message = match self {
            Payload::RawDigest(digest) => digest.to_vec(),
            Payload::EvmTransaction(transaction) => Keccak256::digest(transaction).to_vec(),
            Payload::EvmMessage(message) => {
                let prefix = format!("\x19Ethereum Signed Message:\n{}", message.len());
                Keccak256::new().chain_update(prefix).chain_update(message).finalize().to_vec()
            }
            Payload::KeyTest => Sha256::new()
                .chain_update(b"countersign/v1/key-test")
                .chain_update(wallet_id)
                .chain_update([curve as u8])
                .chain_update(operation_id)
                .finalize()
                .to_vec(),
            Payload::EvmTypedData(data) => eip712::digest(data)?.to_vec(),
            Payload::SolanaTransaction(content) | Payload::SolanaMessage(content) => content.clone(),
            Payload::BitcoinInput(input) => input.digest()?.to_vec(),
        };
        Ok(message)
    }
}
