//! Goal: `kill -9` at any moment of any session loses that session and nothing else: all converges, the key signs, and
//! no nonce serves twice. Method: node 1 is a process; it is killed after each round's answer, and while the answer is
//! being made.

use super::child::Child;
use super::session::secret;
use crate::keys::refresh::{committed_path, data_key_path, name_of};
use crate::signing::verify;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::command::{Command, Operation};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeSet;
use std::time::Duration;

/// When node 1 dies: with its answer out, or so long after it was asked for.
#[derive(Clone, Copy)]
enum When {
    Answered,
    AtWork(Duration),
}

const WHEN: [When; 3] =
    [When::Answered, When::AtWork(Duration::from_micros(300)), When::AtWork(Duration::from_millis(4))];

/// The session up to `round`, and then no more of node 1. Round 0 is the open command.
fn killed_at(cluster: &TestCluster, child: Child, command: &Command, round: u8, when: When) {
    let mut drive = Drive::opened(cluster, command.clone(), Some((1, Box::new(&child))));
    if round > 0 {
        drive.start();
        drive.step_until(round);
    }
    let command_id = command.command_id;
    let next = match round {
        0 => RequestBody::Start { command_id, hellos: drive.hellos() },
        _ => {
            let inbound = drive.mail().remove(&1).unwrap_or_default();
            RequestBody::Continue { command_id, round: round + 1, inbound }
        }
    };
    drop(drive);
    match when {
        When::Answered => child.kill(),
        When::AtWork(after) => child.kill_at_work(next, after),
    }
}

fn with_child() -> (TestCluster, Child) {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let child = Child::serve(&cluster, 1);
    (cluster, child)
}

/// The part of a signature that its nonce makes.
fn nonce_point(outcome: &Outcome) -> [u8; 32] {
    match outcome {
        Outcome::Signature { bytes, .. } => bytes[..32].try_into().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn attempt(operation: &Operation, number: u32) -> Operation {
    let mut again = operation.clone();
    let Operation::Sign { attempt, .. } = &mut again else { unreachable!() };
    *attempt = number;
    again
}

#[test]
fn a_signing_is_tried_again_with_other_nonces() {
    for (curve, rounds) in [(Curve::Secp256k1, 4), (Curve::Ed25519, 3)] {
        let (cluster, mut child) = with_child();
        let key = cluster.held(2, curve).0[0].statement.public_key.clone();
        let operation = raw(curve, &[1, 2]);
        let (mut number, mut seen) = (0, BTreeSet::new());
        for round in 0..=rounds {
            for when in WHEN {
                number += 1;
                let command = cluster.command(attempt(&operation, number));
                killed_at(&cluster, child, &command, round, when);
                child = Child::serve(&cluster, 1);
                // The result of before, if there was one, went with the memory; the command is used up from round 1 on.
                if round > 0 {
                    assert_refused(&child.ask(cluster.signed(&command)), CommandUsed);
                }
                number += 1;
                let command = cluster.command(attempt(&operation, number));
                let mut drive = Drive::opened(&cluster, command.clone(), Some((1, Box::new(&child))));
                drive.start();
                let outcomes = drive.finish();
                verify(curve, &key, [7; 32], &outcomes);
                assert!(seen.insert(nonce_point(&outcomes[0])), "a nonce was used twice");
                // Asked again, the finished one answers the same signature.
                assert_eq!(child.ask(cluster.signed(&command)), ResponseBody::Finished(outcomes[0].clone()));
            }
        }
    }
}

#[test]
fn a_generation_is_tried_again() {
    for curve in CURVES {
        // On secp256k1 where node 1 is about to write, or has written.
        let rounds =
            if curve == Curve::Ed25519 { 0..=last_round(curve) } else { last_round(curve) - 1..=last_round(curve) };
        for round in rounds {
            for when in WHEN.iter().take(if curve == Curve::Ed25519 { 3 } else { 1 }) {
                let mut cluster = TestCluster::new();
                cluster.stop(1);
                let child = Child::serve(&cluster, 1);
                killed_at(&cluster, child, &cluster.command(generation(WALLET, curve)), round, *when);
                cluster.restart(1);
                cluster.generate_and_commit(WALLET, curve);
                cluster.every_quorum_signs(curve);
            }
        }
    }
}

#[test]
fn a_refresh_converges() {
    let ed25519 = (0..=last_round(Curve::Ed25519)).flat_map(|round| WHEN.map(|when| (Curve::Ed25519, round, when)));
    let secp256k1 = [(Curve::Secp256k1, last_round(Curve::Secp256k1) - 1, WHEN[2]), (Curve::Secp256k1, 6, WHEN[0])];
    for (curve, round, when) in ed25519.chain(secp256k1) {
        let (mut cluster, child) = with_child();
        killed_at(&cluster, child, &cluster.command(refreshing(curve, 1)), round, when);
        cluster.restart(1);
        // Only what all have prepared can be the key.
        let converged = cluster.converge(curve);
        assert!(converged == 0 || round >= last_round(curve) - 1, "after round {round}");
        assert!(converged == 1 || round < last_round(curve), "after round {round}");
        cluster.every_quorum_signs(curve);
        if curve == Curve::Ed25519 {
            cluster.refresh_and_commit(curve, converged + 1);
            cluster.every_quorum_signs(curve);
        }
    }
}

#[test]
fn a_commit_is_old_or_new() {
    for curve in CURVES {
        let mut refreshed = TestCluster::with_keys();
        let all = refreshed.refresh(curve, 1);
        for micros in [0, 200, 500, 1000, 2000, 4000] {
            let mut cluster = refreshed.copied();
            cluster.stop(1);
            let child = Child::serve(&cluster, 1);
            child.kill_at_work(RequestBody::Commit { confirmations: all.clone() }, Duration::from_micros(micros));
            cluster.restart(1);
            let (committed, prepared, signs) = cluster.held(1, curve);
            assert!(signs);
            assert_eq!(prepared.is_empty(), committed[0].statement.epoch == 1, "one of both");
            assert_eq!(cluster.converge(curve), 1);
            cluster.every_quorum_signs(curve);
            let left = std::fs::read_dir(cluster.node_directory(1).join("shares")).unwrap();
            let names = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let of_curve: BTreeSet<_> = names.filter(|name| name.contains(name_of(curve))).collect();
            let present = [committed_path(&cluster, 1, curve), data_key_path(&cluster, 1, curve)];
            let present = present.map(|path| path.file_name().unwrap().to_str().unwrap().to_string());
            assert_eq!(of_curve, present.into(), "nothing else holds a share");
        }
    }
}

/// As helper and as target: the target has the very share, or none, and the command works again.
#[test]
fn a_repair_is_tried_again() {
    for curve in CURVES {
        let when = if curve == Curve::Ed25519 { &WHEN[..] } else { &WHEN[..1] };
        for (target, round, when) in [1, 3]
            .iter()
            .flat_map(|target| (0..=3).flat_map(move |round| when.iter().map(move |when| (*target, round, *when))))
        {
            let mut cluster = TestCluster::with_keys();
            let lost = secret(&cluster, target, curve);
            let command = cluster.command(cluster.repairing(curve, target));
            cluster.stop(target);
            std::fs::remove_file(committed_path(&cluster, target, curve)).unwrap();
            if target != 1 {
                cluster.restart(target);
                cluster.stop(1);
            }
            let child = Child::serve(&cluster, 1);
            killed_at(&cluster, child, &command, round, when);
            (1..=3).for_each(|index| cluster.restart(index));
            Drive::with(&cluster, command, None).finish();
            assert_eq!(secret(&cluster, target, curve), lost);
            if curve == Curve::Ed25519 && round == 3 {
                cluster.refresh_and_commit(curve, 1);
                cluster.every_quorum_signs(curve);
            }
        }
    }
}
