//! Key generation on ed25519 (FROST, RFC 9591's DKG by the ZF crate), five rounds: 1 packages; 2 the echo of round 1's
//! broadcasts; 3 shares; 4 the key, and a hash of the transcript; 5 compare. It writes nothing: a key is only returned.
//! The crate has no echo and its proofs bind no session: the echo and the sealed channel do. The echo has a round of
//! its own, so that no share goes to nodes that were told different things.

use super::frost_messages::{decoded, encoded, fault, identifier};
use super::{
    check_confirmations, check_distinct, check_echoes, transcript_hash, Context, Fault, Messages, Next, Protocol, Step,
};
use crate::keys::canonical::to_bytes;
use crate::keys::key_material::{FrostKey, KeyMaterial};
use frost_ed25519::keys::dkg::{part1, part2, part3, round1, round2};
use rand_core::OsRng;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

pub enum Stage {
    Committed { secret: round1::SecretPackage, own_package: Vec<u8> },
    Echoed { secret: round1::SecretPackage, packages: Packages, echo: [u8; 32] },
    Shared { secret: round2::SecretPackage, packages: Packages, echo: [u8; 32] },
    Confirmed { key: Box<FrostKey>, transcript: [u8; 32] },
}

type Packages = BTreeMap<frost_ed25519::Identifier, round1::Package>;

fn failed(error: frost_ed25519::Error) -> Fault {
    fault(error, "The key generation failed.")
}

fn more(outbound: Messages, stage: Stage) -> Result<Step, Fault> {
    Ok(Step::more(outbound, Protocol::FrostGenerate(Box::new(stage))))
}

pub fn begin(context: Context) -> Result<Step, Fault> {
    let participants = context.participants.len() as u16;
    let (secret, package) =
        part1(identifier(context.me), participants, u16::from(context.threshold), OsRng).map_err(failed)?;
    let own_package = encoded(package.serialize())?;
    let outbound = context.same_to_all(Zeroizing::new(own_package.clone()));
    more(outbound, Stage::Committed { secret, own_package })
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        match self {
            Stage::Committed { secret, own_package } => echo(context, inbound, secret, own_package),
            Stage::Echoed { secret, packages, echo } => share(context, inbound, secret, packages, echo),
            Stage::Shared { secret, packages, echo } => confirm(context, inbound, &secret, &packages, &echo),
            Stage::Confirmed { key, transcript } => {
                check_confirmations(inbound, &transcript)?;
                let material = Box::new(KeyMaterial::Ed25519(*key));
                Ok(Step::last(Next::Key { material, transcript }))
            }
        }
    }
}

fn echo(
    context: &Context,
    inbound: &Messages,
    secret: round1::SecretPackage,
    own_package: Vec<u8>,
) -> Result<Step, Fault> {
    let mut broadcasts = BTreeMap::from([(context.me, own_package)]);
    let mut packages = Packages::new();
    for (peer, message) in inbound {
        let package = decoded(*peer, message, round1::Package::deserialize, round1::Package::serialize)?;
        packages.insert(identifier(*peer), package);
        broadcasts.insert(*peer, message.to_vec());
    }
    check_distinct_constants(&own_commitment(&broadcasts[&context.me])?, &packages)?;
    let echo = transcript_hash("countersign/v1/frost-echo", &context.session_id, &[&to_bytes(&broadcasts)]);
    let outbound = context.same_to_all(Zeroizing::new(echo.to_vec()));
    more(outbound, Stage::Echoed { secret, packages, echo })
}

/// The echoes come first: no share is so much as computed for nodes that saw other packages.
fn share(
    context: &Context,
    inbound: &Messages,
    secret: round1::SecretPackage,
    packages: Packages,
    echo: [u8; 32],
) -> Result<Step, Fault> {
    check_echoes(inbound, &echo)?;
    let (secret, mut shares) = part2(secret, &packages).map_err(failed)?;
    let mut outbound = Messages::new();
    for peer in context.peers() {
        let share = shares.remove(&identifier(peer)).ok_or(Fault::Abort("The protocol made no message for a peer."))?;
        outbound.insert(peer, Zeroizing::new(encoded(share.serialize())?));
    }
    more(outbound, Stage::Shared { secret, packages, echo })
}

/// A node's constant coefficient is its part of the key: a copy of another node's is refused.
fn check_distinct_constants(own: &[u8], packages: &Packages) -> Result<(), Fault> {
    let mut constants = vec![own.to_vec()];
    for package in packages.values() {
        constants.push(constant_of(package)?);
    }
    check_distinct(constants.into_iter())
}

fn own_commitment(package: &[u8]) -> Result<Vec<u8>, Fault> {
    let package = round1::Package::deserialize(package).map_err(failed)?;
    constant_of(&package)
}

fn constant_of(package: &round1::Package) -> Result<Vec<u8>, Fault> {
    let coefficients = package.commitment().serialize().map_err(|_| Fault::Abort("A value could not be encoded."))?;
    coefficients.into_iter().next().ok_or(Fault::Abort("A commitment is empty."))
}

fn confirm(
    context: &Context,
    inbound: &Messages,
    secret: &round2::SecretPackage,
    packages: &Packages,
    echo: &[u8; 32],
) -> Result<Step, Fault> {
    let mut shares = BTreeMap::new();
    for (peer, message) in inbound {
        let share = decoded(*peer, message, round2::Package::deserialize, round2::Package::serialize)?;
        shares.insert(identifier(*peer), share);
    }
    let (package, public) = part3(secret, packages, &shares).map_err(failed)?;
    let group_key = encoded(public.verifying_key().serialize())?;
    // RFC 9591 knows no chain code: it is a hash of what all nodes contributed, so no node chooses it alone.
    let chain_code = transcript_hash("countersign/v1/chain-code", &context.session_id, &[echo, &group_key]);
    let public_bytes = encoded(public.serialize())?;
    let transcript = transcript_hash(
        "countersign/v1/frost-transcript",
        &context.session_id,
        &[echo, &group_key, &public_bytes, &chain_code],
    );
    let key = Box::new(FrostKey { package, public, chain_code });
    let outbound = context.same_to_all(Zeroizing::new(transcript.to_vec()));
    more(outbound, Stage::Confirmed { key, transcript })
}
