//! The protocols as state machines: one call consumes a round's state and the peers' messages and gives the next
//! state and our messages. No networking, no files, no policy; state is never cloned or written.

use super::session::{Context, Fault, Messages};
use super::{dkls_generate, dkls_refresh, dkls_sign, frost_generate, frost_refresh, frost_sign, repair};
use crate::keys::key_material::KeyMaterial;
use crate::keys::share::Share;

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
}

impl Step {
    pub fn more(outbound: Messages, protocol: Protocol) -> Self {
        Self { outbound, next: Next::Continue(protocol) }
    }

    pub fn last(next: Next) -> Self {
        Self { outbound: Messages::new(), next }
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

    /// By the key that signs, derived already. It and `message` are frozen from here on. ECDSA signs a digest: on
    /// secp256k1 the message has 32 bytes.
    pub fn sign(context: Context, key: KeyMaterial, message: Vec<u8>) -> Result<Step, Fault> {
        match key {
            KeyMaterial::Secp256k1(party) => {
                let digest = message.try_into().map_err(|_| Fault::Abort("What is signed is not a digest."))?;
                dkls_sign::begin(context, party, digest)
            }
            KeyMaterial::Ed25519(key) => frost_sign::begin(context, key, message),
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
