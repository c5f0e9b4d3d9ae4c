//! Goal: a key becomes real on all nodes or can still become so, whoever crashes when; and only by all nodes' word.
//! Method: stop between the steps, restart, forge confirmations.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::command::Operation;
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::sync::Barrier;

fn commit(cluster: &TestCluster, index: u8, confirmations: &[Confirmation]) -> ResponseBody {
    cluster.ask(index, RequestBody::Commit { confirmations: confirmations.to_vec() })
}

fn raw_of(curve: Curve) -> mpc_node::wire::command::Operation {
    raw(curve, &[1, 2])
}

#[test]
fn a_prepared_share_does_not_sign_and_survives_a_restart() {
    for curve in CURVES {
        let mut cluster = TestCluster::new();
        let confirmations = cluster.generate(WALLET, curve);
        for restarted in [false, true] {
            if restarted {
                cluster.restart(1);
            }
            assert_eq!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Prepared));
            assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(raw_of(curve)))), UnknownWallet);
        }
        let committed = ResponseBody::Committed(confirmations[0].statement.clone());
        assert_eq!(commit(&cluster, 1, &confirmations), committed);
        assert_eq!(commit(&cluster, 1, &confirmations), committed, "a commit may be repeated");
        cluster.restart(1);
        assert_eq!(commit(&cluster, 1, &confirmations), committed, "also after a restart");
        // Node 2 was down; any committed node's word for word copy converges it.
        let ResponseBody::KeyState(KeyState::Committed(copy)) = cluster.key_state(1, curve) else { panic!() };
        assert_eq!(cluster.key_state(2, curve), ResponseBody::KeyState(KeyState::Prepared));
        cluster.restart(2);
        assert_eq!(commit(&cluster, 2, &copy), committed);
        Drive::honest(&cluster, raw_of(curve)).finish();
    }
}

#[test]
fn forged_or_differing_confirmations_commit_nothing() {
    let cluster = TestCluster::new();
    let curve = Curve::Ed25519;
    let good = cluster.generate(WALLET, curve);
    let identity = |index| cluster.identity(index);
    let mut forged = good.clone();
    forged[2].signature[0] ^= 1;
    assert_refused(&commit(&cluster, 1, &forged), Unauthorized);
    // Node 3 genuinely confirms another key.
    let mut differing = good.clone();
    let mut statement = good[2].statement.clone();
    statement.transcript[0] ^= 1;
    differing[2] = Confirmation::sign(&identity(3), 3, statement.clone());
    assert_refused(&commit(&cluster, 1, &differing), Unauthorized);
    // Even all of them, if it is not what was prepared here: our own signature would have to lie.
    let all: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
    assert_refused(&commit(&cluster, 1, &all), Unauthorized);
    // One node's confirmation under three names; too few; out of order; none.
    let copied: Vec<_> = (1..=3).map(|node| Confirmation { node, ..good[0].clone() }).collect();
    assert_refused(&commit(&cluster, 1, &copied), Unauthorized);
    let reversed: Vec<_> = good.iter().rev().cloned().collect();
    for wrong in [&good[..2], &reversed[..], &[]] {
        assert_refused(&commit(&cluster, 1, wrong), InvalidRequest);
    }
    assert_eq!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Prepared));
    assert!(matches!(commit(&cluster, 1, &good), ResponseBody::Committed(_)));
}

#[test]
fn confirmations_of_another_cluster_or_session_commit_nothing() {
    let (cluster, other) = (TestCluster::new(), TestCluster::new());
    let foreign = other.generate(WALLET, Curve::Ed25519);
    assert_refused(&commit(&cluster, 1, &foreign), RosterMismatch);
    let identity = |index| cluster.identity(index);
    let ours = cluster.generate(WALLET, Curve::Ed25519);
    let mut statement = ours[0].statement.clone();
    statement.session_id[0] ^= 1;
    let all: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
    assert_refused(&commit(&cluster, 1, &all), UnknownWallet);
}

/// A coordinator that lost an answer asks again while the first request is at work: each gets the same answer.
#[test]
fn commits_that_come_at_once_are_all_answered() {
    const AT_ONCE: usize = 8;
    let cluster = TestCluster::new();
    for _ in 0..4 {
        let confirmations = cluster.generate(id(), Curve::Ed25519);
        let committed = ResponseBody::Committed(confirmations[0].statement.clone());
        let together = Barrier::new(AT_ONCE);
        let ask = || {
            together.wait();
            assert_eq!(commit(&cluster, 1, &confirmations), committed);
        };
        std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(ask))));
    }
}

/// A generation that failed at one node leaves prepared shares at others; a second one goes through.
#[test]
fn a_generation_lost_half_way_can_be_repeated() {
    for curve in CURVES {
        let mut cluster = TestCluster::new();
        let mut drive = Drive::honest(&cluster, generation(WALLET, curve));
        drive.step_until(last_round(curve) - 1);
        // Node 3 never gets the last round.
        drive.step_with(|mail| drop(mail.remove(&3)));
        assert_refused(&drive.answers[&3], SessionAborted);
        drop(drive);
        assert_eq!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Prepared));
        assert_eq!(cluster.key_state(3, curve), ResponseBody::KeyState(KeyState::Absent));
        cluster.restart(3);
        cluster.generate_and_commit(WALLET, curve);
        Drive::honest(&cluster, raw(curve, &[1, 3])).finish();
        let names: Vec<_> = std::fs::read_dir(cluster.node_directory(1).join("shares"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert!(names.iter().all(|name| !name.ends_with(".prepared")), "the lost one is gone: {names:?}");
    }
}

/// Whatever it finds, as an orchestrator that knows nothing of before: a committed node's confirmations go to all, and
/// if there is none the key is generated again.
fn converge(cluster: &TestCluster, wallet_id: Id, curve: Curve) {
    let state = |index| match cluster.ask(index, RequestBody::KeyState { wallet_id, curve }) {
        ResponseBody::KeyState(state) => state,
        other => panic!("{other:?}"),
    };
    let committed = (1..=3).find_map(|index| match state(index) {
        KeyState::Committed(confirmations) => Some(confirmations),
        _ => None,
    });
    let confirmations = committed.unwrap_or_else(|| cluster.generate(wallet_id, curve));
    for index in 1..=3 {
        let stated = ResponseBody::Committed(confirmations[0].statement.clone());
        assert_eq!(commit(cluster, index, &confirmations), stated);
        assert_eq!(state(index), KeyState::Committed(confirmations.clone()));
        let orphans = std::fs::read_dir(cluster.node_directory(index).join("shares")).unwrap();
        let orphans = orphans.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let of_key = |name: &String| name.starts_with(&hex::encode(wallet_id)) && !name.ends_with(".committed");
        let data_key = format!("{}.key", hex::encode(confirmations[0].statement.session_id));
        let orphans: Vec<_> = orphans.filter(of_key).collect();
        assert!(matches!(&orphans[..], [only] if only.ends_with(&data_key)), "{orphans:?}");
    }
    for signers in QUORUMS {
        let mut operation = raw(curve, &signers);
        let Operation::Sign { wallet_id: of, .. } = &mut operation else { unreachable!() };
        *of = wallet_id;
        Drive::honest(cluster, operation).finish();
    }
}

/// Each node is stopped after each step: opened, each round, and each commit, its own or another's.
#[test]
fn dkg_crash_each_step_each_node_ed25519() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::new();
    for crashed in 1..=3 {
        for step in 0..=last_round(curve) + 3 {
            let wallet_id = id();
            let mut drive = Drive::opened(&cluster, cluster.command(generation(wallet_id, curve)), None);
            if step > 0 {
                drive.start();
                drive.step_until(step.min(last_round(curve)));
            }
            if let Some(commits) = step.checked_sub(last_round(curve)) {
                let confirmations: Vec<_> = drive.finish().into_iter().map(confirmation).collect();
                // The crashed one is the last of them.
                for index in [crashed % 3 + 1, (crashed + 1) % 3 + 1, crashed].into_iter().take(commits.into()) {
                    assert!(matches!(commit(&cluster, index, &confirmations), ResponseBody::Committed(_)));
                }
            } else {
                drop(drive);
            }
            cluster.restart(crashed);
            converge(&cluster, wallet_id, curve);
        }
    }
}

/// A generation takes a second here, so one dead session serves the crashes of all three nodes after a step, one after
/// the other, and the key is generated again once: what each crash leaves is that the wallet can be.
#[test]
fn dkg_crash_each_step_each_node_secp256k1() {
    let curve = Curve::Secp256k1;
    let mut cluster = TestCluster::new();
    for step in 0..last_round(curve) {
        let command_id = Drive::left_at(&cluster, cluster.command(generation(WALLET, curve)), step);
        for crashed in 1..=3 {
            cluster.restart(crashed);
            let next = RequestBody::Continue { command_id, round: step + 1, inbound: vec![] };
            assert_refused(&cluster.ask(crashed, next), UnknownSession);
            assert_eq!(cluster.key_state(crashed, curve), ResponseBody::KeyState(KeyState::Absent));
            let again = Drive::opened(&cluster, cluster.command(generation(WALLET, curve)), None);
            assert_eq!(again.hellos().len(), 3, "no orphan bars the wallet");
        }
    }
    let confirmations = cluster.generate(WALLET, curve);
    for committed in 0..=3 {
        for crashed in 1..=3 {
            cluster.restart(crashed);
            let is_committed = cluster.key_state(crashed, curve) != ResponseBody::KeyState(KeyState::Prepared);
            assert_eq!(is_committed, crashed <= committed);
        }
        if committed == 0 {
            // Were the confirmations lost now, the key would be generated again.
            let again = Drive::opened(&cluster, cluster.command(generation(WALLET, curve)), None);
            assert_eq!(again.hellos().len(), 3, "no orphan bars the wallet");
        }
        if committed < 3 {
            assert!(matches!(commit(&cluster, committed + 1, &confirmations), ResponseBody::Committed(_)));
        }
    }
    converge(&cluster, WALLET, curve);
}

fn confirmation(outcome: Outcome) -> Confirmation {
    match outcome {
        Outcome::Key(confirmation) => confirmation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn eight_prepared_shares_are_kept() {
    let cluster = TestCluster::new();
    let all: Vec<_> = (0..10).map(|_| cluster.generate(WALLET, Curve::Ed25519)).collect();
    let prepared = std::fs::read_dir(cluster.node_directory(1).join("shares")).unwrap();
    let prepared =
        prepared.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".prepared"));
    assert_eq!(prepared.count(), 8);
    assert_refused(&commit(&cluster, 1, &all[0]), UnknownWallet);
    assert!(matches!(commit(&cluster, 1, &all[9]), ResponseBody::Committed(_)));
    assert_refused(&commit(&cluster, 1, &all[8]), WalletExists);
}

#[test]
fn a_prepared_share_that_is_gone_already_makes_room_for_the_next() {
    let cluster = TestCluster::new();
    for _ in 0..8 {
        cluster.generate(WALLET, Curve::Ed25519);
    }
    for entry in std::fs::read_dir(cluster.node_directory(1).join("shares")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "prepared") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let ninth = cluster.generate(WALLET, Curve::Ed25519);
    assert!(matches!(commit(&cluster, 1, &ninth), ResponseBody::Committed(_)));
}
