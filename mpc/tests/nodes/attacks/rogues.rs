//! Goal: whatever one node says, in whichever round, the honest ones end the session or come to the right result, say
//! whose message it was, and go on. Method: a rogue with a genuine identity and share, one of whose messages is changed
//! before it is sealed; every operation, curve, round and hand.

use super::hands::{Hand, Said, HANDS};
use super::session::*;
use crate::hostile::Random;
use crate::support::drive::{Drive, Participant};
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use dkls23::protocols::signing::{TransmitPhase1to2, TransmitPhase2to3};
use k256::Secp256k1;
use mpc_node::keys::canonical::{from_bytes, to_bytes};
use mpc_node::limits::{GENERATE_ENVELOPE_BYTES, SIGN_ENVELOPE_BYTES};
use mpc_node::wire::command::Operation;
use mpc_node::wire::refusal::Refusal;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

type Verdicts = BTreeMap<u8, ResponseBody>;

/// What does not tell whose doing it is, and why.
const ANONYMOUS: [&str; 6] = [
    // An envelope is missing or there twice: the relay can do that, too.
    "The envelopes are not those of every other participant",
    // A hash that differs: who sends it lies, or another told the two different things. The peer is whose hash it is.
    "The nodes saw different broadcasts.",
    "The key confirmation differs.",
    "The helpers hold different shares.",
    // Points that lie on no one line: one is off, and each could be it.
    "The new shares do not fit the key.",
    // Parts of a share that only together are wrong.
    "The repaired share does not fit the key.",
];

fn rogue<'a>(
    scene: &'a Scene,
    index: u8,
    operation: &Operation,
    tamper: impl FnMut(u8, u8, &mut Vec<u8>) + 'a,
) -> (u8, Box<dyn Participant + 'a>) {
    match scene.act {
        Act::Repair if index == TARGET => Rogue::boxed_lying_target(&scene.cluster, index, operation, tamper),
        Act::Generate => Rogue::boxed(&scene.cluster, index, None, tamper),
        Act::Sign | Act::Refresh | Act::Repair => Rogue::boxed(&scene.cluster, index, Some(scene.curve), tamper),
    }
}

/// The participants besides the rogue. Two sign.
fn honest(scene: &Scene, index: u8) -> Vec<u8> {
    let others = (1..=3).filter(|other| *other != index);
    if scene.act == Act::Sign {
        others.take(1).collect()
    } else {
        others.collect()
    }
}

fn operation(scene: &Scene, index: u8) -> Operation {
    let mut signers = honest(scene, index);
    signers.push(index);
    signers.sort_unstable();
    scene.operation(&signers)
}

/// What it says in a session in which it lies about nothing.
fn overheard(act: Act, curve: Curve, index: u8) -> Said {
    let (scene, said) = (Scene::new(act, curve), RefCell::new(Said::new()));
    let operation = operation(&scene, index);
    let listen = |round, peer, message: &mut Vec<u8>| drop(said.borrow_mut().insert((round, peer), message.clone()));
    let drive = Drive::with(
        &scene.cluster,
        scene.cluster.command(operation.clone()),
        Some(rogue(&scene, index, &operation, listen)),
    );
    let verdicts = drive.verdicts();
    scene.check(&operation, &honest(&scene, index), &verdicts);
    assert!(verdicts.values().all(|verdict| refused(verdict).is_none()), "the rogue itself works: {verdicts:?}");
    said.into_inner()
}

fn lie(scene: &Scene, index: u8, round: u8, hand: Hand, earlier: &Said, random: &mut Random) -> (Operation, Verdicts) {
    let mut said = Said::new();
    let operation = operation(scene, index);
    let cap = if scene.act == Act::Sign { SIGN_ENVELOPE_BYTES } else { GENERATE_ENVELOPE_BYTES };
    let tamper = |at, peer, message: &mut Vec<u8>| {
        said.insert((at, peer), message.clone());
        if at == round {
            hand.touch((round, peer), message, cap, &said, earlier, random);
        }
    };
    let liar = rogue(scene, index, &operation, tamper);
    let drive = Drive::with(&scene.cluster, scene.cluster.command(operation.clone()), Some(liar));
    let verdicts = drive.verdicts_with(|at, mail| {
        if at == round {
            hand.touch_mail(index, mail);
        }
    });
    (operation, verdicts)
}

/// Who refuses because of the rogue says so. Bans are for the messages of oblivious transfer alone.
#[track_caller]
fn check_blame(scene: &Scene, index: u8, round: u8, refusal: &Refusal) {
    if refusal.code == Banned {
        assert_eq!((scene.act, scene.curve, refusal.peer), (Act::Sign, Curve::Secp256k1, Some(index)));
        assert!(round <= 2, "round {round} has nothing of it");
    }
    // DKLs23's points of round 1 have nothing that would hold their sender to them.
    let point = scene.act.is_slow(scene.curve) && round == 1 && refusal.detail.ends_with("failed.");
    if !point && !ANONYMOUS.iter().any(|detail| refusal.detail.starts_with(detail)) {
        assert_eq!(refusal.peer, Some(index), "{}", refusal.detail);
    }
}

/// Every cell, with the rogue at each of the places.
fn every_cell(act: Act, curve: Curve, places: &[u8]) {
    let (mut scene, mut random) = (Scene::new(act, curve), Random(0x5eed_000b));
    let earlier: BTreeMap<u8, Said> = places.iter().map(|index| (*index, overheard(act, curve, *index))).collect();
    let cells = places.iter().flat_map(|index| {
        let rounds = 1..=act.rounds(curve);
        rounds.flat_map(move |round| HANDS.iter().map(move |hand| (round, (*index, *hand))))
    });
    let (mut refusals, cells) = (0, cells.collect::<Vec<_>>());
    let of = cells.len();
    let tried = all_or_some(act.is_slow(curve), cells, |round, (index, hand)| {
        let (operation, verdicts) = lie(&scene, index, round, hand, &earlier[&index], &mut random);
        println!(
            "{act:?} {curve:?} node {index} round {round} {hand:?}: {:?}",
            verdicts.values().map(refused).collect::<Vec<_>>()
        );
        let honest = honest(&scene, index);
        for refusal in honest.iter().filter_map(|index| refused(&verdicts[index])) {
            check_blame(&scene, index, round, refusal);
            refusals += 1;
        }
        if !scene.check(&operation, &honest, &verdicts) {
            check_bans(&scene, index, &verdicts);
            scene = Scene::new(act, curve);
        }
        let all_but_rogue: Vec<u8> = (1..=3).filter(|other| *other != index).collect();
        scene.honest_still_sign(&all_but_rogue);
    });
    println!("{act:?} {curve:?}: {tried} of {of} cells, {refusals} refusals");
    assert!(refusals >= tried / 2, "{refusals} refusals in {tried} cells");
}

/// In force where it was answered, of the rogue alone, and the others go on with each other.
fn check_bans(scene: &Scene, rogue: u8, verdicts: &Verdicts) {
    for index in (1..=3).filter(|other| *other != rogue) {
        let bans = health(&scene.cluster, index).bans;
        let banned = verdicts.get(&index).and_then(refused).is_some_and(|refusal| refusal.code == Banned);
        assert_eq!(bans.iter().map(|ban| ban.peer).collect::<Vec<_>>(), vec![rogue; usize::from(banned)]);
    }
    if scene.act == Act::Sign {
        scene.honest_still_sign(&(1..=3).filter(|other| *other != rogue).collect::<Vec<_>>());
    }
}

#[test]
fn rogue_signers_of_ed25519() {
    every_cell(Act::Sign, Curve::Ed25519, &[1, 3]);
}

#[test]
fn rogue_signers_of_secp256k1() {
    every_cell(Act::Sign, Curve::Secp256k1, &[1, 3]);
}

#[test]
fn rogue_generators_of_ed25519() {
    every_cell(Act::Generate, Curve::Ed25519, &[1, 3]);
}

#[test]
fn rogue_generators_of_secp256k1() {
    every_cell(Act::Generate, Curve::Secp256k1, &[3]);
}

#[test]
fn rogue_refreshers_of_ed25519() {
    every_cell(Act::Refresh, Curve::Ed25519, &[1, 3]);
}

#[test]
fn rogue_refreshers_of_secp256k1() {
    every_cell(Act::Refresh, Curve::Secp256k1, &[3]);
}

#[test]
fn rogue_helpers_and_targets() {
    for curve in CURVES {
        every_cell(Act::Repair, curve, &[1, TARGET]);
    }
}

/// Messages that decode and have another shape: fewer rows, longer rows, none.
#[test]
fn misshapen_transfers_end_the_session() {
    type Shape = fn(&mut Vec<u8>);
    fn first(message: &mut Vec<u8>, shape: impl FnOnce(&mut TransmitPhase1to2)) {
        let mut decoded: TransmitPhase1to2 = from_bytes(message).unwrap();
        shape(&mut decoded);
        *message = to_bytes(&decoded).to_vec();
    }
    fn second(message: &mut Vec<u8>, shape: impl FnOnce(&mut TransmitPhase2to3<Secp256k1>)) {
        let mut decoded: TransmitPhase2to3<Secp256k1> = from_bytes(message).unwrap();
        shape(&mut decoded);
        *message = to_bytes(&decoded).to_vec();
    }
    let shapes: [(u8, Shape); 9] = [
        (1, |message| first(message, |m| m.mul_transmit.u.clear())),
        (1, |message| first(message, |m| m.mul_transmit.u.truncate(1))),
        (1, |message| first(message, |m| m.mul_transmit.u.push(m.mul_transmit.u[0]))),
        (1, |message| first(message, |m| m.mul_transmit.verify_t.clear())),
        (1, |message| first(message, |m| m.mul_transmit.verify_t.push(m.mul_transmit.verify_t[0]))),
        (2, |message| second(message, |m| m.mul_transmit.vector_of_tau.clear())),
        (2, |message| second(message, |m| m.mul_transmit.vector_of_tau.truncate(1))),
        (2, |message| second(message, |m| m.mul_transmit.vector_of_tau.iter_mut().for_each(|row| row.clear()))),
        (2, |message| second(message, |m| m.mul_transmit.vector_of_tau.iter_mut().for_each(|row| row.push(row[0])))),
    ];
    for (round, shape) in shapes {
        let scene = Scene::new(Act::Sign, Curve::Secp256k1);
        let operation = operation(&scene, 3);
        let liar = rogue(&scene, 3, &operation, |at, _, message| {
            if at == round {
                shape(message);
            }
        });
        let verdicts = Drive::with(&scene.cluster, scene.cluster.command(operation.clone()), Some(liar)).verdicts();
        let refusal = refused(&verdicts[&1]).expect("refused");
        check_blame(&scene, 3, round, refusal);
        scene.check(&operation, &[1], &verdicts);
        scene.honest_still_sign(&[1, 2]);
    }
}
