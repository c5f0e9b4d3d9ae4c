//! What is written into the journal, and what of it a node must never forget.

use super::acknowledgement_table::Acknowledged;
use crate::limits::CheckpointLimits;
use crate::policy::Charge;
use crate::wire::progress_attestation::{Progress, ProgressAttestation};
use crate::wire::{Ban, Checkpoint, Curve, Id};
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;

pub enum Record {
    /// Before round 1: from here on the message counts as signed. Refused if the command or session was used, something
    /// is bound to other content (the operation to its message), or a counter of the policy would pass its limit.
    Begin {
        command_id: Id,
        expires_at_ms: u64,
        /// Nobody signed it before.
        signed_after_ms: u64,
        session_id: [u8; 32],
        bindings: Vec<(Id, [u8; 32])>,
        charges: Vec<Charge>,
    },
    /// `identity` is the peer's: a ban is of who it was, besides its index.
    Ban {
        ban: Ban,
        identity: [u8; 32],
    },
    /// Commands that expire up to here are refused from now on, and what is counted in windows that began before.
    /// Marks of before are of an earlier incarnation, and nothing is set back.
    Restored {
        at_ms: u64,
        floor_ms: u64,
    },
    Roster {
        roster: [u8; 32],
        nodes: BTreeMap<u8, VerifyingKey>,
    },
    /// Refused unless it is the kept one or goes on from there. `day` counts from 1970.
    Checkpoint {
        checkpoint: Checkpoint,
        day: u64,
        limits: CheckpointLimits,
    },
    /// Before an acknowledgement is signed. Refused if another share of that epoch and roster was acknowledged.
    Acknowledged {
        wallet_id: Id,
        curve: Curve,
        share: Acknowledged,
    },
    /// Of other nodes. An older one than that which is kept changes nothing.
    Attestations(Vec<ProgressAttestation>),
    /// This node has said itself that it was farther than this journal is.
    RolledBack {
        seen: Progress,
    },
}

impl Record {
    /// Whether a node that forgets it is one whose disk was set back. A roster is written anew at each start, before
    /// anybody could say that the disk is an old one.
    pub fn must_not_be_forgotten(&self) -> bool {
        match self {
            Record::Begin { .. } | Record::Ban { .. } => true,
            Record::Restored { .. } | Record::Checkpoint { .. } | Record::Acknowledged { .. } => true,
            Record::Roster { .. } | Record::Attestations(_) | Record::RolledBack { .. } => false,
        }
    }
}

/// A ban as it is kept.
pub struct Banned {
    pub ban: Ban,
    /// `None`: an older version of this program did not keep it, so the ban is of every identity.
    pub identity: Option<[u8; 32]>,
}
