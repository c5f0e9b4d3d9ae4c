//! Goal: on a full disk a node says so, gives out nothing that is not durable, and goes on when there is room again,
//! without a restart and after one. Method: node 1 is a process whose files may not be written any more, from before
//! each durable write of each session.

use super::child::Child;
use super::session::{health, secret};
use crate::checkpoints::checkpoint;
use crate::durability::is_bound;
use crate::keys::refresh::committed_path;
use crate::signing::verify;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use dkls23::protocols::signing::TransmitPhase1to2;
use mpc_node::keys::canonical::{from_bytes, to_bytes};
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::time::{Duration, Instant};

const ROOM: u64 = u64::MAX;

fn cluster() -> (TestCluster, Child) {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let child = Child::serve(&cluster, 1);
    (cluster, child)
}

/// Opened at all nodes.
fn opened<'a>(cluster: &'a TestCluster, child: &'a Child, operation: Operation) -> Drive<'a> {
    Drive::opened(cluster, cluster.command(operation), Some((1, Box::new(child))))
}

fn started<'a>(cluster: &'a TestCluster, child: &'a Child, operation: Operation) -> Drive<'a> {
    let mut drive = opened(cluster, child, operation);
    drive.start();
    drive
}

/// The next step at node 1, on a full disk: an error, and nothing leaves.
#[track_caller]
fn fails_for_want_of_room(drive: &mut Drive, child: &Child) {
    child.limit_files(0);
    if drive.round == 0 {
        drive.start();
    } else {
        drive.step();
    }
    assert_refused(&drive.answers[&1], Internal);
    let command_id = drive.command.command_id;
    let dead = child.ask(RequestBody::Continue { command_id, round: drive.round + 1, inbound: vec![] });
    assert_refused(&dead, UnknownSession);
}

fn signs(cluster: &TestCluster, child: &Child, curve: Curve, wallet_id: Id, public_key: &[u8]) {
    let (signers, payload) = (vec![1, 2], Payload::RawDigest([6; 32]));
    let sign = Operation::Sign { operation_id: id(), attempt: 1, wallet_id, curve, path: vec![], signers, payload };
    verify(curve, public_key, [6; 32], &started(cluster, child, sign).finish());
}

fn public_key(cluster: &TestCluster, curve: Curve) -> Vec<u8> {
    cluster.held(2, curve).0[0].statement.public_key.clone()
}

fn confirmations(outcomes: Vec<Outcome>) -> Vec<Confirmation> {
    let confirmation = |outcome| match outcome {
        Outcome::Key(confirmation) => confirmation,
        other => panic!("{other:?}"),
    };
    outcomes.into_iter().map(confirmation).collect()
}

#[test]
fn a_signing_without_room_releases_nothing() {
    let (mut cluster, child) = cluster();
    let keys = CURVES.map(|curve| public_key(&cluster, curve));
    let mut operations = vec![];
    for (curve, key) in CURVES.into_iter().zip(&keys) {
        // Before round 1. From then on a signing writes nothing.
        let operation = raw(curve, &[1, 2]);
        let mut drive = opened(&cluster, &child, operation.clone());
        fails_for_want_of_room(&mut drive, &child);
        assert_refused(&child.ask(cluster.signed(&cluster.command(raw(curve, &[1, 2])))), Internal);
        drop(drive);
        child.limit_files(ROOM);
        signs(&cluster, &child, curve, WALLET, key);
        operations.push(operation);
    }
    child.kill();
    cluster.restart(1);
    for operation in operations {
        let Operation::Sign { operation_id, .. } = operation else { unreachable!() };
        assert!(!is_bound(&cluster, 1, operation_id), "what was not begun counts as signed nowhere");
    }
    CURVES.iter().for_each(|curve| cluster.every_quorum_signs(*curve));
}

#[test]
fn a_generation_without_room_confirms_nothing_and_can_be_repeated() {
    let (mut cluster, child) = cluster();
    let curve = Curve::Ed25519;
    let state = |child: &Child, wallet_id| child.ask(RequestBody::KeyState { wallet_id, curve });
    for round in [0, last_round(curve) - 1] {
        let wallet_id = id();
        let mut drive = opened(&cluster, &child, generation(wallet_id, curve));
        if round > 0 {
            drive.start();
            drive.step_until(round);
        }
        fails_for_want_of_room(&mut drive, &child);
        drop(drive);
        assert_eq!(state(&child, wallet_id), ResponseBody::KeyState(KeyState::Absent), "also no half of a file");
        child.limit_files(ROOM);
        let all = confirmations(started(&cluster, &child, generation(wallet_id, curve)).finish());
        // The commit: prepared until there is room, and not forgotten.
        let commit = RequestBody::Commit { confirmations: all.clone() };
        child.limit_files(0);
        assert_refused(&child.ask(commit.clone()), Internal);
        assert_eq!(state(&child, wallet_id), ResponseBody::KeyState(KeyState::Prepared));
        child.limit_files(ROOM);
        let committed = ResponseBody::Committed(all[0].statement.clone());
        assert_eq!(child.ask(commit), committed);
        assert_eq!(cluster.commit(2, &all), committed);
        signs(&cluster, &child, curve, wallet_id, &all[0].statement.public_key);
    }
    child.kill();
    cluster.restart(1);
    cluster.every_quorum_signs(curve);
    let left = std::fs::read_dir(cluster.node_directory(1).join("shares")).unwrap();
    assert!(left.into_iter().all(|entry| !entry.unwrap().file_name().to_string_lossy().ends_with(".tmp")));
}

#[test]
fn a_refresh_without_room_keeps_the_old_share() {
    for curve in CURVES {
        let (mut cluster, child) = cluster();
        let key = public_key(&cluster, curve);
        let mut drive = opened(&cluster, &child, refreshing(curve, 1));
        fails_for_want_of_room(&mut drive, &child);
        drop(drive);
        child.limit_files(ROOM);
        let mut drive = started(&cluster, &child, refreshing(curve, 1));
        drive.step_until(last_round(curve) - 1);
        fails_for_want_of_room(&mut drive, &child);
        drop(drive);
        child.limit_files(ROOM);
        signs(&cluster, &child, curve, WALLET, &key);
        let all = confirmations(started(&cluster, &child, refreshing(curve, 1)).finish());
        let commit = RequestBody::Commit { confirmations: all.clone() };
        let old = std::fs::read(committed_path(&cluster, 1, curve)).unwrap();
        child.limit_files(0);
        assert_refused(&child.ask(commit.clone()), Internal);
        assert_eq!(std::fs::read(committed_path(&cluster, 1, curve)).unwrap(), old);
        child.limit_files(ROOM);
        // Nobody has the new one yet: the old one signs.
        signs(&cluster, &child, curve, WALLET, &key);
        cluster.commit(2, &all);
        cluster.commit(3, &all);
        assert_eq!(child.ask(commit), ResponseBody::Committed(all[0].statement.clone()));
        signs(&cluster, &child, curve, WALLET, &key);
        child.kill();
        cluster.restart(1);
        cluster.every_quorum_signs(curve);
    }
}

/// The new share has its name, and the old one's bytes are still there: the node goes on with the new one, not with
/// what it had in memory.
#[test]
fn a_commit_that_cannot_erase_the_old_share_is_a_commit() {
    const LIMIT: u64 = 1 << 20;
    for curve in CURVES {
        let (mut cluster, child) = cluster();
        let key = public_key(&cluster, curve);
        signs(&cluster, &child, curve, WALLET, &key);
        let all = confirmations(started(&cluster, &child, refreshing(curve, 1)).finish());
        // The old file alone is longer than what may be written. It was read before, and is not read again.
        let path = committed_path(&cluster, 1, curve);
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2 * LIMIT).unwrap();
        let commit = RequestBody::Commit { confirmations: all.clone() };
        child.limit_files(LIMIT);
        assert_refused(&child.ask(commit.clone()), Internal);
        child.limit_files(ROOM);
        assert!(std::fs::metadata(&path).unwrap().len() < LIMIT, "the new one is in place");
        // It signs, and says that something of before is left until all nodes have acknowledged the new one.
        let state = child.ask(RequestBody::KeyState { wallet_id: WALLET, curve });
        let ResponseBody::KeyState(KeyState::Unsettled { committed, signs: true, .. }) = state else {
            panic!("{state:?}")
        };
        assert_eq!(committed, all);
        cluster.commit(2, &all);
        signs(&cluster, &child, curve, WALLET, &key);
        assert_eq!(child.ask(commit), ResponseBody::Committed(all[0].statement.clone()));
        child.kill();
        cluster.restart(1);
        cluster.commit(3, &all);
        cluster.every_quorum_signs(curve);
    }
}

/// It holds at once, and is written as soon as there is room.
#[test]
fn a_ban_without_room_holds_and_is_written_later() {
    let curve = Curve::Secp256k1;
    let (mut cluster, child) = cluster();
    let corrupt = |round: u8, _: u8, message: &mut Vec<u8>| {
        if round == 1 {
            let mut decoded: TransmitPhase1to2 = from_bytes(message).unwrap();
            decoded.mul_transmit.u.iter_mut().for_each(|row| row[0] ^= 1);
            *message = to_bytes(&decoded).to_vec();
        }
    };
    let command = cluster.command(raw(curve, &[1, 3]));
    let mut drive = Drive::opened(&cluster, command.clone(), Some((1, Box::new(&child))));
    let (_, mut rogue) = Rogue::boxed(&cluster, 3, Some(curve), corrupt);
    drive.answers.insert(3, rogue.handle(cluster.signed(&command)));
    drive.participants.insert(3, rogue);
    drive.start();
    child.limit_files(0);
    drive.step();
    assert_refused(&drive.answers[&1], Internal);
    drop(drive);
    child.limit_files(ROOM);
    let again = || child.ask(cluster.signed(&cluster.command(raw(curve, &[1, 3]))));
    // The first request after an error opens the journal again.
    assert_refused_by(&again(), Banned, 3);
    let bans = |body| match body {
        ResponseBody::Health(health) => health.bans.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(bans(child.ask(RequestBody::Health)), 1);
    // Written within the time of a sweep: a copy of the journal has it, as a crash would leave it.
    let (deadline, copied) = (Instant::now() + Duration::from_secs(20), cluster.directory.join("copy.redb"));
    loop {
        std::fs::copy(cluster.node_directory(1).join("journal.redb"), &copied).unwrap();
        if mpc_node::storage::journal::Journal::open(&copied)
            .is_ok_and(|journal| journal.bans().is_ok_and(|bans| bans.len() == 1))
        {
            break;
        }
        assert!(Instant::now() < deadline, "the ban is not written");
        std::thread::sleep(Duration::from_millis(200));
    }
    child.kill();
    cluster.restart(1);
    assert_eq!(health(&cluster, 1).bans.len(), 1);
    assert_refused_by(&cluster.ask(1, cluster.signed(&cluster.command(raw(curve, &[1, 3])))), Banned, 3);
    Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
}

#[test]
fn a_repair_without_room_leaves_nothing_and_can_be_repeated() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let lost = secret(&cluster, 1, curve);
        cluster.stop(1);
        std::fs::remove_file(committed_path(&cluster, 1, curve)).unwrap();
        let child = Child::serve(&cluster, 1);
        let state = || child.ask(RequestBody::KeyState { wallet_id: WALLET, curve });
        for round in [0, 2] {
            let mut drive = opened(&cluster, &child, cluster.repairing(curve, 1));
            if round > 0 {
                drive.start();
                drive.step_until(round);
            }
            fails_for_want_of_room(&mut drive, &child);
            drop(drive);
            assert_eq!(state(), ResponseBody::KeyState(KeyState::Absent));
            child.limit_files(ROOM);
        }
        started(&cluster, &child, cluster.repairing(curve, 1)).finish();
        child.kill();
        cluster.restart(1);
        assert_eq!(secret(&cluster, 1, curve), lost);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
}

#[test]
fn a_helper_without_room_gives_nothing() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let repair = cluster.repairing(curve, 3);
    [1, 3].iter().for_each(|index| cluster.stop(*index));
    std::fs::remove_file(committed_path(&cluster, 3, curve)).unwrap();
    cluster.restart(3);
    let child = Child::serve(&cluster, 1);
    let mut drive = opened(&cluster, &child, repair.clone());
    fails_for_want_of_room(&mut drive, &child);
    drop(drive);
    child.limit_files(ROOM);
    started(&cluster, &child, repair).finish();
}

#[test]
fn checkpoints_and_starts_without_room() {
    let (mut cluster, child) = cluster();
    let keep = |seq: u8| child.ask(cluster.signed_checkpoint(&cluster.command(checkpoint(u64::from(seq), seq))));
    assert_eq!(keep(1), ResponseBody::CheckpointKept(checkpoint(1, 1)));
    child.limit_files(0);
    assert_refused(&keep(2), Internal);
    child.limit_files(ROOM);
    assert_eq!(keep(2), ResponseBody::CheckpointKept(checkpoint(2, 2)));
    child.kill();
    let (started, sentence) = Child::starts_without_room(&cluster, 1);
    assert!(!started && sentence.contains("journal"), "{sentence}");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    cluster.restart(1);
    CURVES.iter().for_each(|curve| cluster.every_quorum_signs(*curve));
}
