//! Repair of a lost share, both curves, three rounds: 1 the helpers compare what key they hold, and tell the target;
//! 2 each helper's part leaves, for the target only; 3 the target puts its share together. It writes nothing.
//!
//! No helper learns the share: DKLs23's terms are masked by shares of zero, FROST's deltas are mixed among the helpers.
//! The seeds of those shares are drawn for each repair: a share that was repaired itself has none of its own, and may
//! be needed to help. Whom the target is, and that the statement is confirmed, is the caller's to check.

use super::dkls_messages::party;
use super::frost_messages::{decoded, identifier};
use super::public_points::interpolated;
use super::{check_same, from_peer, transcript_hash, Context, Fault, Messages, Next, Protocol, Step};
use crate::crypto::random;
use crate::crypto::secret_bytes;
use crate::keys::canonical::to_bytes;
use crate::keys::children::Children;
use crate::keys::key_material::{compressed, FrostKey, KeyMaterial};
use crate::keys::share::Share;
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::{decode, encode, Curve};
use borsh::{BorshDeserialize, BorshSerialize};
use dkls23::protocols::repair::{repair_assemble, RepairTerm};
use dkls23::protocols::{Parameters, Party, PartyIndex, PublicKeyPackage};
use dkls23::utilities::zero_shares::ZeroShare;
use frost_ed25519::keys::repairable::{repair_share_part1, repair_share_part2, repair_share_part3, Delta, Sigma};
use frost_ed25519::Ed25519Sha512;
use k256::{AffinePoint, ProjectivePoint, Secp256k1};
use rand_core::OsRng;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

pub struct Stage {
    target: u8,
    state: State,
}

enum State {
    /// Helpers, after round 1 and round 2.
    Comparing {
        hash: [u8; 32],
        part: Part,
    },
    Released,
    /// The target.
    Listening,
    Informed(BTreeMap<u8, Told>),
}

/// What a helper has for the target: ready, or to be mixed with the other helpers'.
enum Part {
    /// On secp256k1 the share alone, and by peer the half of a seed that this node has sent.
    Seeds {
        share: Box<Party<Secp256k1>>,
        sent: BTreeMap<u8, Zeroizing<[u8; 32]>>,
    },
    OwnDelta(Delta),
}

/// What a helper tells the target in round 1.
#[derive(BorshSerialize, BorshDeserialize)]
struct Told {
    statement: KeyStatement,
    /// On ed25519 all verifying shares, by FROST's own encoding.
    public: Vec<u8>,
    /// On secp256k1 the helper's public point.
    point: Vec<u8>,
    confirmations: Vec<Confirmation>,
}

const UNFIT: Fault = Fault::Abort("The repaired share does not fit the key.");

fn more(outbound: Messages, target: u8, state: State) -> Result<Step, Fault> {
    Ok(Step::more(outbound, Protocol::Repair(Box::new(Stage { target, state }))))
}

/// To all, for a round in which there is nothing to say.
fn silence(context: &Context) -> Messages {
    context.same_to_all(Zeroizing::new(vec![]))
}

fn check_silent(peer: u8, message: &[u8]) -> Result<(), Fault> {
    match message.is_empty() {
        true => Ok(()),
        false => Err(Fault::AbortBy(peer, "A peer spoke out of turn.")),
    }
}

/// `share` is a helper's; the target has none to bring.
pub fn begin(context: Context, target: u8, share: Option<&Share>) -> Result<Step, Fault> {
    match share {
        None if context.me == target => more(silence(&context), target, State::Listening),
        Some(share) if context.me != target => help(&context, target, share),
        _ => Err(Fault::Abort("Helpers have a share, and the target brings none.")),
    }
}

fn help(context: &Context, target: u8, share: &Share) -> Result<Step, Fault> {
    let failed = Fault::Abort("The repair failed.");
    let helpers: Vec<u8> = context.participants.iter().copied().filter(|index| *index != target).collect();
    let (part, public, point, for_helpers): (_, _, _, Messages) = match &share.material {
        KeyMaterial::Secp256k1(key) => {
            let others = helpers.iter().copied().filter(|index| *index != context.me);
            let sent: BTreeMap<u8, Zeroizing<[u8; 32]>> =
                others.map(|peer| (peer, Zeroizing::new(random::bytes()))).collect();
            let seeds = sent.iter().map(|(peer, seed)| (*peer, Zeroizing::new(seed.to_vec()))).collect();
            let point = (ProjectivePoint::GENERATOR * key.poly_point).to_affine();
            let share = Box::new(without_set_ups(key));
            (Part::Seeds { share, sent }, vec![], to_bytes(&point).to_vec(), seeds)
        }
        // A share at a further index would be one of a node that nobody has confirmed.
        KeyMaterial::Ed25519(key) if !key.public.verifying_shares().contains_key(&identifier(target)) => {
            return Err(Fault::Abort("The target has no part in this key."));
        }
        KeyMaterial::Ed25519(key) => {
            let helpers: Vec<_> = helpers.iter().map(|index| identifier(*index)).collect();
            let part1 = repair_share_part1::<Ed25519Sha512, _>;
            let mut deltas = part1(&helpers, &key.package, &mut OsRng, identifier(target)).map_err(|_| failed)?;
            let own = deltas.remove(&identifier(context.me)).ok_or(failed)?;
            let delta = |peer| Some((peer, Zeroizing::new(deltas.get(&identifier(peer))?.serialize())));
            let deltas = context.peers().filter_map(delta).collect();
            (Part::OwnDelta(own), key.public.serialize().map_err(|_| failed)?, vec![], deltas)
        }
    };
    let (statement, confirmations) = (share.statement.clone(), share.confirmations.clone());
    let told = Told { statement, public, point, confirmations };
    let hash = told.hash(context);
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let own = for_helpers.get(&peer).map_or(&[][..], |bytes| bytes);
        let compared = Zeroizing::new([&hash[..], own].concat());
        outbound.insert(peer, if peer == target { secret_bytes::borsh(&told) } else { compared });
    }
    more(outbound, target, State::Comparing { hash, part })
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        let target = self.target;
        match self.state {
            State::Comparing { hash, part } => release(context, inbound, target, &hash, part),
            State::Released => {
                inbound.iter().try_for_each(|(peer, message)| check_silent(*peer, message))?;
                Ok(Step::last(Next::Repaired(None)))
            }
            State::Listening => listen(context, inbound, target),
            State::Informed(told) => assemble(context, inbound, target, told),
        }
    }
}

/// Nothing of the share leaves for helpers that hold another key or epoch of it than we.
fn release(context: &Context, inbound: &Messages, target: u8, hash: &[u8; 32], part: Part) -> Result<Step, Fault> {
    let (mut hashes, mut deltas, mut seeds) = (Messages::new(), vec![], BTreeMap::new());
    for (peer, message) in inbound {
        if *peer == target {
            check_silent(*peer, message)?;
            continue;
        }
        let (theirs, delta) = message.split_at(message.len().min(32));
        hashes.insert(*peer, Zeroizing::new(theirs.to_vec()));
        match &part {
            Part::Seeds { .. } => {
                let seed: &[u8; 32] =
                    delta.try_into().map_err(|_| Fault::AbortBy(*peer, "A helper sent no seed for the masks."))?;
                seeds.insert(*peer, Zeroizing::new(*seed));
            }
            Part::OwnDelta(_) => deltas.push(decoded(*peer, delta, Delta::deserialize, |d| Ok(d.serialize()))?),
        }
    }
    check_same(&hashes, hash, "The helpers hold different shares.")?;
    let for_target = match part {
        Part::Seeds { share, sent } => masked_term(context, target, *share, &sent, &seeds)?,
        Part::OwnDelta(own) => {
            deltas.push(own);
            Zeroizing::new(repair_share_part2(&deltas).serialize())
        }
    };
    let mut outbound = silence(context);
    outbound.insert(target, for_target);
    more(outbound, target, State::Released)
}

/// Without what it has in common with its peers: a repair needs none of it.
fn without_set_ups(key: &Party<Secp256k1>) -> Party<Secp256k1> {
    Party {
        parameters: key.parameters.clone(),
        party_index: key.party_index,
        session_id: key.session_id.clone(),
        poly_point: key.poly_point,
        pk: key.pk,
        zero_share: ZeroShare::initialize(vec![]),
        mul_senders: BTreeMap::new(),
        mul_receivers: BTreeMap::new(),
        derivation_data: key.derivation_data.clone(),
        address: String::new(),
    }
}

/// Under seeds to which both helpers of each pair have given a half.
fn masked_term(
    context: &Context,
    target: u8,
    mut share: Party<Secp256k1>,
    sent: &BTreeMap<u8, Zeroizing<[u8; 32]>>,
    received: &BTreeMap<u8, Zeroizing<[u8; 32]>>,
) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let me = party(context.me);
    let pair = |(peer, own): (&u8, &Zeroizing<[u8; 32]>)| {
        let theirs = received.get(peer)?;
        Some(ZeroShare::generate_seed_pair(me, party(*peer), own, theirs))
    };
    share.zero_share = ZeroShare::initialize(sent.iter().filter_map(pair).collect());
    let helpers = context.participants.iter().copied().filter(|index| *index != target);
    let helpers: Vec<PartyIndex> = helpers.map(party).collect();
    // It fails where a seed is missing.
    let term = share.repair_term(&helpers, party(target), &context.session_id);
    Ok(to_bytes(&term.map_err(|_| Fault::Abort("The repair failed."))?))
}

fn listen(context: &Context, inbound: &Messages, target: u8) -> Result<Step, Fault> {
    let mut all: BTreeMap<u8, Told> = BTreeMap::new();
    for (peer, message) in inbound {
        let told: Told = decode(message).ok_or(Fault::AbortBy(*peer, "A peer's message could not be decoded."))?;
        if all.values().next().is_some_and(|first| first.hash(context) != told.hash(context)) {
            return Err(Fault::AbortBy(*peer, "The helpers hold different shares."));
        }
        all.insert(*peer, told);
    }
    more(silence(context), target, State::Informed(all))
}

fn assemble(context: &Context, inbound: &Messages, target: u8, told: BTreeMap<u8, Told>) -> Result<Step, Fault> {
    let curve = told.values().next().ok_or(UNFIT)?.statement.curve;
    let material = match curve {
        Curve::Secp256k1 => assemble_secp256k1(context, inbound, target, &told)?,
        Curve::Ed25519 => assemble_ed25519(context, inbound, target, &told)?,
    };
    let Told { statement, confirmations, .. } = told.into_values().next().ok_or(UNFIT)?;
    // Committed elsewhere, but here it must not sign before a refresh.
    let share = Share { statement, confirmations, material, signs: false, children: Children::default() };
    Ok(Step::last(Next::Repaired(Some(Box::new(share)))))
}

/// The helpers' points determine the target's: with the key itself they are one more than the polynomial's degree asks.
fn assemble_secp256k1(
    context: &Context,
    inbound: &Messages,
    target: u8,
    told: &BTreeMap<u8, Told>,
) -> Result<KeyMaterial, Fault> {
    let (mut points, mut terms) = (vec![], vec![]);
    for (peer, message) in inbound {
        let term: RepairTerm<Secp256k1> = from_peer(*peer, message)?;
        if term.helper != party(*peer) || term.target != party(target) {
            return Err(Fault::AbortBy(*peer, "A message names another sender or receiver than its channel."));
        }
        terms.push(term);
        points.push((*peer, from_peer::<AffinePoint>(*peer, &told[peer].point)?));
    }
    let first = told.values().next().ok_or(UNFIT)?;
    let public_key = interpolated(&points, 0);
    if compressed(&public_key).as_slice() != first.statement.public_key {
        return Err(UNFIT);
    }
    let nodes = u8::try_from(first.confirmations.len()).map_err(|_| UNFIT)?;
    let parameters = Parameters::new(context.threshold, nodes).map_err(|_| UNFIT)?;
    let expected = BTreeMap::from([(party(target), interpolated(&points, target))]);
    let package = PublicKeyPackage::new(public_key, expected, parameters);
    let repaired = repair_assemble(&package, party(target), &terms, |_| String::new()).map_err(|_| UNFIT)?;
    Ok(KeyMaterial::Secp256k1(repaired))
}

fn assemble_ed25519(
    context: &Context,
    inbound: &Messages,
    target: u8,
    told: &BTreeMap<u8, Told>,
) -> Result<KeyMaterial, Fault> {
    let mut sigmas = vec![];
    for (peer, message) in inbound {
        sigmas.push(decoded(*peer, message, Sigma::deserialize, |s| Ok(s.serialize()))?);
    }
    let first = told.values().next().ok_or(UNFIT)?;
    let public = frost_ed25519::keys::PublicKeyPackage::deserialize(&first.public).map_err(|_| UNFIT)?;
    let package = repair_share_part3(&sigmas, identifier(target), &public).map_err(|_| UNFIT)?;
    let expected = public.verifying_shares().get(&identifier(target));
    if expected != Some(package.verifying_share()) || *package.min_signers() != u16::from(context.threshold) {
        return Err(UNFIT);
    }
    Ok(KeyMaterial::Ed25519(FrostKey { package, public, chain_code: first.statement.chain_code }))
}

impl Told {
    /// Of what all helpers have alike. Confirmations are signatures, of which there may be several good ones.
    fn hash(&self, context: &Context) -> [u8; 32] {
        let parts: [&[u8]; 2] = [&encode(&self.statement), &self.public];
        transcript_hash("countersign/v1/repair", &context.session_id, &parts)
    }
}

/// The two steps that published vectors speak of, by themselves.
#[cfg(test)]
pub mod vectors {
    use super::*;
    use crate::protocol::Next;
    use frost_ed25519::keys::{PublicKeyPackage, SigningShare, VerifyingShare};
    use frost_ed25519::VerifyingKey;

    /// What a helper sends the target for its own delta, the first one, and those that it was sent.
    pub fn release(context: &Context, target: u8, deltas: &[Vec<u8>]) -> Vec<u8> {
        let part = Part::OwnDelta(Delta::deserialize(&deltas[0]).unwrap());
        let told = |delta: &Vec<u8>| Zeroizing::new([[9; 32].as_slice(), delta].concat());
        let mut inbound: Messages =
            context.peers().filter(|peer| *peer != target).zip(deltas[1..].iter().map(told)).collect();
        inbound.insert(target, Zeroizing::new(vec![]));
        super::release(context, &inbound, target, &[9; 32], part).unwrap().outbound[&target].to_vec()
    }

    /// What the target makes of the helpers' sigmas, if its share is to be `expected`.
    pub fn assemble(
        context: &Context,
        target: u8,
        expected: SigningShare,
        sigmas: &[Vec<u8>],
    ) -> Result<FrostKey, Fault> {
        let point = VerifyingShare::from(expected);
        let group_key = VerifyingKey::deserialize(&point.serialize().unwrap()).unwrap();
        let threshold = Some(u16::from(context.threshold));
        let public = PublicKeyPackage::new(BTreeMap::from([(identifier(target), point)]), group_key, threshold);
        let statement = KeyStatement::of_test(context.threshold);
        let public = public.serialize().unwrap();
        let told =
            |_| Told { statement: statement.clone(), public: public.clone(), point: vec![], confirmations: vec![] };
        let told = context.peers().map(|peer| (peer, told(peer))).collect();
        let inbound = context.peers().zip(sigmas.iter().cloned().map(Zeroizing::new)).collect();
        let step = super::assemble(context, &inbound, target, told)?;
        let Next::Repaired(Some(share)) = step.next else { panic!("the target's share") };
        match share.material {
            KeyMaterial::Ed25519(key) => Ok(key),
            KeyMaterial::Secp256k1(_) => panic!("on ed25519"),
        }
    }
}
