//! What nodes say to each other in a round, mutated before it is sealed: every round of generations, signatures,
//! refreshes and repairs, on both curves.

use super::{fuzz, mutate, not_internal, state};
use crate::hostile::Random;
use crate::keys::refresh::{committed_path, share};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::wire::command::Operation;
use mpc_node::wire::*;
use std::cell::RefCell;

/// Node `index` spoils what it says in round `victim`. An honest node that refuses is as it was before.
fn spoilt(cluster: &TestCluster, random: &mut Random, operation: &Operation, index: u8, victim: u8) {
    let random = RefCell::new(random);
    let spoil = |round: u8, _: u8, message: &mut Vec<u8>| {
        if round == victim {
            mutate(&mut random.borrow_mut(), message);
        }
    };
    let rogue = match operation {
        Operation::Repair { target, .. } if *target == index => {
            Rogue::target(cluster, index, operation).boxed_with(spoil)
        }
        Operation::GenerateKey { .. } => Rogue::boxed(cluster, index, None, spoil),
        _ => Rogue::boxed(cluster, index, Some(operation.curve()), spoil),
    };
    let honest: Vec<u8> = operation.participants().iter().copied().filter(|node| *node != index).collect();
    let before: Vec<_> = honest.iter().map(|node| state(cluster, *node)).collect();
    let verdicts = Drive::with(cluster, cluster.command(operation.clone()), Some(rogue)).verdicts();
    for (node, before) in honest.iter().zip(before) {
        let verdict = &verdicts[node];
        not_internal(verdict);
        match verdict {
            ResponseBody::Refused(refusal) if refusal.code == mpc_node::wire::refusal::RefusalCode::Banned => {}
            ResponseBody::Refused(_) => assert_eq!(state(cluster, *node), before, "node {node} in round {victim}"),
            _ => {}
        }
    }
}

#[test]
fn sign() {
    let mut cluster = TestCluster::with_keys();
    fuzz(100, |random, round| {
        let (curve, victim) = *random.pick(&[
            (Curve::Secp256k1, 1),
            (Curve::Secp256k1, 2),
            (Curve::Secp256k1, 3),
            (Curve::Ed25519, 1),
            (Curve::Ed25519, 2),
        ]);
        // A mutant of the OT messages may be what a cheat looks like: then the pair is at its end.
        let banned = match cluster.ask(1, RequestBody::Health) {
            ResponseBody::Health(health) => !health.bans.is_empty(),
            other => panic!("{other:?}"),
        };
        if banned {
            cluster = TestCluster::with_keys();
        }
        spoilt(&cluster, random, &signing_raw(curve, round), 3, victim);
    });
}

fn signing_raw(curve: Curve, round: u64) -> Operation {
    signing(curve, &[1, 3], &[round as u32], mpc_node::wire::command::Payload::KeyTest)
}

#[test]
fn generate_and_refresh_ed25519() {
    let cluster = TestCluster::with_keys();
    fuzz(60, |random, round| {
        let curve = Curve::Ed25519;
        let operation = if round % 2 == 0 { generation(id(), curve) } else { refreshing(curve, 1) };
        spoilt(&cluster, random, &operation, 3, 1 + (round / 2 % 4) as u8);
        // Where one of the two honest nodes went on, it has prepared: they are forgotten so that none is refused.
        for node in 1..=2 {
            let shares = std::fs::read_dir(cluster.node_directory(node).join("shares")).unwrap();
            let prepared =
                shares.map(|entry| entry.unwrap().path()).filter(|path| path.extension().unwrap() == "prepared");
            prepared.for_each(|path| std::fs::remove_file(path).unwrap());
        }
    });
}

/// Each round once: they are slow.
#[test]
fn generate_secp256k1() {
    let cluster = TestCluster::new();
    fuzz(5, |random, round| {
        spoilt(&cluster, random, &generation(id(), Curve::Secp256k1), 3, 1 + (round % 5) as u8);
    });
}

#[test]
fn refresh_secp256k1() {
    let cluster = TestCluster::with_keys();
    fuzz(5, |random, round| {
        spoilt(&cluster, random, &refreshing(Curve::Secp256k1, 1), 3, 1 + (round % 5) as u8);
    });
}

/// A helper that lies to the target and to the other helper, and a target that does not keep silent.
#[test]
fn repair() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let whole = share(&cluster, 3, curve);
        cluster.stop(3);
        std::fs::remove_file(committed_path(&cluster, 3, curve)).unwrap();
        cluster.restart(3);
        let operation = cluster.repairing(curve, 3);
        fuzz(24, |random, round| {
            let victim = 1 + (round / 2 % 2) as u8;
            spoilt(&cluster, random, &operation, if round % 2 == 0 { 1 } else { 3 }, victim);
            // A mutation that nobody has to see leaves the very share.
            let unrefreshed = committed_path(&cluster, 3, curve).with_extension("unrefreshed");
            if unrefreshed.exists() {
                let repaired = share(&cluster, 3, curve);
                assert!(repaired.material.public_key() == whole.material.public_key());
                cluster.stop(3);
                std::fs::remove_file(unrefreshed).unwrap();
                cluster.restart(3);
            }
        });
    }
}
