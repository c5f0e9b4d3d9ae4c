//! What the protocols of every kind share: who takes part, why a session ends, and the checks that hold broadcasts and
//! transcripts together.

use crate::keys::canonical;
use serde::{de::DeserializeOwned, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// Why a session ends. Never carries data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Abort(&'static str),
    AbortBy(u8, &'static str),
    /// DKLs23: going on with this peer would leak the key.
    Ban(u8),
}

/// One message per peer, by the peer's index.
pub type Messages = BTreeMap<u8, Zeroizing<Vec<u8>>>;

#[derive(Clone)]
pub struct Context {
    pub me: u8,
    /// All participants with us, ascending.
    pub participants: Vec<u8>,
    pub threshold: u8,
    pub session_id: [u8; 32],
}

impl Context {
    pub fn peers(&self) -> impl Iterator<Item = u8> + '_ {
        self.participants.iter().copied().filter(|index| *index != self.me)
    }

    /// In a session of two, what fails after its begin is the other one's doing.
    pub fn blame(&self, fault: Fault) -> Fault {
        match (fault, self.participants.len(), self.peers().next()) {
            (Fault::Abort(detail), 2, Some(peer)) => Fault::AbortBy(peer, detail),
            (fault, _, _) => fault,
        }
    }

    pub fn same_to_all(&self, message: Zeroizing<Vec<u8>>) -> Messages {
        self.peers().map(|peer| (peer, message.clone())).collect()
    }
}

/// A peer's message. An undecodable one ends the session but bans nobody: it may be another version's.
pub fn from_peer<T: Serialize + DeserializeOwned>(peer: u8, bytes: &[u8]) -> Result<T, Fault> {
    canonical::from_bytes(bytes).ok_or(Fault::AbortBy(peer, "A peer's message could not be decoded."))
}

/// SHA-256 of Borsh(label, session id, parts): what the nodes compare to know that all saw the same.
pub fn transcript_hash(label: &str, session_id: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(crate::wire::encode(&(label, session_id, parts))).into()
}

/// Before anything is revealed: every peer must have seen the broadcasts that we saw.
pub fn check_echoes(inbound: &Messages, echo: &[u8; 32]) -> Result<(), Fault> {
    check_same(inbound, echo, "The nodes saw different broadcasts.")
}

/// The last round of a generation or refresh: every peer must have computed our transcript.
pub fn check_confirmations(inbound: &Messages, transcript: &[u8; 32]) -> Result<(), Fault> {
    check_same(inbound, transcript, "The key confirmation differs.")
}

pub fn check_same(inbound: &Messages, ours: &[u8; 32], detail: &'static str) -> Result<(), Fault> {
    match inbound.iter().find(|(_, message)| message.as_slice() != ours) {
        Some((peer, _)) => Err(Fault::AbortBy(*peer, detail)),
        None => Ok(()),
    }
}

/// Two nodes with one commitment: one of them copied the other's, to cancel or repeat its contribution.
pub fn check_distinct<T: Ord>(values: impl Iterator<Item = T>) -> Result<(), Fault> {
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        if !seen.insert(value) {
            return Err(Fault::Abort("Two nodes sent the same commitment."));
        }
    }
    Ok(())
}
