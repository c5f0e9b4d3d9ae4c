//! Key generation on secp256k1 (DKLs23), six rounds:
//! 1 polynomial points; 2 commitments and zero-share seeds' commitments; 3 the echo of round 2's broadcasts; 4 proofs
//! and OT set-up; 5 the key, and a hash of the whole transcript; 6 compare. It writes nothing: a key is only returned.
//!
//! What the crate leaves to us and is done here: the echo, in a round of its own, so that nothing is revealed to nodes
//! that were told different things; that a proof is the one committed to; that no two nodes sent one commitment
//! (chain-code commitments bind no sender); that inner indexes match the channel.

use super::dkls_messages::{aborted, check_route, party, take_for, Commitments, Committing, Revealing};
use super::{
    check_confirmations, check_distinct, check_echoes, from_peer, transcript_hash, Context, Fault, Messages, Next,
    Protocol, Step,
};
use crate::keys::canonical::to_bytes;
use crate::keys::key_material::{compressed, KeyMaterial};
use dkls23::protocols::dkg::{
    BroadcastDerivationPhase2to4, BroadcastDerivationPhase3to4, ProofCommitment, TransmitInitZeroSharePhase2to4,
};
use dkls23::protocols::{Abort, Parameters, Party};
use dkls23::DkgSession;
use k256::{Scalar, Secp256k1};
use std::collections::BTreeMap;
use zeroize::{Zeroize, Zeroizing};

type Session = DkgSession<Secp256k1>;

pub enum Stage {
    Pointed { session: Session, own_point: Zeroizing<Scalar> },
    Committed { session: Session, proof: ProofCommitment<Secp256k1>, commitments: Commitments },
    Echoed(Box<Echoed>),
    Revealed(Box<Revealed>),
    Confirmed { party: Box<Party<Secp256k1>>, transcript: [u8; 32] },
}

pub struct Echoed {
    session: Session,
    commitments: BTreeMap<u8, Commitments>,
    zero_shares: Vec<TransmitInitZeroSharePhase2to4>,
    proof: ProofCommitment<Secp256k1>,
    echo: [u8; 32],
}

pub struct Revealed {
    /// What went before, its session past phase 3.
    agreed: Echoed,
    chain_code: BroadcastDerivationPhase3to4,
}

fn more(outbound: Messages, stage: Stage) -> Result<Step, Fault> {
    Ok(Step::more(outbound, Protocol::DklsGenerate(Box::new(stage))))
}

/// Generation uses no long-term OT state: no abort of it bans.
fn failed(abort: Abort) -> Fault {
    aborted(&abort, "The key generation failed.")
}

pub fn begin(context: Context) -> Result<Step, Fault> {
    let parameters = Parameters::new(context.threshold, context.participants.len() as u8)
        .map_err(|_| Fault::Abort("The threshold does not fit the participants."))?;
    let session = Session::new(parameters, party(context.me), context.session_id.to_vec());
    let points = Zeroizing::new(session.phase1());
    let point_of = |index: u8| points[usize::from(index) - 1];
    let outbound = context.peers().map(|peer| (peer, to_bytes(&point_of(peer)))).collect();
    let own_point = Zeroizing::new(point_of(context.me));
    more(outbound, Stage::Pointed { session, own_point })
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        match self {
            Stage::Pointed { session, own_point } => commit(context, inbound, session, &own_point),
            Stage::Committed { session, proof, commitments } => echo(context, inbound, session, proof, commitments),
            Stage::Echoed(echoed) => reveal(context, inbound, *echoed),
            Stage::Revealed(revealed) => confirm(context, inbound, *revealed),
            Stage::Confirmed { party, transcript } => {
                check_confirmations(inbound, &transcript)?;
                let material = Box::new(KeyMaterial::Secp256k1(*party));
                Ok(Step::last(Next::Key { material, transcript }))
            }
        }
    }
}

fn commit(context: &Context, inbound: &Messages, mut session: Session, own_point: &Scalar) -> Result<Step, Fault> {
    let mut points = Zeroizing::new(vec![]);
    for index in &context.participants {
        points.push(match inbound.get(index) {
            Some(message) => from_peer(*index, message)?,
            None => *own_point,
        });
    }
    let (proof, mut zero_shares, chain_code) = session.phase2(&points).map_err(failed)?;
    let commitments = Commitments { proof: proof.commitment, chain_code: chain_code.cc_commitment };
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let zero_share = take_for(&mut zero_shares, peer, |m| &m.parties)?;
        outbound.insert(peer, to_bytes(&Committing { commitments: commitments.clone(), zero_share }));
    }
    more(outbound, Stage::Committed { session, proof, commitments })
}

fn echo(
    context: &Context,
    inbound: &Messages,
    session: Session,
    proof: ProofCommitment<Secp256k1>,
    own: Commitments,
) -> Result<Step, Fault> {
    let mut commitments = BTreeMap::from([(context.me, own)]);
    let mut zero_shares = vec![];
    for (peer, message) in inbound {
        let message: Committing = from_peer(*peer, message)?;
        check_route(&message.zero_share.parties, *peer, context.me)?;
        commitments.insert(*peer, message.commitments);
        zero_shares.push(message.zero_share);
    }
    check_distinct(commitments.values().map(|c| c.proof))?;
    check_distinct(commitments.values().map(|c| c.chain_code))?;
    let echo = transcript_hash("countersign/v1/dkls-echo", &context.session_id, &[&to_bytes(&commitments)]);
    let outbound = context.same_to_all(Zeroizing::new(echo.to_vec()));
    more(outbound, Stage::Echoed(Box::new(Echoed { session, commitments, zero_shares, proof, echo })))
}

/// The echoes come first: phase 3 is not so much as computed for nodes that saw other commitments.
fn reveal(context: &Context, inbound: &Messages, mut agreed: Echoed) -> Result<Step, Fault> {
    check_echoes(inbound, &agreed.echo)?;
    let (mut zero_shares, mut multiplications, chain_code) = agreed.session.phase3().map_err(failed)?;
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let message = Revealing {
            proof: agreed.proof.clone(),
            chain_code: chain_code.clone(),
            zero_share: take_for(&mut zero_shares, peer, |m| &m.parties)?,
            multiplication: take_for(&mut multiplications, peer, |m| &m.parties)?,
        };
        outbound.insert(peer, to_bytes(&message));
    }
    more(outbound, Stage::Revealed(Box::new(Revealed { agreed, chain_code })))
}

fn confirm(context: &Context, inbound: &Messages, revealed: Revealed) -> Result<Step, Fault> {
    let Revealed { agreed, chain_code } = revealed;
    let (mut proofs, mut zero_shares, mut multiplications) = (vec![agreed.proof], vec![], vec![]);
    let mut chain_codes = BTreeMap::from([(party(context.me), chain_code)]);
    for (peer, message) in inbound {
        let message: Revealing = from_peer(*peer, message)?;
        check_revealed(context.me, *peer, &message, &agreed.commitments[peer])?;
        proofs.push(message.proof);
        chain_codes.insert(party(*peer), message.chain_code);
        zero_shares.push(message.zero_share);
        multiplications.push(message.multiplication);
    }
    proofs.sort_by_key(|proof| proof.index);
    let committed_chain_codes = agreed.commitments.iter().map(|(index, commitments)| {
        let (sender_index, cc_commitment) = (party(*index), commitments.chain_code);
        (sender_index, BroadcastDerivationPhase2to4 { sender_index, cc_commitment })
    });
    let (key, verifying_shares) = agreed
        .session
        .phase4(
            &proofs,
            &agreed.zero_shares,
            &zero_shares,
            &multiplications,
            &committed_chain_codes.collect(),
            &chain_codes,
            |_| String::new(),
        )
        .map_err(failed)?;
    zero_shares.iter_mut().for_each(|share| {
        share.seed.zeroize();
        share.salt.zeroize();
    });
    let transcript = transcript_hash(
        "countersign/v1/dkls-transcript",
        &context.session_id,
        &[
            &agreed.echo,
            &to_bytes(&proofs),
            &to_bytes(&chain_codes),
            &to_bytes(&verifying_shares),
            &compressed(&key.pk),
            key.chain_code(),
        ],
    );
    let outbound = context.same_to_all(Zeroizing::new(transcript.to_vec()));
    more(outbound, Stage::Confirmed { party: Box::new(key), transcript })
}

fn check_revealed(me: u8, peer: u8, message: &Revealing, committed: &Commitments) -> Result<(), Fault> {
    if message.proof.index != party(peer) || message.chain_code.sender_index != party(peer) {
        return Err(Fault::AbortBy(peer, "A message names another sender or receiver than its channel."));
    }
    if message.proof.commitment != committed.proof {
        return Err(Fault::AbortBy(peer, "A proof is not the one committed to."));
    }
    check_route(&message.zero_share.parties, peer, me)?;
    check_route(&message.multiplication.parties, peer, me)
}
