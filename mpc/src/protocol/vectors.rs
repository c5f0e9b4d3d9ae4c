//! Goal: the rounds on ed25519 compute what the published vectors say. Method: frost-ed25519's own vectors of a key
//! generation and of a repair, and RFC 9591's shares, through this program's stages (`vectors/README.md` says whence).

use super::frost_generate::Stage;
use super::frost_messages::identifier;
use super::{repair, Context, Messages, Next, Protocol, Step};
use crate::crypto::signatures;
use crate::keys::children::Children;
use crate::keys::key_material::{FrostKey, KeyMaterial};
use crate::keys::share::Share;
use crate::wire::key_statement::KeyStatement;
use frost_ed25519::keys::dkg::{round1, round2};
use frost_ed25519::keys::{
    KeyPackage, PublicKeyPackage, SigningShare, VerifiableSecretSharingCommitment, VerifyingShare,
};
use frost_ed25519::{Signature, VerifyingKey};
use serde_json::Value;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

pub fn file(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/frost-ed25519").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

fn scalar(value: &Value) -> curve25519_dalek::Scalar {
    curve25519_dalek::Scalar::from_canonical_bytes(bytes(value).try_into().unwrap()).unwrap()
}

fn context(me: u8, participants: &[u8]) -> Context {
    Context { me, participants: participants.to_vec(), threshold: 2, session_id: [7; 32] }
}

fn stage(step: Step) -> Protocol {
    match step.next {
        Next::Continue(protocol) => protocol,
        _ => panic!("the session goes on"),
    }
}

fn commitment(vector: &Value) -> VerifiableSecretSharingCommitment {
    let points = vector["vss_commitments"].as_array().unwrap().iter().map(bytes);
    VerifiableSecretSharingCommitment::deserialize(points).unwrap()
}

fn package(vector: &Value) -> round1::Package {
    round1::Package::new(commitment(vector), Signature::deserialize(&bytes(&vector["proof_of_knowledge"])).unwrap())
}

/// An index beyond the nodes of the key would be given a share that is on the polynomial all the same.
#[test]
fn helpers_of_ed25519_give_nothing_to_an_index_that_has_no_part_in_the_key() {
    let identifiers = frost_ed25519::keys::IdentifierList::Default;
    let (shares, public) = frost_ed25519::keys::generate_with_dealer(3, 2, identifiers, rand_core::OsRng).unwrap();
    let package = KeyPackage::try_from(shares[&identifier(1)].clone()).unwrap();
    let material = KeyMaterial::Ed25519(FrostKey { package, public, chain_code: [0; 32] });
    let statement = KeyStatement::of_test(2);
    let share = Share { statement, confirmations: vec![], material, signs: true, children: Children::default() };
    for (target, is_given) in [(3, true), (4, false)] {
        let context = context(1, &[1, 2, target]);
        assert_eq!(repair::begin(context, target, Some(&share)).is_ok(), is_given);
    }
}

#[test]
fn frost_dkg() {
    let vectors = file("vectors_dkg.json");
    let inputs = &vectors["inputs"];
    for me in 1..=3u8 {
        let (own, context) = (&inputs[me.to_string()], context(me, &[1, 2, 3]));
        let coefficients = vec![scalar(&own["signing_key"]), scalar(&own["coefficient"])];
        let secret = round1::SecretPackage::new(identifier(me), coefficients, commitment(own), 2, 3);
        let of = |peer: u8| &inputs[peer.to_string()];
        let sealed = |bytes: Vec<u8>| Zeroizing::new(bytes);
        let inbound: Messages =
            context.peers().map(|peer| (peer, sealed(package(of(peer)).serialize().unwrap()))).collect();
        let committed = Stage::Committed { secret, own_package: package(own).serialize().unwrap() };
        let echoed = committed.advance(&context, &inbound).unwrap();
        // All heard the same.
        let echoes = echoed.outbound.clone();
        let shared = stage(echoed).advance(&context, &echoes).unwrap();
        for (peer, message) in &shared.outbound {
            let share = round2::Package::deserialize(message).unwrap().signing_share().serialize();
            assert_eq!(share, bytes(&of(*peer)["signing_shares"][me.to_string()]), "from {me} to {peer}");
        }
        let share = |peer: u8| SigningShare::deserialize(&bytes(&own["signing_shares"][peer.to_string()])).unwrap();
        let inbound: Messages = context
            .peers()
            .map(|peer| (peer, sealed(round2::Package::new(share(peer)).serialize().unwrap())))
            .collect();
        let confirmed = stage(shared).advance(&context, &inbound).unwrap();
        let confirmations = confirmed.outbound.clone();
        let done = stage(confirmed).advance(&context, &confirmations).unwrap();
        let Next::Key { material, .. } = done.next else { panic!("a key") };
        let KeyMaterial::Ed25519(key) = &*material else { panic!("on ed25519") };
        assert_eq!(key.public_key().unwrap().to_vec(), bytes(&inputs["verifying_key"]));
        assert_eq!(key.package.signing_share().serialize(), bytes(&own["signing_share"]));
        for node in 1..=3 {
            let point = key.public.verifying_shares()[&identifier(node)].serialize().unwrap();
            assert_eq!(point, bytes(&of(node)["verifying_share"]));
        }
    }
}

#[test]
fn frost_repair() {
    let vectors = file("repair-share.json");
    let deltas = ["random_scalar_1", "random_scalar_2", "random_scalar_3"];
    let deltas = deltas.map(|name| bytes(&vectors["scalar_generation"][name]));
    let released = repair::vectors::release(&context(1, &[1, 2, 3, 4]), 4, &deltas);
    assert_eq!(released, bytes(&vectors["scalar_generation"]["random_scalar_sum"]));

    let sigmas = ["sigma_1", "sigma_2", "sigma_3", "sigma_4"];
    let sigmas = sigmas.map(|name| bytes(&vectors["sigma_generation"][name]));
    let share = SigningShare::deserialize(&bytes(&vectors["sigma_generation"]["sigma_sum"])).unwrap();
    let repaired = repair::vectors::assemble(&context(2, &[1, 2, 3, 4, 5]), 2, share, &sigmas).unwrap();
    assert_eq!(repaired.package.signing_share(), &share);
    // And a share that is not what the others' points say is not taken.
    let other = SigningShare::deserialize(&deltas[0]).unwrap();
    assert!(repair::vectors::assemble(&context(2, &[1, 2, 3, 4, 5]), 2, other, &sigmas).is_err());
}

/// RFC 9591, E.1: its shares sign here, whatever the nonces, for its group key and its message.
#[test]
fn rfc9591_shares_sign() {
    let vectors = file("vectors.json");
    let inputs = &vectors["inputs"];
    let group_key = bytes(&inputs["verifying_key_key"]);
    let verifying_key = VerifyingKey::deserialize(&group_key).unwrap();
    let share_of = |vector: &Value| SigningShare::deserialize(&bytes(&vector["participant_share"])).unwrap();
    let shares = inputs["participant_shares"].as_array().unwrap();
    let shares: BTreeMap<u8, SigningShare> =
        shares.iter().map(|vector| (vector["identifier"].as_u64().unwrap() as u8, share_of(vector))).collect();
    let points = shares.iter().map(|(index, share)| (identifier(*index), VerifyingShare::from(*share))).collect();
    let public = PublicKeyPackage::new(points, verifying_key, Some(2));
    let message = bytes(&inputs["message"]);
    for quorum in [[1, 3], [1, 2], [2, 3]] {
        let begin = |me: u8| {
            let share = shares[&me];
            let package = KeyPackage::new(identifier(me), share, VerifyingShare::from(share), verifying_key, 2);
            let key = KeyMaterial::Ed25519(FrostKey { package, public: public.clone(), chain_code: [0; 32] });
            Protocol::sign(context(me, &quorum), key, message.clone()).unwrap()
        };
        let mut steps = quorum.map(|me| (me, begin(me)));
        for _ in 2..=3 {
            let said: BTreeMap<u8, Messages> = steps.iter().map(|(me, step)| (*me, step.outbound.clone())).collect();
            steps = steps.map(|(me, step)| {
                let context = context(me, &quorum);
                let inbound = context.peers().map(|peer| (peer, said[&peer][&me].clone())).collect();
                (me, stage(step).advance(&context, &inbound).unwrap())
            });
        }
        for (_, step) in steps {
            let Next::Signature { bytes, .. } = step.next else { panic!("a signature") };
            let key = signatures::pinned_key(group_key.as_slice().try_into().unwrap()).unwrap();
            assert!(signatures::ed25519(&key, &message, &bytes));
        }
    }
}
