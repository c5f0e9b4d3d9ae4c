//! Goal: nothing is revealed (proof, seed, share) until each node knows that the others heard what it heard. Method: a
//! rogue node 3 tells node 2 other things than node 1, or lies about what it heard; every envelope that leaves the
//! honest nodes is counted and measured. An honest run first, which shows what would have left.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::{Rogue, Tamper};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;

/// A SHA-256 and the tag of its envelope.
const SEALED_ECHO: usize = 32 + 16;

fn echo_round(curve: Curve) -> u8 {
    match curve {
        Curve::Secp256k1 => 3,
        Curve::Ed25519 => 2,
    }
}

/// What the honest nodes did in each round.
#[derive(Default)]
struct Seen {
    /// The lengths of all envelopes that left nodes 1 and 2.
    left: BTreeMap<u8, Vec<usize>>,
    answers: BTreeMap<u8, [ResponseBody; 2]>,
}

fn watch(cluster: &TestCluster, curve: Curve, tamper: Tamper) -> Seen {
    let rogue = Rogue::boxed(cluster, 3, None, tamper);
    let mut drive = Drive::with(cluster, cluster.command(generation(WALLET, curve)), Some(rogue));
    let mut seen = Seen::default();
    loop {
        let answers = [1, 2].map(|index| drive.answers[&index].clone());
        let lengths = answers.iter().flat_map(|answer| match answer {
            ResponseBody::Round { outbound, .. } => outbound.iter().map(|envelope| envelope.sealed.len()).collect(),
            _ => vec![],
        });
        seen.left.insert(drive.round, lengths.collect());
        seen.answers.insert(drive.round, answers);
        // To the last round even when the session is dead: whoever asks again must not get it either.
        if drive.round == last_round(curve) {
            return seen;
        }
        drive.step();
    }
}

#[track_caller]
fn nothing_revealed(cluster: &TestCluster, curve: Curve, seen: &Seen, blamed: [u8; 2]) {
    let echo = echo_round(curve);
    assert_eq!(seen.left[&echo], [SEALED_ECHO; 4], "the echo, and nothing with it");
    for round in echo + 1..=last_round(curve) {
        assert_eq!(seen.left[&round], [0usize; 0], "round {round}");
    }
    for (answer, blamed) in seen.answers[&(echo + 1)].iter().zip(blamed) {
        assert_refused(answer, SessionAborted);
        let ResponseBody::Refused(refusal) = answer else { unreachable!() };
        assert!(refusal.detail.contains("different broadcasts"), "{}", refusal.detail);
        assert_eq!(refusal.peer, Some(blamed));
    }
    for index in [1, 2] {
        assert_eq!(cluster.key_state(index, curve), ResponseBody::KeyState(KeyState::Absent));
    }
}

#[test]
fn the_echo_has_a_round_of_its_own_before_the_reveal() {
    for curve in CURVES {
        let cluster = TestCluster::new();
        let seen = watch(&cluster, curve, Box::new(|_, _, _| {}));
        let echo = echo_round(curve);
        assert_eq!(seen.left[&echo], [SEALED_ECHO; 4]);
        let revealed = &seen.left[&(echo + 1)];
        assert!(revealed.len() == 4 && revealed.iter().all(|length| *length > SEALED_ECHO), "{revealed:?}");
        for answer in &seen.answers[&last_round(curve)] {
            assert!(matches!(answer, ResponseBody::Round { outcome: Some(Outcome::Key(_)), .. }));
        }
    }
}

/// The rogue broadcasts another thing to node 2 than to node 1.
#[track_caller]
fn different_broadcasts_reveal_nothing(curve: Curve, at: u8, change: impl Fn(&mut Vec<u8>)) {
    let cluster = TestCluster::new();
    let tamper = |round: u8, peer: u8, message: &mut Vec<u8>| {
        if round == at && peer == 2 {
            change(message);
        }
    };
    let seen = watch(&cluster, curve, Box::new(tamper));
    // Each stops at the other honest node's echo: the rogue's own, whatever it says, does not help it.
    nothing_revealed(&cluster, curve, &seen, [2, 1]);
}

#[test]
fn frost_dkg_equivocation() {
    // Another genuine package.
    let other = frost_ed25519::keys::dkg::part1(3u16.try_into().unwrap(), 3, 2, rand_core::OsRng).unwrap().1;
    let other = other.serialize().unwrap();
    different_broadcasts_reveal_nothing(Curve::Ed25519, 1, |message| *message = other.clone());
}

#[test]
fn dkls_dkg_equivocation() {
    // Byte 0: the commitment to the proof. Byte 32: the commitment to the chain code.
    for offset in [0, 32] {
        different_broadcasts_reveal_nothing(Curve::Secp256k1, 2, |message| message[offset] ^= 1);
    }
}

#[test]
fn a_false_echo_reveals_nothing() {
    let lies: [fn(&mut Vec<u8>); 4] =
        [|echo| *echo.last_mut().unwrap() ^= 1, |echo| echo.push(0), |echo| echo.truncate(31), |echo| echo.clear()];
    for curve in CURVES {
        for lie in lies {
            let cluster = TestCluster::new();
            let tamper = |round: u8, _: u8, message: &mut Vec<u8>| {
                if round == echo_round(curve) {
                    lie(message);
                }
            };
            let seen = watch(&cluster, curve, Box::new(tamper));
            nothing_revealed(&cluster, curve, &seen, [3, 3]);
        }
    }
}
