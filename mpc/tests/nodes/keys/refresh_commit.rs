//! Goal: whatever a coordinator sends to whom in a refresh, and whoever is lost, all nodes come to one new epoch.
//! Method: commit in every order; two refreshes at once; machines that go. Crashes: see `refresh_crashes`.

use crate::keys::refresh::{committed_path, share};
use crate::removed::{replace_node_3, start_replacement};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::key_statement::{Confirmation, KeyStatement};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::PathBuf;

/// The last round is lost at one node: nobody can commit, the old epoch signs, and another refresh goes through.
#[test]
fn a_refresh_lost_half_way_is_repeated() {
    for curve in CURVES {
        let cluster = TestCluster::with_keys();
        let mut drive = Drive::honest(&cluster, refreshing(curve, 1));
        drive.step_until(last_round(curve) - 1);
        drive.step_with(|mail| drop(mail.remove(&3)));
        assert_refused(&drive.answers[&3], SessionAborted);
        drop(drive);
        assert_eq!(cluster.converge(curve), 0);
        cluster.every_quorum_signs(curve);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
}

/// A coordinator prepares twice and commits the one here and the other there.
#[test]
fn of_two_confirmed_refreshes_the_same_one_wins_everywhere() {
    for curve in CURVES {
        let mut prepared = TestCluster::with_keys();
        let mut both = [prepared.refresh(curve, 1), prepared.refresh(curve, 1)];
        both.sort_by_key(|all| all[0].statement.session_id);
        for sent in [[0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 1]] {
            let cluster = the_same_one_wins(prepared.copied(), curve, &both, sent);
            // On secp256k1 a refresh takes a second: the last one does it.
            if curve == Curve::Ed25519 || sent == [0, 0, 1] {
                what_lost_is_over(&cluster, curve, &both[0]);
            }
        }
    }
}

type Both = [Vec<Confirmation>; 2];

fn the_same_one_wins(mut cluster: TestCluster, curve: Curve, both: &Both, sent: [usize; 3]) -> TestCluster {
    for (index, which) in (1..=3).zip(sent) {
        assert!(matches!(cluster.commit(index, &both[which]), ResponseBody::Committed(_)));
    }
    // Who has the winner does not let go of it; who has the other still holds what it takes to change over.
    cluster.restart(1);
    for (index, which) in (1..=3).zip(sent) {
        if which == 0 {
            assert_refused(&cluster.commit(index, &both[1]), WalletExists);
        }
    }
    assert_eq!(cluster.converge(curve), 1);
    for index in 1..=3 {
        assert_eq!(cluster.held(index, curve).0, both[0]);
    }
    cluster.every_quorum_signs(curve);
    cluster
}

fn what_lost_is_over(cluster: &TestCluster, curve: Curve, earlier: &[Confirmation]) {
    cluster.refresh_and_commit(curve, 2);
    // What might have won is of an epoch that is over.
    for index in 1..=3 {
        assert_refused(&cluster.commit(index, earlier), WalletExists);
        assert_eq!(prepared_files(cluster, index), [] as [PathBuf; 0]);
    }
    cluster.every_quorum_signs(curve);
}

#[test]
fn no_prepared_refresh_is_forgotten() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let first = cluster.refresh(curve, 1);
    (1..32).for_each(|_| drop(cluster.refresh(curve, 1)));
    for index in 1..=3 {
        assert_refused(&cluster.ask(index, cluster.signed(&cluster.command(refreshing(curve, 1)))), Busy);
    }
    assert_eq!(cluster.held(1, curve).1.len(), 32);
    assert!(matches!(cluster.commit(1, &first), ResponseBody::Committed(_)));
}

#[test]
fn confirmations_that_are_forged_or_of_another_key_replace_nothing() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let good = cluster.refresh(curve, 1);
    let identity = |index| cluster.identity(index);
    let mut forged = good.clone();
    forged[2].signature[0] ^= 1;
    assert_refused_by(&cluster.commit(1, &forged), Unauthorized, 3);
    assert_refused(&cluster.commit(1, &good[..2]), InvalidRequest);
    let signed = |change: fn(&mut KeyStatement)| {
        let mut statement = good[0].statement.clone();
        change(&mut statement);
        let all: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
        all
    };
    assert_refused(&cluster.commit(1, &signed(|s| s.public_key[1] ^= 1)), WalletExists);
    assert_refused(&cluster.commit(1, &signed(|s| s.chain_code[0] ^= 1)), WalletExists);
    assert_refused(&cluster.commit(1, &signed(|s| s.epoch = 2)), Unauthorized);
    assert_refused(&cluster.commit(1, &signed(|s| s.transcript[0] ^= 1)), Unauthorized);
    assert_refused(&cluster.commit(1, &signed(|s| s.session_id[0] ^= 1)), UnknownWallet);
    assert_eq!(cluster.epoch(1, curve), 0);
    cluster.every_quorum_signs(curve);
    assert!(matches!(cluster.commit(1, &good), ResponseBody::Committed(_)));
}

/// Node 1 has committed, node 2 has not, and node 3's machine is gone and replaced: the share of the new epoch that
/// node 2 prepared under the old roster is the one that it will need.
#[test]
fn a_commit_survives_a_change_of_the_roster() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let confirmations = cluster.refresh(curve, 1);
    cluster.commit(1, &confirmations);
    cluster.stop(3);
    replace_node_3(&mut cluster);
    let ResponseBody::KeyState(KeyState::Committed(seen)) = cluster.key_state(1, curve) else { panic!() };
    assert!(matches!(cluster.commit(2, &seen), ResponseBody::Committed(_)));
    Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
}

/// All were confirmed by the machine that is gone, which knows a share of each: with the new one in place none of them
/// comes back, whichever has the smaller session id.
#[test]
fn a_removed_machine_brings_no_share_back() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let old: Vec<_> = (0..8).map(|_| cluster.refresh(curve, 1)).collect();
    cluster.stop(3);
    replace_node_3(&mut cluster);
    start_replacement(&mut cluster);
    cluster.repair(curve, 3);
    let new = cluster.refresh(curve, 1);
    // Node 2 was told of an old one first: it changes over, and not back.
    assert!(matches!(cluster.commit(2, &old[0]), ResponseBody::Committed(_)));
    for index in 1..=3 {
        assert!(matches!(cluster.commit(index, &new), ResponseBody::Committed(_)));
        cluster.restart(index);
        assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]);
        for confirmations in old.iter().filter(|_| index < 3) {
            assert_refused(&cluster.commit(index, confirmations), WalletExists);
        }
    }
    cluster.every_quorum_signs(curve);
}

/// The crash comes after the new share is in place and before the old files are gone: the start ends it.
#[test]
fn an_erasure_that_was_cut_short_ends_at_the_start() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let confirmations = cluster.refresh(curve, 1);
    let prepared = prepared_files(&cluster, 1).remove(0);
    let bytes = std::fs::read(&prepared).unwrap();
    cluster.commit(1, &confirmations);
    assert!(!prepared.exists());
    std::fs::write(&prepared, bytes).unwrap();
    cluster.restart(1);
    assert!(!prepared.exists());
    assert!(committed_path(&cluster, 1, curve).exists());
    assert_eq!(share(&cluster, 1, curve).statement.epoch, 1);
}

/// Neither a file of which not even the epoch can be read, nor one that cannot be erased, keeps the old share at work.
#[test]
fn what_cannot_be_erased_blocks_no_commit_and_no_session_outlives_it() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let old_session = |signers| Drive::honest(&cluster, raw(curve, signers));
    let goes_on = |mut drive: Drive| {
        drive.step();
        assert_refused(&drive.answers[&1], UnknownSession);
    };
    let committed = |answer| assert!(matches!(answer, ResponseBody::Committed(_)), "{answer:?}");

    let damaged = committed_path(&cluster, 1, curve).with_extension(format!("{}.prepared", hex::encode([9; 32])));
    let (confirmations, session) = (cluster.refresh(curve, 1), old_session(&[1, 2]));
    std::fs::write(&damaged, [1, 0]).unwrap();
    committed(cluster.commit(1, &confirmations));
    goes_on(session);
    committed(cluster.commit(1, &confirmations));
    assert_eq!(prepared_files(&cluster, 1), [damaged], "it is left to its operator");

    (2..=3).for_each(|index| committed(cluster.commit(index, &confirmations)));
    let (confirmations, session) = (cluster.refresh(curve, 2), old_session(&[1, 3]));
    let stuck = committed_path(&cluster, 1, curve).with_extension("unrefreshed");
    std::fs::create_dir(&stuck).unwrap();
    assert_refused(&cluster.commit(1, &confirmations), ShareUnreadable);
    goes_on(session);
    std::fs::remove_dir(&stuck).unwrap();
    committed(cluster.commit(1, &confirmations));
}

pub fn prepared_files(cluster: &TestCluster, index: u8) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cluster.node_directory(index).join("shares")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "prepared")).collect()
}
