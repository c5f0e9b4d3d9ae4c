//! Complete refresh on secp256k1 (DKLs23), six rounds, those of a generation whose polynomials go through zero:
//! 1 polynomial points; 2 commitments and zero-share seeds' commitments; 3 the echo of round 2's broadcasts; 4 proofs
//! and OT set-up; 5 our new public point, and a hash of the transcript; 6 compare. It writes nothing.
//!
//! All OT state is made anew. The crate's fast refresh is not used: it keeps what a peer knows of the old one. What the
//! crate leaves to us besides: the echo, and that the new shares fit the key (a repaired share might not).

use super::dkls_messages::{
    aborted, check_route, party, take_for, RefreshCommitting, RefreshConfirming, RefreshRevealing,
};
use super::public_points::fit_the_key;
use super::{check_distinct, check_echoes, from_peer, transcript_hash, Context, Fault, Messages, Next, Protocol, Step};
use crate::keys::canonical::to_bytes;
use crate::keys::key_material::{compressed, KeyMaterial};
use dkls23::protocols::dkg::{
    KeepInitMulPhase3to4, KeepInitZeroSharePhase2to3, KeepInitZeroSharePhase3to4, ProofCommitment,
    TransmitInitZeroSharePhase2to4,
};
use dkls23::protocols::{Abort, Party, PartyIndex};
use k256::{AffinePoint, ProjectivePoint, Scalar, Secp256k1};
use std::collections::BTreeMap;
use zeroize::{Zeroize, Zeroizing};

type Kept<T> = BTreeMap<PartyIndex, T>;

pub enum Stage {
    Pointed { old: Party<Secp256k1>, own_point: Zeroizing<Scalar> },
    Committed(Correction),
    Echoed { correction: Correction, agreed: Agreed },
    Revealed { correction: Correction, agreed: Agreed, kept: Revealed },
    Confirmed { new: Party<Secp256k1>, own_point: AffinePoint, transcript: [u8; 32] },
}

/// What is added to the old share, and our proof of it.
pub struct Correction {
    old: Party<Secp256k1>,
    value: Zeroizing<Scalar>,
    proof: ProofCommitment<Secp256k1>,
    zero_kept: Kept<KeepInitZeroSharePhase2to3>,
}

pub struct Agreed {
    commitments: BTreeMap<u8, [u8; 32]>,
    zero_shares: Vec<TransmitInitZeroSharePhase2to4>,
    echo: [u8; 32],
}

pub struct Revealed {
    zero: Kept<KeepInitZeroSharePhase3to4>,
    multiplication: Kept<KeepInitMulPhase3to4<Secp256k1>>,
}

fn more(outbound: Messages, stage: Stage) -> Result<Step, Fault> {
    Ok(Step::more(outbound, Protocol::DklsRefresh(Box::new(stage))))
}

/// A complete refresh uses no OT state of before: no abort of it bans.
fn failed(abort: Abort) -> Fault {
    aborted(&abort, "The refresh failed.")
}

pub fn begin(context: Context, old: &Party<Secp256k1>) -> Result<Step, Fault> {
    let fits = old.derivation_data.depth == 0
        && old.party_index == party(context.me)
        && usize::from(old.parameters.share_count) == context.participants.len()
        && old.parameters.threshold == context.threshold;
    if !fits {
        return Err(Fault::Abort("The share is not one of a root key of these nodes."));
    }
    let points = Zeroizing::new(old.refresh_complete_phase1());
    let point_of = |index: u8| points[usize::from(index) - 1];
    let outbound = context.peers().map(|peer| (peer, to_bytes(&point_of(peer)))).collect();
    more(outbound, Stage::Pointed { old: old.clone(), own_point: Zeroizing::new(point_of(context.me)) })
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        match self {
            Stage::Pointed { old, own_point } => commit(context, inbound, old, &own_point),
            Stage::Committed(correction) => echo(context, inbound, correction),
            Stage::Echoed { correction, agreed } => reveal(context, inbound, correction, agreed),
            Stage::Revealed { correction, agreed, kept } => confirm(context, inbound, &correction, &agreed, &kept),
            Stage::Confirmed { new, own_point, transcript } => compare(context, inbound, new, own_point, &transcript),
        }
    }
}

fn commit(context: &Context, inbound: &Messages, old: Party<Secp256k1>, own_point: &Scalar) -> Result<Step, Fault> {
    let mut points = Zeroizing::new(vec![]);
    for index in &context.participants {
        points.push(match inbound.get(index) {
            Some(message) => from_peer(*index, message)?,
            None => *own_point,
        });
    }
    let (value, proof, zero_kept, mut zero_shares) = old.refresh_complete_phase2(&context.session_id, &points);
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let zero_share = take_for(&mut zero_shares, peer, |m| &m.parties)?;
        outbound.insert(peer, to_bytes(&RefreshCommitting { proof: proof.commitment, zero_share }));
    }
    more(outbound, Stage::Committed(Correction { old, value: Zeroizing::new(value), proof, zero_kept }))
}

fn echo(context: &Context, inbound: &Messages, correction: Correction) -> Result<Step, Fault> {
    let mut commitments = BTreeMap::from([(context.me, correction.proof.commitment)]);
    let mut zero_shares = vec![];
    for (peer, message) in inbound {
        let message: RefreshCommitting = from_peer(*peer, message)?;
        check_route(&message.zero_share.parties, *peer, context.me)?;
        commitments.insert(*peer, message.proof);
        zero_shares.push(message.zero_share);
    }
    check_distinct(commitments.values())?;
    let label = "countersign/v1/dkls-refresh-echo";
    let echo = transcript_hash(label, &context.session_id, &[&to_bytes(&commitments)]);
    let outbound = context.same_to_all(Zeroizing::new(echo.to_vec()));
    more(outbound, Stage::Echoed { correction, agreed: Agreed { commitments, zero_shares, echo } })
}

/// The echoes come first: phase 3 is not so much as computed for nodes that saw other commitments.
fn reveal(context: &Context, inbound: &Messages, correction: Correction, agreed: Agreed) -> Result<Step, Fault> {
    check_echoes(inbound, &agreed.echo)?;
    let (zero, mut zero_shares, multiplication, mut multiplications) =
        correction.old.refresh_complete_phase3(&context.session_id, &correction.zero_kept);
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let message = RefreshRevealing {
            proof: correction.proof.clone(),
            zero_share: take_for(&mut zero_shares, peer, |m| &m.parties)?,
            multiplication: take_for(&mut multiplications, peer, |m| &m.parties)?,
        };
        outbound.insert(peer, to_bytes(&message));
    }
    more(outbound, Stage::Revealed { correction, agreed, kept: Revealed { zero, multiplication } })
}

/// Phase 4 checks the proofs, that all corrections lie on one polynomial of the degree, and that it goes through zero.
fn confirm(
    context: &Context,
    inbound: &Messages,
    correction: &Correction,
    agreed: &Agreed,
    kept: &Revealed,
) -> Result<Step, Fault> {
    let (mut proofs, mut zero_shares, mut multiplications) = (vec![correction.proof.clone()], vec![], vec![]);
    for (peer, message) in inbound {
        let message: RefreshRevealing = from_peer(*peer, message)?;
        if message.proof.index != party(*peer) || message.proof.commitment != agreed.commitments[peer] {
            return Err(Fault::AbortBy(*peer, "A proof is not the one committed to."));
        }
        check_route(&message.zero_share.parties, *peer, context.me)?;
        check_route(&message.multiplication.parties, *peer, context.me)?;
        proofs.push(message.proof);
        zero_shares.push(message.zero_share);
        multiplications.push(message.multiplication);
    }
    proofs.sort_by_key(|proof| proof.index);
    let new = correction.old.refresh_complete_phase4(
        &context.session_id,
        &correction.value,
        &proofs,
        &kept.zero,
        &agreed.zero_shares,
        &zero_shares,
        &kept.multiplication,
        &multiplications,
    );
    zero_shares.iter_mut().for_each(|share| {
        share.seed.zeroize();
        share.salt.zeroize();
    });
    let new = new.map_err(failed)?;
    let parts: [&[u8]; 4] = [&agreed.echo, &to_bytes(&proofs), &compressed(&new.pk), new.chain_code()];
    let transcript = transcript_hash("countersign/v1/dkls-refresh-transcript", &context.session_id, &parts);
    let own_point = (ProjectivePoint::GENERATOR * new.poly_point).to_affine();
    let outbound = context.same_to_all(to_bytes(&RefreshConfirming { transcript, point: own_point }));
    more(outbound, Stage::Confirmed { new, own_point, transcript })
}

fn compare(
    context: &Context,
    inbound: &Messages,
    new: Party<Secp256k1>,
    own_point: AffinePoint,
    transcript: &[u8; 32],
) -> Result<Step, Fault> {
    let mut points = BTreeMap::from([(context.me, own_point)]);
    for (peer, message) in inbound {
        let message: RefreshConfirming = from_peer(*peer, message)?;
        if message.transcript != *transcript {
            return Err(Fault::AbortBy(*peer, "The key confirmation differs."));
        }
        points.insert(*peer, message.point);
    }
    if !fit_the_key(&points, context.threshold, &new.pk) {
        return Err(Fault::Abort("The new shares do not fit the key."));
    }
    let parts: [&[u8]; 2] = [transcript, &to_bytes(&points)];
    let transcript = transcript_hash("countersign/v1/dkls-refresh-points", &context.session_id, &parts);
    Ok(Step::last(Next::Key { material: Box::new(KeyMaterial::Secp256k1(new)), transcript }))
}
