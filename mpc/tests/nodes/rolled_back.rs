//! Goal: a node whose disk was put back to an earlier state by other means than `restore` signs nothing, once anybody
//! brings it what it has said itself; and no other node is ever taken for one. Method: real directories copied and put
//! back; marks that are forged, held back, or of before a restore; kills in the midst of writing.

mod killed;

use crate::backup::{backed_up, later, restored, wipe};
use crate::checkpoints::checkpoint;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::progress_attestation::{Progress, ProgressAttestation, ATTESTATIONS_A_REQUEST};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::{Path, PathBuf};

const ED: Curve = Curve::Ed25519;

/// A copy of the node's disk as it is; it goes on running.
pub fn snapshot(cluster: &mut TestCluster, index: u8) -> PathBuf {
    let to = temporary_in(&cluster.directory);
    cluster.stop(index);
    copy(&cluster.node_directory(index), &to);
    cluster.restart(index);
    to
}

fn temporary_in(directory: &Path) -> PathBuf {
    directory.join(format!("snapshot-{}", hex::encode(id())))
}

/// Everything that the node has written since is gone, and it starts.
pub fn put_back(cluster: &mut TestCluster, index: u8, snapshot: &Path) {
    cluster.stop(index);
    std::fs::remove_dir_all(cluster.node_directory(index)).unwrap();
    copy(snapshot, &cluster.node_directory(index));
    cluster.restart(index);
}

fn health(cluster: &TestCluster, index: u8) -> Health {
    match cluster.ask(index, RequestBody::Health) {
        ResponseBody::Health(health) => health,
        other => panic!("{other:?}"),
    }
}

fn sign(cluster: &TestCluster, signers: [u8; 2]) {
    Drive::honest(cluster, raw(ED, &signers)).finish();
}

fn opening(cluster: &TestCluster, index: u8, signers: [u8; 2]) -> ResponseBody {
    cluster.ask(index, cluster.signed(&cluster.command(raw(ED, &signers))))
}

#[test]
fn a_disk_that_was_put_back_signs_nothing_until_it_is_restored() {
    let mut cluster = TestCluster::with_policy(r#"{"raw_digests": true, "rates": {"wallet_per_hour": 2}}"#);
    let before = snapshot(&mut cluster, 1);
    sign(&cluster, [1, 2]);
    sign(&cluster, [1, 3]);
    assert_refused(&opening(&cluster, 1, [1, 3]), Busy);
    cluster.carry_marks();
    put_back(&mut cluster, 1, &before);
    let refuses = |cluster: &TestCluster| {
        assert!(health(cluster, 1).set_back);
        let operations = [
            raw(ED, &[1, 3]),
            refreshing(ED, 1),
            generation(id(), ED),
            cluster.repairing(ED, 1),
            cluster.repairing(ED, 3),
        ];
        for operation in operations {
            assert_refused(&cluster.ask(1, cluster.opening(&cluster.command(operation))), SetBack);
        }
        let checkpoint = cluster.signed_checkpoint(&cluster.command(checkpoint(1, 1)));
        assert_refused(&cluster.ask(1, checkpoint), SetBack);
    };
    refuses(&cluster);
    // Whatever it is told next.
    (2..=3).for_each(|index| cluster.stop(index));
    cluster.restart(1);
    assert_refused(&opening(&cluster, 1, [1, 3]), SetBack);
    (2..=3).for_each(|index| cluster.restart(index));
    sign(&cluster, [2, 3]);
    let backup = backed_up(&mut cluster, 1);
    refuses(&cluster);
    wipe(&mut cluster, 1);
    restored(&mut cluster, 1, &backup);
    later(&mut cluster, 1);
    assert!(!health(&cluster, 1).set_back);
    cluster.refresh_and_commit(ED, 1);
    // The limit of this hour was spent; what limits nothing is signed.
    assert_refused(&opening(&cluster, 1, [1, 3]), Busy);
    cluster.policy = PERMISSIVE.into();
    (1..=3).for_each(|index| cluster.restart(index));
    cluster.every_quorum_signs(ED);
}

/// Those who know are away, and it goes on until it is farther than it ever was: they know better when they are back.
#[test]
fn an_old_disk_that_has_gone_on_is_found_all_the_same() {
    let mut cluster = TestCluster::with_keys();
    let before = snapshot(&mut cluster, 1);
    sign(&cluster, [1, 2]);
    cluster.carry_marks();
    let said = health(&cluster, 1).mark.progress;
    // Node 3 says nothing of what it was told.
    cluster.stop(2);
    let silent = cluster.nodes[2].take();
    put_back(&mut cluster, 1, &before);
    cluster.nodes[2] = silent;
    (0..3).for_each(|_| sign(&cluster, [1, 3]));
    assert!(health(&cluster, 1).mark.progress.is_beyond(&said));
    cluster.restart(2);
    assert!(health(&cluster, 1).set_back);
    assert_refused(&opening(&cluster, 1, [1, 3]), SetBack);
}

/// What it was doing when it was found out ends too.
#[test]
fn a_session_under_way_ends_with_the_discovery() {
    let mut cluster = TestCluster::with_keys();
    let before = snapshot(&mut cluster, 1);
    sign(&cluster, [1, 2]);
    let own = marks_of(cluster.node(1)).remove(0);
    put_back(&mut cluster, 1, &before);
    let mut drive = Drive::honest(&cluster, raw(ED, &[1, 3]));
    let opened = Drive::opened(&cluster, cluster.command(raw(ED, &[1, 3])), None);
    tell(cluster.node(1), vec![own]);
    drive.step();
    assert_refused(&drive.answers[&1], SetBack);
    let body = RequestBody::Start { command_id: opened.command.command_id, hellos: opened.hellos() };
    assert_refused(&cluster.ask(1, body), SetBack);
}

#[test]
fn nothing_is_signed_before_a_node_is_told() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(2);
    let untold = cluster.try_open(2).unwrap();
    cluster.nodes[1] = Some(untold);
    let asked = |body| cluster.ask(2, body);
    assert_refused(&opening(&cluster, 2, [1, 2]), NotYetTold);
    assert_refused(&asked(cluster.signed(&cluster.command(generation(id(), ED)))), NotYetTold);
    assert_refused(&asked(cluster.signed_checkpoint(&cluster.command(checkpoint(1, 1)))), NotYetTold);
    // What signs nothing needs no word.
    assert!(matches!(cluster.key_state(2, ED), ResponseBody::KeyState(KeyState::Committed(_))));
    let confirmations = cluster.confirmations(ED);
    assert!(matches!(asked(RequestBody::Commit { confirmations }), ResponseBody::Committed(_)));
    assert_refused(
        &asked(RequestBody::Marks(vec![health(&cluster, 1).mark; ATTESTATIONS_A_REQUEST + 1])),
        InvalidRequest,
    );
    assert_refused(&opening(&cluster, 2, [1, 2]), NotYetTold);
    tell(cluster.node(2), vec![]);
    sign(&cluster, [1, 2]);
    let as_many_as_may_be = vec![health(&cluster, 1).mark; ATTESTATIONS_A_REQUEST];
    assert_eq!(asked(RequestBody::Marks(as_many_as_may_be)), ResponseBody::MarksTaken);
}

/// Only the node's own signature counts, of its own journal.
#[test]
fn a_forged_mark_changes_nothing() {
    let mut cluster = TestCluster::with_keys();
    sign(&cluster, [1, 2]);
    cluster.carry_marks();
    let genuine = health(&cluster, 1).mark;
    let peer = cluster.identity(3);
    let far = |sequence| Progress { incarnation: genuine.progress.incarnation, run: 7, sequence };
    let by_peer = ProgressAttestation::sign(&peer, far(1_000));
    let mut forged = vec![
        ProgressAttestation { identity: genuine.identity, ..by_peer.clone() },
        ProgressAttestation { progress: far(1_000), ..genuine.clone() },
        ProgressAttestation { progress: Progress { incarnation: 1, ..genuine.progress }, ..genuine.clone() },
        ProgressAttestation {
            progress: Progress { incarnation: u64::MAX, run: u64::MAX, sequence: u64::MAX },
            ..genuine.clone()
        },
    ];
    let known = [marks_of(cluster.node(1)), marks_of(cluster.node(2))];
    for index in [1, 2] {
        tell(cluster.node(index), forged.clone());
        assert_eq!(marks_of(cluster.node(index)), known[usize::from(index) - 1]);
        assert!(!health(&cluster, index).set_back);
    }
    // Beside forged ones a genuine one is heard, and a peer that lies about itself harms nobody else.
    forged.push(ProgressAttestation::sign(&peer, Progress { incarnation: u64::MAX, run: 1, sequence: u64::MAX }));
    tell(cluster.node(1), forged);
    assert_eq!(health(&cluster, 1).marks.iter().filter(|mark| mark.progress.sequence == u64::MAX).count(), 1);
    sign(&cluster, [1, 2]);
    cluster.restart(1);
    sign(&cluster, [1, 2]);
}

#[test]
fn a_restore_is_a_new_life_and_the_old_disk_after_it_is_none() {
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    (0..4).for_each(|_| sign(&cluster, [1, 2]));
    cluster.carry_marks();
    let (said, old_disk) = (health(&cluster, 2).mark, snapshot(&mut cluster, 2));
    let old_key = std::fs::read(cluster.directory.join("key-2")).unwrap();
    wipe(&mut cluster, 2);
    restored(&mut cluster, 2, &backup);
    tell(cluster.node(2), vec![said.clone()]);
    let now = health(&cluster, 2);
    assert!(!now.set_back && now.mark.progress.is_beyond(&said.progress));
    assert!(now.mark.progress.incarnation <= now_ms());
    later(&mut cluster, 2);
    cluster.refresh_and_commit(ED, 1);
    cluster.every_quorum_signs(ED);
    cluster.carry_marks();
    std::fs::write(cluster.directory.join("key-2"), old_key).unwrap();
    put_back(&mut cluster, 2, &old_disk);
    assert_refused(&opening(&cluster, 2, [1, 2]), SetBack);
    // Restored with a clock that is behind that restore: a greater incarnation than any that it was shown.
    let path = cluster.node_directory(2).join("journal.redb");
    cluster.stop(2);
    let journal = mpc_node::storage::journal::Journal::open(&path).unwrap();
    journal.write(mpc_node::storage::journal::Record::Restored { at_ms: 5, floor_ms: 0 }).unwrap();
    assert_eq!(journal.progress().incarnation, now.mark.progress.incarnation + 1);
    drop(journal);
    cluster.restart(2);
    assert!(!health(&cluster, 2).set_back);
}

/// Kept through restarts, the newest of each, and only of who is in the cluster.
#[test]
fn marks_are_kept_of_the_nodes_that_there_are() {
    let mut cluster = TestCluster::with_keys();
    let early = health(&cluster, 2).mark;
    sign(&cluster, [2, 3]);
    cluster.carry_marks();
    let newest =
        |cluster: &TestCluster| health(cluster, 1).marks.into_iter().find(|mark| mark.identity == early.identity);
    let kept = newest(&cluster).unwrap();
    assert!(kept.progress.is_beyond(&early.progress));
    tell(cluster.node(1), vec![early.clone()]);
    (2..=3).for_each(|index| cluster.stop(index));
    cluster.restart(1);
    assert_eq!(newest(&cluster), Some(kept));
    assert_eq!(health(&cluster, 1).marks.len(), 2);
    crate::removed::replace_node_3(&mut cluster);
    crate::removed::start_replacement(&mut cluster);
    (1..=2).for_each(|index| cluster.restart(index));
    let file = cluster.cluster_file();
    for index in 1..=3 {
        let Health { set_back, marks, .. } = health(&cluster, index);
        assert!(!set_back);
        assert!(marks.iter().all(|mark| file.nodes.values().any(|key| key.to_bytes() == mark.identity)));
    }
    sign(&cluster, [1, 2]);
}

/// Restarts, refreshes, repairs, bans, keys: none of them is a step back.
#[test]
fn an_ordinary_life_raises_no_alarm() {
    let mut cluster = TestCluster::new();
    cluster.carry_marks();
    cluster.generate_and_commit(WALLET, ED);
    for epoch in 1..=3 {
        for signers in QUORUMS {
            sign(&cluster, signers);
            cluster.carry_marks();
        }
        cluster.refresh_and_commit(ED, epoch);
        for index in 1..=3 {
            cluster.restart(index);
            cluster.restart(index);
        }
    }
    assert!((1..=3).all(|index| !health(&cluster, index).set_back));
    cluster.every_quorum_signs(ED);
}
