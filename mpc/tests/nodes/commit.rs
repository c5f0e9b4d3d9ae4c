//! Goal: a key becomes real on all nodes or can still become so, whoever crashes when; and only by all nodes' word.
//! Method: stop between the steps, restart, forge confirmations.

use crate::drive::Drive;
use crate::fixture::*;
use mpc_node::key_statement::Confirmation;
use mpc_node::refusal::RefusalCode::*;
use mpc_node::wire::*;

fn commit(cluster: &TestCluster, index: u8, confirmations: &[Confirmation]) -> ResponseBody {
    cluster.ask(index, RequestBody::Commit { confirmations: confirmations.to_vec() })
}

fn raw_of(curve: Curve) -> mpc_node::command::Operation {
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
    let identity = |index| mpc_node::enrol::read_identity(&cluster.node_directory(index)).unwrap();
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
    let identity = |index| mpc_node::enrol::read_identity(&cluster.node_directory(index)).unwrap();
    let ours = cluster.generate(WALLET, Curve::Ed25519);
    let mut statement = ours[0].statement.clone();
    statement.session_id[0] ^= 1;
    let all: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
    assert_refused(&commit(&cluster, 1, &all), UnknownWallet);
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

/// Stop each node at each step of a generation, restart it, and generate again: no orphan blocks the wallet.
#[test]
fn a_crash_at_any_step_of_any_node_converges() {
    let curve = Curve::Ed25519;
    for crashed in 1..=3 {
        for step in 1..last_round(curve) {
            let mut cluster = TestCluster::new();
            let mut drive = Drive::honest(&cluster, generation(WALLET, curve));
            drive.step_until(step);
            drop(drive);
            cluster.restart(crashed);
            cluster.generate_and_commit(WALLET, curve);
            QUORUMS.iter().for_each(|signers| drop(Drive::honest(&cluster, raw(curve, signers)).finish()));
        }
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
