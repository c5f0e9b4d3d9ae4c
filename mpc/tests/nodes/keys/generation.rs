//! Goal: a key generation in which a node lies ends without a key at the honest nodes. Method: a rogue node 3 with a
//! genuine identity edits its messages (what it broadcasts and echoes: see `echo`); offsets below are those of the
//! postcard encoding.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::wire::command::{Command, Operation};
use mpc_node::wire::key_statement::{Confirmation, KeyStatement};
use mpc_node::wire::refusal::RefusalCode::*;
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
fn commitment_swap_after_reveal() {
    let cluster = TestCluster::new();
    // Round 4 opens with the proof; a later proof of another point cannot match the commitment of round 2.
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, _, message| {
        if round == 4 {
            // Its commitment field: swapped after the reveal.
            let (proof, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
            let mut swapped = proof;
            swapped.commitment[0] ^= 1;
            *message = [postcard::to_allocvec(&swapped).unwrap(), rest.to_vec()].concat();
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

#[test]
fn commitment_swap_after_reveal_of_a_chain_code() {
    let cluster = TestCluster::new();
    let verdicts = generate_with(&cluster, Curve::Secp256k1, |round, _, message| {
        if round == 4 {
            let (_, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
            // After the proof: the sender's index, then the chain code.
            let offset = message.len() - rest.len() + 1;
            message[offset] ^= 1;
        }
    });
    no_key(&cluster, Curve::Secp256k1, &verdicts);
}

/// What node 3 hears in a session, for it to repeat: node 1's envelope cannot be read by another node, so the test
/// lets two rogues conspire, and node 2 must notice. `copy` makes node 3's message of node 1's of the same round.
fn copying(cluster: &TestCluster, operation: Operation, copy: fn(u8, &mut Vec<u8>, &[u8])) -> String {
    let heard = RefCell::new(vec![]);
    let listen = |_: u8, _: u8, message: &mut Vec<u8>| *heard.borrow_mut() = message.clone();
    let repeat = |round: u8, _: u8, message: &mut Vec<u8>| copy(round, message, &heard.borrow());
    let (index, mut participant) = Rogue::boxed(cluster, 1, None, listen);
    let second = Rogue::boxed(cluster, 3, None, repeat);
    let mut drive = Drive::opened(cluster, cluster.command(operation), Some(second));
    // Node 1 is replaced by the rogue that is listened to; it answers the same command first.
    let ResponseBody::Opened(hello) = participant.handle(cluster.signed(&drive.command)) else { unreachable!() };
    drive.participants.insert(index, participant);
    drive.answers.insert(index, ResponseBody::Opened(hello));
    drive.start();
    let verdict = drive.verdicts().remove(&2).unwrap();
    assert_refused(&verdict, SessionAborted);
    let ResponseBody::Refused(refusal) = &verdict else { unreachable!() };
    refusal.detail.clone()
}

/// The chain code is what its commitments add up to: with a copy of another's a node would cancel it.
#[test]
fn chaincode_copy() {
    let cluster = TestCluster::new();
    let detail = copying(&cluster, generation(WALLET, Curve::Secp256k1), |round, message, heard| {
        if round == 2 {
            message[32..64].copy_from_slice(&heard[32..64]);
        }
    });
    assert!(detail.contains("same commitment"), "{detail}");
}

type Proof = dkls23::protocols::dkg::ProofCommitment<k256::Secp256k1>;

/// The commitment, and then the proof itself under its own index. With t = n any points lie on one polynomial, so that
/// nothing but the equal commitment shows.
fn copy_proof(round: u8, message: &mut Vec<u8>, heard: &[u8]) {
    if round == 2 {
        message[..32].copy_from_slice(&heard[..32]);
    }
    // Unless the one who is copied has ended the session itself.
    if let (4, Ok((mut proof, _))) = (round, postcard::take_from_bytes::<Proof>(heard)) {
        let (own, rest): (Proof, _) = postcard::take_from_bytes(message).unwrap();
        proof.index = own.index;
        *message = [postcard::to_allocvec(&proof).unwrap(), rest.to_vec()].concat();
    }
}

#[test]
fn proof_copy_t_eq_n() {
    for threshold in [3, 2] {
        let cluster = TestCluster::with_threshold(threshold);
        for curve in CURVES {
            let (wallet_id, nodes) = (WALLET, vec![1, 2, 3]);
            let operation = Operation::GenerateKey { wallet_id, curve, threshold, nodes };
            let copy = match curve {
                Curve::Secp256k1 => copy_proof,
                Curve::Ed25519 => |round: u8, message: &mut Vec<u8>, heard: &[u8]| {
                    if round == 1 {
                        *message = heard.to_vec();
                    }
                },
            };
            let detail = copying(&cluster, operation, copy);
            assert!(detail.contains("same commitment"), "{detail}");
            assert_eq!(cluster.key_state(2, curve), ResponseBody::KeyState(KeyState::Absent));
        }
    }
}

/// One session whose nodes are told two names of a wallet, and a key whose nodes confirm it under another name.
#[test]
fn dkg_two_wallet_names() {
    const OTHER: Id = [0xbb; 16];
    let cluster = TestCluster::new();
    for curve in CURVES {
        let command = cluster.command(generation(WALLET, curve));
        let other = Command { operation: generation(OTHER, curve), ..command.clone() };
        let hello = |node, command| match cluster.ask(node, cluster.signed(command)) {
            ResponseBody::Opened(hello) => hello,
            answer => panic!("{answer:?}"),
        };
        let hellos = vec![hello(1, &command), hello(2, &other), hello(3, &command)];
        for node in 1..=3 {
            let start = RequestBody::Start { command_id: command.command_id, hellos: hellos.clone() };
            assert_refused(&cluster.ask(node, start), Unauthorized);
        }
    }
    let good = cluster.generate(WALLET, Curve::Ed25519);
    let statement = KeyStatement { wallet_id: OTHER, ..good[0].statement.clone() };
    let unsigned: Vec<_> = good.iter().map(|c| Confirmation { statement: statement.clone(), ..c.clone() }).collect();
    assert_refused(&cluster.commit(1, &unsigned), Unauthorized);
    let identity = |index| cluster.identity(index);
    let signed: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
    assert_refused(&cluster.commit(1, &signed), UnknownWallet);
    for curve in CURVES {
        let state = cluster.ask(1, RequestBody::KeyState { wallet_id: OTHER, curve });
        assert_eq!(state, ResponseBody::KeyState(KeyState::Absent));
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
fn degree_raise() {
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
