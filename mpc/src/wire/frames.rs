//! The frames between the orchestrator and a node, exactly as in PROTOCOL.md. Types and encoding only: no checks
//! of meaning, no secrets. The order of enum variants is the wire format.

use super::encoding::{Curve, Id};
use super::key_acknowledgement::Acknowledgement;
use super::key_statement::{Confirmation, KeyStatement};
use super::progress_attestation::ProgressAttestation;
use super::refusal::Refusal;
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub id: u64,
    pub body: RequestBody,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum RequestBody {
    Health,
    Open { command: Vec<u8>, signature: [u8; 64] },
    Start { command_id: Id, hellos: Vec<Hello> },
    Continue { command_id: Id, round: u8, inbound: Vec<Envelope> },
    KeyState { wallet_id: Id, curve: Curve },
    Commit { confirmations: Vec<Confirmation> },
    KeepCheckpoint { command: Vec<u8>, signature: [u8; 64] },
    Checkpoints { list: CheckpointList, after: Option<CheckpointPlace> },
    OpenEnrolment { command: Vec<u8>, signature: [u8; 64] },
    OpenApproved { command: Vec<u8>, signature: [u8; 64], approval: [u8; 64] },
    Marks(Vec<ProgressAttestation>),
    Acknowledge { wallet_id: Id, curve: Curve },
    Settle { acknowledgements: Vec<Acknowledgement> },
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub id: u64,
    pub body: ResponseBody,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum ResponseBody {
    Health(Health),
    Opened(Hello),
    Round { outbound: Vec<Envelope>, outcome: Option<Outcome> },
    InProgress,
    Finished(Outcome),
    KeyState(KeyState),
    Committed(KeyStatement),
    Refused(Refusal),
    CheckpointKept(Checkpoint),
    Checkpoints(Vec<Checkpoint>),
    MarksTaken,
    Acknowledged(Acknowledgement),
    Settled(KeyStatement),
}

/// A sealed message. Outbound, `peer` is the receiver; inbound, the sender.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    pub peer: u8,
    pub sealed: Vec<u8>,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    pub node: u8,
    pub nonce: [u8; 32],
    pub ephemeral_public_key: [u8; 32],
    pub signature: [u8; 64],
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Health {
    pub version: String,
    pub node: u8,
    pub roster: [u8; 32],
    pub live_sessions: u32,
    pub keys: u32,
    pub bans: Vec<Ban>,
    /// SHA-256 of the policy file's bytes; without a file of `{}`, which says the same.
    pub policy: [u8; 32],
    /// This node's own, as it is now.
    pub mark: ProgressAttestation,
    /// The newest of other nodes that it was told of.
    pub marks: Vec<ProgressAttestation>,
    /// It opens no session, because its disk was set back.
    pub set_back: bool,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    pub root_public_key: Vec<u8>,
    pub peer: u8,
    pub generation: u32,
    pub at_ms: u64,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Key(Confirmation),
    /// r‖s (s low) with 0 or 1, or R‖z with 0.
    Signature {
        bytes: [u8; 64],
        recovery_id: u8,
    },
    /// At the helpers too: what the target holds now, if it took it.
    Repaired(KeyStatement),
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    Absent,
    Prepared,
    Committed(Vec<Confirmation>),
    /// Of all nodes for the key as it is, and this node's own for what else it has of this epoch and of later ones,
    /// oldest first.
    /// `signs` is false until a complete refresh if the share was repaired or restored.
    Unsettled {
        committed: Vec<Confirmation>,
        prepared: Vec<Confirmation>,
        signs: bool,
    },
}

/// What the audit chain of a workspace was: `hash` is that of its entry `seq`.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub workspace_id: Id,
    /// From 1.
    pub seq: u64,
    pub hash: [u8; 32],
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointList {
    /// One a workspace, in the order of their ids.
    Newest,
    /// The first that was kept on each day, in the order of workspace and seq.
    FirstOfDays,
}

/// Where a page ended. The newest are told apart by their workspace alone.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointPlace {
    pub workspace_id: Id,
    pub seq: u64,
}
