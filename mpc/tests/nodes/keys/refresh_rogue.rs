//! Goal: a refresh in which a node lies leaves every honest node with its old share, which signs. Method: a rogue node
//! 3 with a genuine identity and share edits its messages.

use crate::keys::refresh::assert_no_bans;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::keys::canonical::{from_bytes, to_bytes};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;

fn refresh_with(
    cluster: &TestCluster,
    curve: Curve,
    tamper: impl FnMut(u8, u8, &mut Vec<u8>),
) -> BTreeMap<u8, ResponseBody> {
    let rogue = Rogue::boxed(cluster, 3, Some(curve), tamper);
    Drive::with(cluster, cluster.command(refreshing(curve, 1)), Some(rogue)).verdicts()
}

/// The rogue's trick fails with this sentence at one of the honest nodes, and nothing is prepared at either.
#[track_caller]
fn old_shares_stay(curve: Curve, detail: &str, tamper: impl FnMut(u8, u8, &mut Vec<u8>)) {
    let cluster = TestCluster::with_keys();
    let verdicts = refresh_with(&cluster, curve, tamper);
    let mut details = vec![];
    for index in [1, 2] {
        assert_refused(&verdicts[&index], SessionAborted);
        let ResponseBody::Refused(refusal) = &verdicts[&index] else { unreachable!() };
        details.push(refusal.detail.clone());
        assert!(matches!(cluster.key_state(index, curve), ResponseBody::KeyState(KeyState::Committed(_))));
        assert_eq!(cluster.epoch(index, curve), 0);
    }
    assert!(details.iter().any(|found| found.contains(detail)), "{details:?}");
    Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
    assert_no_bans(&cluster);
}

fn other_package(threshold: u16) -> Vec<u8> {
    let refresh = frost_ed25519::keys::refresh::refresh_dkg_part1;
    refresh(3u16.try_into().unwrap(), 3, threshold, rand_core::OsRng).unwrap().1.serialize().unwrap()
}

#[test]
fn a_rogue_that_changes_nothing_refreshes() {
    for curve in CURVES {
        let cluster = TestCluster::with_keys();
        let verdicts = refresh_with(&cluster, curve, |_, _, _| {});
        for index in [1, 2] {
            assert!(matches!(&verdicts[&index], ResponseBody::Round { outcome: Some(Outcome::Key(_)), .. }));
        }
    }
}

#[test]
fn frost_refresh_equivocation() {
    let other = other_package(2);
    old_shares_stay(Curve::Ed25519, "different broadcasts", |round, peer, message| {
        if round == 1 && peer == 2 {
            *message = other.clone();
        }
    });
}

#[test]
fn dkls_refresh_equivocation() {
    // Byte 0: the commitment to the proof.
    old_shares_stay(Curve::Secp256k1, "different broadcasts", |round, peer, message| {
        if round == 2 && peer == 2 {
            message[0] ^= 1;
        }
    });
}

#[test]
fn a_false_echo_ends_the_refresh() {
    old_shares_stay(Curve::Ed25519, "different broadcasts", |round, _, message| {
        if round == 2 {
            message[31] ^= 1;
        }
    });
}

#[test]
fn degree_raise() {
    let raised = other_package(3);
    old_shares_stay(Curve::Ed25519, "another degree", |round, _, message| {
        if round == 1 {
            *message = raised.clone();
        }
    });
    // A point off the line through zero and the others.
    old_shares_stay(Curve::Secp256k1, "refresh failed", |round, peer, message| {
        if round == 1 && peer == 2 {
            message[31] ^= 1;
        }
    });
}

/// A polynomial that does not go through zero would move the key.
#[test]
fn a_constant_that_is_not_zero_is_refused() {
    old_shares_stay(Curve::Secp256k1, "refresh failed", |round, _, message| {
        if round == 1 {
            let scalar: k256::Scalar = from_bytes(message).unwrap();
            *message = to_bytes(&(scalar + k256::Scalar::ONE)).to_vec();
        }
    });
    // FROST has no room for a commitment to it, and shares that are moved do not get through.
    old_shares_stay(Curve::Ed25519, "refresh failed", |round, _, message| {
        if round == 3 {
            let share = message.len() - 32;
            message[share] ^= 1;
        }
    });
}

#[test]
fn commitment_swap_after_reveal() {
    old_shares_stay(Curve::Secp256k1, "not the one committed to", |round, _, message| {
        if round == 4 {
            type Proof = dkls23::protocols::dkg::ProofCommitment<k256::Secp256k1>;
            let (mut proof, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
            proof.commitment[0] ^= 1;
            *message = [postcard::to_allocvec(&proof).unwrap(), rest.to_vec()].concat();
        }
    });
}

/// Only node 2's half of the OT set-up is spoilt: node 1 must not go on to a key that node 2 does not have.
#[test]
fn selective_ot_init_failure() {
    old_shares_stay(Curve::Secp256k1, "refresh failed", |round, peer, message| {
        if round == 4 && peer == 2 {
            // The seed of the base OT closes the message.
            *message.last_mut().unwrap() ^= 1;
        }
    });
}

#[test]
fn a_different_confirmation_is_refused() {
    for curve in CURVES {
        old_shares_stay(curve, "confirmation differs", |round, _, message| {
            if round == last_round(curve) - 1 {
                message[0] ^= 1;
            }
        });
    }
    // The public point of its new share, off the polynomial.
    let point = to_bytes(&k256::AffinePoint::GENERATOR);
    old_shares_stay(Curve::Secp256k1, "do not fit the key", |round, _, message| {
        if round == last_round(Curve::Secp256k1) - 1 {
            message.truncate(32);
            message.extend(&*point);
        }
    });
}
