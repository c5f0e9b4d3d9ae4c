//! Signing on secp256k1 (DKLs23), four rounds; our share leaves with the messages of the third. The abort kind
//! `BanCounterparty` becomes `Fault::Ban`, and it is the caller's duty to make the ban durable before answering.

use super::dkls_messages::{check_route, party};
use super::{from_peer, Context, Fault, Messages, Next, Protocol, Step};
use crate::crypto::signatures;
use crate::keys::canonical::to_bytes;
use crate::keys::key_material::compressed;
use dkls23::protocols::signing::{
    Broadcast3to4, KeepPhase1to2, KeepPhase2to3, SignData, TransmitPhase1to2, TransmitPhase2to3, UniqueKeep1to2,
    UniqueKeep2to3,
};
use dkls23::protocols::{Abort, AbortKind, Party, PartyIndex};
use k256::Secp256k1;
use std::collections::BTreeMap;

type Curve = Secp256k1;

pub struct Stage {
    key: Party<Curve>,
    data: SignData,
    state: State,
}

enum State {
    Phase1(UniqueKeep1to2<Curve>, BTreeMap<PartyIndex, KeepPhase1to2<Curve>>),
    Phase2(UniqueKeep2to3<Curve>, BTreeMap<PartyIndex, KeepPhase2to3<Curve>>),
    Phase3 { r: String, own: Broadcast3to4<Curve> },
}

fn fault(abort: Abort) -> Fault {
    match abort.kind {
        AbortKind::BanCounterparty(peer) => Fault::Ban(peer.as_u8()),
        AbortKind::Recoverable => Fault::Abort("The signing failed."),
    }
}

pub fn begin(context: Context, key: Party<Curve>, digest: [u8; 32]) -> Result<Step, Fault> {
    let data = SignData {
        sign_id: context.session_id.to_vec(),
        counterparties: context.peers().map(party).collect(),
        message_hash: digest,
    };
    let (unique, kept, messages) = key.sign_phase1(&data).map_err(fault)?;
    let outbound = messages.iter().map(|m| (m.parties.receiver.as_u8(), to_bytes(m))).collect();
    Ok(more(outbound, Stage { key, data, state: State::Phase1(unique, kept) }))
}

fn more(outbound: Messages, stage: Stage) -> Step {
    Step::more(outbound, Protocol::DklsSign(Box::new(stage)))
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        let Stage { key, data, state } = self;
        match state {
            State::Phase1(unique, kept) => {
                let mut received = vec![];
                for (peer, message) in inbound {
                    let message: TransmitPhase1to2 = from_peer(*peer, message)?;
                    check_route(&message.parties, *peer, context.me)?;
                    received.push(message);
                }
                let (unique, kept, messages) = key.sign_phase2(&data, unique, kept, &received).map_err(fault)?;
                let outbound = messages.iter().map(|m| (m.parties.receiver.as_u8(), to_bytes(m))).collect();
                Ok(more(outbound, Stage { key, data, state: State::Phase2(unique, kept) }))
            }
            State::Phase2(unique, kept) => {
                let mut received = vec![];
                for (peer, message) in inbound {
                    let message: TransmitPhase2to3<Curve> = from_peer(*peer, message)?;
                    check_route(&message.parties, *peer, context.me)?;
                    received.push(message);
                }
                let (r, own) = key.sign_phase3(&data, unique, kept, &received).map_err(fault)?;
                let outbound = context.same_to_all(to_bytes(&own));
                Ok(more(outbound, Stage { key, data, state: State::Phase3 { r, own } }))
            }
            State::Phase3 { r, own } => aggregate(&key, &data, inbound, &r, own),
        }
    }
}

fn aggregate(
    key: &Party<Curve>,
    data: &SignData,
    inbound: &Messages,
    r: &str,
    own: Broadcast3to4<Curve>,
) -> Result<Step, Fault> {
    let mut received = vec![own];
    for (peer, message) in inbound {
        received.push(from_peer(*peer, message)?);
    }
    let (s, recovery_id) = key.sign_phase4(data, r, &received, true).map_err(fault)?;
    let mut bytes = [0; 64];
    let parsed = hex::decode_to_slice(r, &mut bytes[..32]).and_then(|()| hex::decode_to_slice(&s, &mut bytes[32..]));
    parsed.map_err(|_| Fault::Abort("The signature has an unexpected form."))?;
    match signatures::secp256k1(&compressed(&key.pk), &data.message_hash, &bytes, recovery_id) {
        true => Ok(Step::last(Next::Signature { bytes, recovery_id })),
        false => Err(Fault::Abort("The signature does not verify.")),
    }
}
