//! Refresh on ed25519 (FROST, the ZF crate's refresh by DKG), five rounds: 1 packages; 2 the echo of round 1's
//! broadcasts; 3 shares; 4 the new share, and a hash of the transcript; 5 compare. It writes nothing.
//!
//! A package commits to a polynomial through zero: it holds no commitment to the constant term, and the crate puts the
//! identity in its place, so the group key cannot move. What the crate leaves to us: the echo (without it two honest
//! nodes can end with shares that do not sign together), that all nodes take part, and that our new share is the one
//! that the others' commitments hold us to. It skips the proofs of knowledge, which a known constant does not need.

use super::frost_messages::{decoded, encoded, fault, identifier};
use super::{check_confirmations, check_distinct, check_echoes, transcript_hash};
use super::{Context, Fault, Messages, Next, Protocol, Step};
use crate::keys::canonical::to_bytes;
use crate::keys::key_material::{FrostKey, KeyMaterial};
use curve25519_dalek::traits::Identity;
use curve25519_dalek::{EdwardsPoint, Scalar};
use frost_ed25519::keys::dkg::{round1, round2};
use frost_ed25519::keys::refresh::{refresh_dkg_part1, refresh_dkg_part2, refresh_dkg_shares};
use rand_core::OsRng;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

pub struct Stage {
    old: FrostKey,
    state: State,
}

enum State {
    Committed { secret: round1::SecretPackage, own_package: Vec<u8> },
    Echoed { secret: round1::SecretPackage, packages: Packages, echo: [u8; 32] },
    Shared { secret: round2::SecretPackage, packages: Packages, echo: [u8; 32] },
    Confirmed { new: Box<FrostKey>, transcript: [u8; 32] },
}

type Packages = BTreeMap<frost_ed25519::Identifier, round1::Package>;

fn failed(error: frost_ed25519::Error) -> Fault {
    fault(error, "The refresh failed.")
}

fn more(outbound: Messages, old: FrostKey, state: State) -> Result<Step, Fault> {
    Ok(Step::more(outbound, Protocol::FrostRefresh(Box::new(Stage { old, state }))))
}

pub fn begin(context: Context, old: &FrostKey) -> Result<Step, Fault> {
    let of_all = old.public.verifying_shares().keys().copied().eq(context.participants.iter().map(|i| identifier(*i)));
    let (nodes, threshold) = (context.participants.len() as u16, u16::from(context.threshold));
    if !of_all || *old.package.min_signers() != threshold || *old.package.identifier() != identifier(context.me) {
        return Err(Fault::Abort("The share is not one of a root key of these nodes."));
    }
    let (secret, package) = refresh_dkg_part1(identifier(context.me), nodes, threshold, OsRng).map_err(failed)?;
    let own_package = encoded(package.serialize())?;
    let outbound = context.same_to_all(Zeroizing::new(own_package.clone()));
    more(outbound, old.clone(), State::Committed { secret, own_package })
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        let old = self.old;
        match self.state {
            State::Committed { secret, own_package } => echo(context, inbound, old, secret, own_package),
            State::Echoed { secret, packages, echo } => share(context, inbound, old, secret, packages, echo),
            State::Shared { secret, packages, echo } => confirm(context, inbound, old, &secret, &packages, &echo),
            State::Confirmed { new, transcript } => {
                check_confirmations(inbound, &transcript)?;
                Ok(Step::last(Next::Key { material: Box::new(KeyMaterial::Ed25519(*new)), transcript }))
            }
        }
    }
}

fn echo(
    context: &Context,
    inbound: &Messages,
    old: FrostKey,
    secret: round1::SecretPackage,
    own_package: Vec<u8>,
) -> Result<Step, Fault> {
    let own = round1::Package::deserialize(&own_package).map_err(failed)?;
    let mut commitments = vec![commitments_of(&own)?];
    let mut broadcasts = BTreeMap::from([(context.me, own_package)]);
    let mut packages = Packages::new();
    for (peer, message) in inbound {
        let package = decoded(*peer, message, round1::Package::deserialize, round1::Package::serialize)?;
        let theirs = commitments_of(&package)?;
        // The commitment to the constant term is not there: one less than in a generation.
        if theirs.len() + 1 != usize::from(context.threshold) {
            return Err(Fault::AbortBy(*peer, "A polynomial has another degree."));
        }
        commitments.push(theirs);
        packages.insert(identifier(*peer), package);
        broadcasts.insert(*peer, message.to_vec());
    }
    check_distinct(commitments.into_iter())?;
    let label = "countersign/v1/frost-refresh-echo";
    let echo = transcript_hash(label, &context.session_id, &[&to_bytes(&broadcasts)]);
    let outbound = context.same_to_all(Zeroizing::new(echo.to_vec()));
    more(outbound, old, State::Echoed { secret, packages, echo })
}

fn commitments_of(package: &round1::Package) -> Result<Vec<Vec<u8>>, Fault> {
    package.commitment().serialize().map_err(|_| Fault::Abort("A value could not be encoded."))
}

/// The echoes come first: no share is so much as computed for nodes that saw other packages.
fn share(
    context: &Context,
    inbound: &Messages,
    old: FrostKey,
    secret: round1::SecretPackage,
    packages: Packages,
    echo: [u8; 32],
) -> Result<Step, Fault> {
    check_echoes(inbound, &echo)?;
    let (secret, mut shares) = refresh_dkg_part2(secret, &packages).map_err(failed)?;
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let share = shares.remove(&identifier(peer)).ok_or(Fault::Abort("The protocol made no message for a peer."))?;
        outbound.insert(peer, Zeroizing::new(encoded(share.serialize())?));
    }
    more(outbound, old, State::Shared { secret, packages, echo })
}

fn confirm(
    context: &Context,
    inbound: &Messages,
    old: FrostKey,
    secret: &round2::SecretPackage,
    packages: &Packages,
    echo: &[u8; 32],
) -> Result<Step, Fault> {
    let mut shares = BTreeMap::new();
    for (peer, message) in inbound {
        let share = decoded(*peer, message, round2::Package::deserialize, round2::Package::serialize)?;
        shares.insert(identifier(*peer), share);
    }
    let (package, public) = refresh_dkg_shares(secret, packages, &shares, old.public.clone(), old.package.clone())
        .map_err(|error| match false_share(context, packages, &shares) {
            Some(peer) => Fault::AbortBy(peer, "The refresh failed."),
            None => failed(error),
        })?;
    let held_to = public.verifying_shares().get(package.identifier());
    if held_to != Some(package.verifying_share()) || public.verifying_key() != old.public.verifying_key() {
        return Err(Fault::Abort("The new share does not fit the key."));
    }
    let group_key = encoded(public.verifying_key().serialize())?;
    let public_bytes = encoded(public.serialize())?;
    let parts: [&[u8]; 4] = [echo, &group_key, &public_bytes, &old.chain_code];
    let transcript = transcript_hash("countersign/v1/frost-refresh-transcript", &context.session_id, &parts);
    let new = Box::new(FrostKey { package, public, chain_code: old.chain_code });
    let outbound = context.same_to_all(Zeroizing::new(transcript.to_vec()));
    more(outbound, old, State::Confirmed { new, transcript })
}

/// Whose share is not the one that its commitments hold it to: the crate does not say.
fn false_share(
    context: &Context,
    packages: &Packages,
    shares: &BTreeMap<frost_ed25519::Identifier, round2::Package>,
) -> Option<u8> {
    let at = Scalar::from(context.me);
    context.peers().find(|peer| {
        let (Some(package), Some(share)) = (packages.get(&identifier(*peer)), shares.get(&identifier(*peer))) else {
            return true;
        };
        let coefficients = package.commitment().coefficients().iter().rev();
        let held_to = coefficients.fold(EdwardsPoint::identity(), |sum, coefficient| (sum + coefficient.value()) * at);
        EdwardsPoint::mul_base(&share.signing_share().to_scalar()) != held_to
    })
}
