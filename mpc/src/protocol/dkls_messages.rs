//! What the nodes say to each other in a DKLs23 key generation and refresh, beyond the crate's own types, and the check
//! that an inner sender and receiver are those of the channel.

use super::Fault;
use dkls23::protocols::dkg::{
    BroadcastDerivationPhase3to4, ProofCommitment, TransmitInitMulPhase3to4, TransmitInitZeroSharePhase2to4,
    TransmitInitZeroSharePhase3to4,
};
use dkls23::protocols::{Abort, AbortReason, PartiesMessage, PartyIndex};
use k256::{AffinePoint, Secp256k1};
use serde::{Deserialize, Serialize};

/// The broadcast half of round 2: the hashes only. What they commit to comes in round 4.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq)]
pub struct Commitments {
    pub proof: [u8; 32],
    pub chain_code: [u8; 32],
}

#[derive(Serialize, Deserialize)]
pub struct Committing {
    pub commitments: Commitments,
    pub zero_share: TransmitInitZeroSharePhase2to4,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Revealing {
    pub proof: ProofCommitment<Secp256k1>,
    pub chain_code: BroadcastDerivationPhase3to4,
    pub zero_share: TransmitInitZeroSharePhase3to4,
    pub multiplication: TransmitInitMulPhase3to4<Secp256k1>,
}

/// A refresh has no chain code to agree on: the key keeps its own.
#[derive(Serialize, Deserialize)]
pub struct RefreshCommitting {
    pub proof: [u8; 32],
    pub zero_share: TransmitInitZeroSharePhase2to4,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct RefreshRevealing {
    pub proof: ProofCommitment<Secp256k1>,
    pub zero_share: TransmitInitZeroSharePhase3to4,
    pub multiplication: TransmitInitMulPhase3to4<Secp256k1>,
}

#[derive(Serialize, Deserialize)]
pub struct RefreshConfirming {
    pub transcript: [u8; 32],
    /// Of the sender's new share.
    pub point: AffinePoint,
}

/// An abort that bans nobody, by the peer whose proof or opening is false where the crate tells.
pub fn aborted(abort: &Abort, detail: &'static str) -> Fault {
    use AbortReason::*;
    let culprit = match &abort.reason {
        ProofVerificationFailed { counterparty }
        | MultiplicationVerificationFailed { counterparty, .. }
        | ZeroShareDecommitFailed { counterparty }
        | ChainCodeCommitmentFailed { party: counterparty } => Some(*counterparty),
        _ => None,
    };
    // What does not fit our own point came from anybody.
    let peer = culprit.filter(|culprit| *culprit != abort.index);
    peer.map_or(Fault::Abort(detail), |peer| Fault::AbortBy(peer.as_u8(), detail))
}

/// Indexes come from a checked roster (1..=n), so they are never zero.
pub fn party(index: u8) -> PartyIndex {
    PartyIndex::new(index).expect("indexes start at 1")
}

pub fn check_route(parties: &PartiesMessage, sender: u8, receiver: u8) -> Result<(), Fault> {
    if parties.sender == party(sender) && parties.receiver == party(receiver) {
        Ok(())
    } else {
        Err(Fault::AbortBy(sender, "A message names another sender or receiver than its channel."))
    }
}

/// The message for `receiver` among those the crate made.
pub fn take_for<T>(messages: &mut Vec<T>, receiver: u8, parties: impl Fn(&T) -> &PartiesMessage) -> Result<T, Fault> {
    let position = messages.iter().position(|message| parties(message).receiver == party(receiver));
    position.map(|at| messages.swap_remove(at)).ok_or(Fault::Abort("The protocol made no message for a peer."))
}
