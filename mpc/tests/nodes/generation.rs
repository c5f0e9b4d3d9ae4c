//! Goal: a key generation in which a node lies ends without a key at the honest nodes. Method: a rogue node 3 with a
//! genuine identity edits its messages (what it broadcasts and echoes: see `echo`); offsets below are those of the postcard encoding.

use crate::drive::Drive;
use crate::fixture::*;
use crate::rogue::Rogue;
use mpc_node::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

fn generate_with(
    cluster: &TestCluster,
    curve: Curve,
    tamper: impl FnMut(u8, u8, &mut Vec<u8>),
) -> BTreeMap<u8, ResponseBody> {
    let rogue = Rogue::boxed(cluster, 3, None, tamper);
    Drive::with(cluster, cluster.command(generation(WALLET, curve)), Some(rogue)).verdicts()
}

#[track_caller]
fn no_key(cluster: &TestCluster, curve: Curve, verdicts: &BTreeMap<u8, ResponseBody>) {
    for index in [1, 2] {
        assert_refused(&verdicts[&index], SessionAborted);
        assert_eq!(cluster.key_state(index, curve), ResponseBody::KeyState(KeyState::Absent));
    }
}

#[test]
fn a_rogue_that_changes_nothing_generates() {
    for curve in CURVES {
        let cluster = TestCluster::new();
        let verdicts = generate_with(&cluster, curve, |_, _, _| {});
        for index in [1, 2] {
            assert!(matches!(&verdicts[&index], ResponseBody::Round { outcome: Some(Outcome::Key(_)), .. }));
        }
    }
}

#[test]
fn a_proof_that_was_not_committed_to_is_refused() {
    let cluster = TestCluster::new();
    // Round 4 opens with the proof; a later proof of another point cannot match the commitment of round 2.
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, _, message| {
        if round == 4 {
            // Its commitment field: swapped after the reveal.
            type Proof = dkls23::protocols::dkg::ProofCommitment<k256::Secp256k1>;
            let (proof, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
            let mut swapped = proof;
            swapped.commitment[0] ^= 1;
            *message = [postcard::to_allocvec(&swapped).unwrap(), rest.to_vec()].concat();
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

#[test]
fn a_chain_code_swapped_after_its_commitment_is_refused() {
    let cluster = TestCluster::new();
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, _, message| {
        if round == 4 {
            type Proof = dkls23::protocols::dkg::ProofCommitment<k256::Secp256k1>;
            let (_, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
            // After the proof: the sender's index, then the chain code.
            let offset = message.len() - rest.len() + 1;
            message[offset] ^= 1;
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

/// What node 3 hears in a session, for it to repeat: node 1's envelope cannot be read by another node, so the test
/// lets two rogues conspire, and node 2 must notice.
#[test]
fn copied_commitments_are_refused() {
    for (curve, round, range) in
        [(Curve::Secp256k1, 2, 0..32), (Curve::Secp256k1, 2, 32..64), (Curve::Ed25519, 1, 0..usize::MAX)]
    {
        let cluster = TestCluster::new();
        let heard = RefCell::new(vec![]);
        let listen = |at: u8, _: u8, message: &mut Vec<u8>| {
            if at == round {
                *heard.borrow_mut() = message.clone();
            }
        };
        let copy = |at: u8, _: u8, message: &mut Vec<u8>| {
            if at == round {
                let range = range.start..range.end.min(message.len());
                message[range.clone()].copy_from_slice(&heard.borrow()[range]);
            }
        };
        let first = Rogue::boxed(&cluster, 1, None, listen);
        let second = Rogue::boxed(&cluster, 3, None, copy);
        let command = cluster.command(generation(WALLET, curve));
        let mut drive = Drive::opened(&cluster, command, Some(second));
        // Node 1 is replaced by the rogue that is listened to; it answers the same command first.
        let (index, mut participant) = first;
        let ResponseBody::Opened(hello) = participant.handle(cluster.signed(&drive.command)) else { unreachable!() };
        drive.participants.insert(index, participant);
        drive.answers.insert(index, ResponseBody::Opened(hello));
        drive.start();
        let verdicts = drive.verdicts();
        assert_refused(&verdicts[&2], SessionAborted);
        let ResponseBody::Refused(refusal) = &verdicts[&2] else { unreachable!() };
        // FROST's proof of possession names its sender, so there a copy may fail by either check.
        assert!(curve == Curve::Ed25519 || refusal.detail.contains("same commitment"), "{}", refusal.detail);
    }
}

/// Only node 2's half of the OT set-up is spoilt: node 1 must not go on to a key that node 2 does not have.
#[test]
fn selective_ot_init_failure() {
    let cluster = TestCluster::new();
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, peer, message| {
        if round == 4 && peer == 2 {
            // The seed of the base OT closes the message.
            *message.last_mut().unwrap() ^= 1;
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

#[test]
fn a_polynomial_of_higher_degree_is_refused() {
    let cluster = TestCluster::new();
    let raised = frost_ed25519::keys::dkg::part1(3u16.try_into().unwrap(), 3, 3, rand_core::OsRng).unwrap().1;
    let verdicts = generate_with(&cluster, Curve::Ed25519, |round, _, message| {
        if round == 1 {
            *message = raised.serialize().unwrap();
        }
    });
    no_key(&cluster, Curve::Ed25519, &verdicts);
    let cluster = TestCluster::new();
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, peer, message| {
        // A point off the line through the others.
        if round == 1 && peer == 2 {
            message[31] ^= 1;
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

#[test]
fn a_different_confirmation_in_the_last_round_is_refused() {
    for curve in CURVES {
        let cluster = TestCluster::new();
        let verdicts = generate_with(&cluster, curve, |at, _, message| {
            if at == last_round(curve) - 1 {
                message[0] ^= 1;
            }
        });
        no_key(&cluster, curve, &verdicts);
    }
}

#[test]
fn a_committed_wallet_refuses_another_generation() {
    let cluster = TestCluster::with_keys();
    for curve in CURVES {
        let answer = cluster.ask(1, cluster.signed(&cluster.command(generation(WALLET, curve))));
        assert_refused(&answer, WalletExists);
    }
}
