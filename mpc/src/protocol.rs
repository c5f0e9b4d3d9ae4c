//! The protocols as state machines: one call consumes a round's state and the peers' messages and gives the next
//! state and our messages. No networking, no files, no policy; state is never cloned or written.

mod dkls_generate;
mod dkls_messages;
mod dkls_refresh;
mod dkls_sign;
mod frost_generate;
mod frost_messages;
mod frost_refresh;
mod frost_sign;
mod public_points;
mod repair;
#[cfg(test)]
mod vectors;

use crate::key_material::KeyMaterial;
use crate::vault::Share;
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
    fn blame(&self, fault: Fault) -> Fault {
        match (fault, self.participants.len(), self.peers().next()) {
            (Fault::Abort(detail), 2, Some(peer)) => Fault::AbortBy(peer, detail),
            (fault, _, _) => fault,
        }
    }

    fn same_to_all(&self, message: Zeroizing<Vec<u8>>) -> Messages {
        self.peers().map(|peer| (peer, message.clone())).collect()
    }
}

pub enum Next {
    Continue(Protocol),
    Key {
        material: Box<KeyMaterial>,
        transcript: [u8; 32],
    },
    Signature {
        bytes: [u8; 64],
        recovery_id: u8,
    },
    /// At the target its share, with what the helpers say that all nodes confirmed.
    Repaired(Option<Box<Share>>),
}

pub struct Step {
    pub outbound: Messages,
    pub next: Next,
    /// The messages carry our signature share: it must be journaled before they leave.
    pub releases_share: bool,
}

impl Step {
    fn more(outbound: Messages, protocol: Protocol) -> Self {
        Self { outbound, next: Next::Continue(protocol), releases_share: false }
    }

    fn last(next: Next) -> Self {
        Self { outbound: Messages::new(), next, releases_share: false }
    }
}

pub enum Protocol {
    DklsGenerate(Box<dkls_generate::Stage>),
    DklsRefresh(Box<dkls_refresh::Stage>),
    DklsSign(Box<dkls_sign::Stage>),
    FrostGenerate(Box<frost_generate::Stage>),
    FrostRefresh(Box<frost_refresh::Stage>),
    FrostSign(Box<frost_sign::Stage>),
    Repair(Box<repair::Stage>),
}

impl Protocol {
    pub fn generate_secp256k1(context: Context) -> Result<Step, Fault> {
        dkls_generate::begin(context)
    }

    pub fn generate_ed25519(context: Context) -> Result<Step, Fault> {
        frost_generate::begin(context)
    }

    /// `message` and `path` are frozen from here on. ECDSA signs a digest: on secp256k1 the message has 32 bytes.
    pub fn sign(context: Context, key: &KeyMaterial, path: &[u32], message: Vec<u8>) -> Result<Step, Fault> {
        match key {
            KeyMaterial::Secp256k1(party) => {
                let digest = message.try_into().map_err(|_| Fault::Abort("What is signed is not a digest."))?;
                dkls_sign::begin(context, party, path, digest)
            }
            KeyMaterial::Ed25519(key) => frost_sign::begin(context, key, path, message),
        }
    }

    /// New shares of the same key, by all nodes.
    pub fn refresh(context: Context, old: &KeyMaterial) -> Result<Step, Fault> {
        match old {
            KeyMaterial::Secp256k1(party) => dkls_refresh::begin(context, party),
            KeyMaterial::Ed25519(key) => frost_refresh::begin(context, key),
        }
    }

    /// The target's share again, from the helpers' shares.
    pub fn repair(context: Context, target: u8, share: Option<&Share>) -> Result<Step, Fault> {
        repair::begin(context, target, share)
    }

    /// `inbound` holds exactly one message of each peer, opened from its sealed channel.
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        let step = match self {
            Protocol::DklsGenerate(stage) => stage.advance(context, inbound),
            Protocol::DklsRefresh(stage) => stage.advance(context, inbound),
            Protocol::DklsSign(stage) => stage.advance(context, inbound),
            Protocol::FrostGenerate(stage) => stage.advance(context, inbound),
            Protocol::FrostRefresh(stage) => stage.advance(context, inbound),
            Protocol::FrostSign(stage) => stage.advance(context, inbound),
            Protocol::Repair(stage) => stage.advance(context, inbound),
        };
        step.map_err(|fault| context.blame(fault))
    }
}

/// SHA-256 of Borsh(label, session id, parts): what the nodes compare to know that all saw the same.
fn transcript_hash(label: &str, session_id: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(crate::wire::encode(&(label, session_id, parts))).into()
}

/// Before anything is revealed: every peer must have seen the broadcasts that we saw.
fn check_echoes(inbound: &Messages, echo: &[u8; 32]) -> Result<(), Fault> {
    check_same(inbound, echo, "The nodes saw different broadcasts.")
}

/// The last round of a generation or refresh: every peer must have computed our transcript.
fn check_confirmations(inbound: &Messages, transcript: &[u8; 32]) -> Result<(), Fault> {
    check_same(inbound, transcript, "The key confirmation differs.")
}

fn check_same(inbound: &Messages, ours: &[u8; 32], detail: &'static str) -> Result<(), Fault> {
    match inbound.iter().find(|(_, message)| message.as_slice() != ours) {
        Some((peer, _)) => Err(Fault::AbortBy(*peer, detail)),
        None => Ok(()),
    }
}

/// Two nodes with one commitment: one of them copied the other's, to cancel or repeat its contribution.
fn check_distinct<T: Ord>(values: impl Iterator<Item = T>) -> Result<(), Fault> {
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        if !seen.insert(value) {
            return Err(Fault::Abort("Two nodes sent the same commitment."));
        }
    }
    Ok(())
}
