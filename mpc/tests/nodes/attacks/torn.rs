//! Goal: a file that is torn, or another's, is refused by name of the trouble, never overwritten and never taken for
//! absent, and no other key suffers. Method: every kind of share file cut, blanked and exchanged; the journal, too.

use super::session::health;
use crate::keys::refresh::{committed_path, data_key_path};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::process::backup::back_up;
use mpc_node::wire::command::Operation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;

fn other(curve: Curve) -> Curve {
    CURVES.into_iter().find(|other| *other != curve).unwrap()
}

/// A file of `length` bytes cut at, or blanked in, places that matter: version, epoch, session, nonce, text, tag.
fn torn(bytes: &[u8]) -> Vec<Vec<u8>> {
    let length = bytes.len();
    let cuts = [0, 1, 4, 5, 36, 37, 60, 61, 77, length / 4, length / 2, length - 17, length - 16, length - 1];
    let mut torn: Vec<_> = cuts.iter().map(|at| bytes[..*at].to_vec()).collect();
    let blocks =
        [0..1, 1..5, 5..37, 37..61, 61..length.min(573), length / 2..length / 2 + 64, length - 16..length, 0..length];
    for block in blocks {
        let mut blank = bytes.to_vec();
        blank[block].fill(0);
        torn.push(blank);
    }
    torn.push([bytes, &[0]].concat());
    // The epoch lies in the clear. What is blank already is no fault.
    torn.retain(|torn| torn != bytes);
    torn
}

/// Node 1 with this in its committed file of `curve`: it serves, and every request for the key names the file.
#[track_caller]
fn is_unreadable(cluster: &mut TestCluster, curve: Curve, bytes: &[u8]) {
    let confirmations = cluster.held(2, curve).0;
    let known = confirmations[0].statement.clone();
    let path = committed_path(cluster, 1, curve);
    cluster.stop(1);
    std::fs::write(&path, bytes).unwrap();
    cluster.restart(1);
    assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
    for operation in [raw(curve, &[1, 2]), refreshing(curve, 1)] {
        assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(operation))), ShareUnreadable);
    }
    assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(generation(WALLET, curve)))), WalletExists);
    assert_refused(&cluster.commit(1, &confirmations), ShareUnreadable);
    for target in [1, 3] {
        let (wallet_id, epoch, public_key) = (WALLET, known.epoch, known.public_key.clone());
        let repair = Operation::Repair { wallet_id, curve, epoch, public_key, target, nodes: vec![1, 2, 3] };
        let command = cluster.command(repair);
        assert_refused(&cluster.ask(1, cluster.opening(&command)), ShareUnreadable);
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "not overwritten");
}

#[test]
fn a_torn_share_is_refused_and_kept() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let path = committed_path(&cluster, 1, curve);
        let whole = std::fs::read(&path).unwrap();
        for torn in torn(&whole) {
            is_unreadable(&mut cluster, curve, &torn);
        }
        // The others go on with it, and all with the other key.
        Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
        cluster.every_quorum_signs(other(curve));
        // A backup does not leave it out in silence.
        cluster.stop(1);
        let to = cluster.directory.join("backup");
        let backup = back_up(&cluster.node_directory(1), 1, &cluster.store_key(1), [9; 32], &to);
        assert!(backup.unwrap_err().contains("cannot be read") && !to.exists());
        std::fs::write(&path, &whole).unwrap();
        cluster.restart(1);
        cluster.every_quorum_signs(curve);
    }
}

#[test]
fn a_share_in_anothers_place_is_refused_and_kept() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let whole = std::fs::read(committed_path(&cluster, 1, curve)).unwrap();
        let read = |path: PathBuf| std::fs::read(path).unwrap();
        // Of another node, of the other curve, of another cluster's node 1, of another wallet.
        let elsewhere = TestCluster::new();
        elsewhere.generate_and_commit(WALLET, Curve::Ed25519);
        let wallet_id = id();
        cluster.generate_and_commit(wallet_id, Curve::Ed25519);
        let of_wallet = format!("{}.ed25519.committed", hex::encode(wallet_id));
        let shares = cluster.node_directory(1).join("shares");
        let strangers = [
            read(committed_path(&cluster, 2, curve)),
            read(committed_path(&cluster, 1, other(curve))),
            read(committed_path(&elsewhere, 1, Curve::Ed25519)),
            read(shares.join(of_wallet)),
            read(shares.join("store-key.check")),
        ];
        for stranger in strangers {
            is_unreadable(&mut cluster, curve, &stranger);
        }
        // Prepared is not committed, and committed is not unrefreshed.
        std::fs::write(committed_path(&cluster, 1, curve), &whole).unwrap();
        cluster.restart(1);
        if curve == Curve::Ed25519 {
            let all = cluster.refresh(curve, 1);
            let prepared = prepared_files(&cluster, 1).remove(0);
            let new = read(prepared.clone());
            is_unreadable(&mut cluster, curve, &new);
            std::fs::write(committed_path(&cluster, 1, curve), &whole).unwrap();
            std::fs::write(&prepared, &whole).unwrap();
            cluster.restart(1);
            assert_refused(&cluster.commit(1, &all), ShareUnreadable);
            assert_eq!(read(prepared), whole);
            Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
        }
        cluster.stop(1);
        let unrefreshed = committed_path(&cluster, 1, curve).with_extension("unrefreshed");
        std::fs::rename(committed_path(&cluster, 1, curve), &unrefreshed).unwrap();
        cluster.restart(1);
        assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
        assert_eq!(read(unrefreshed), whole);
    }
}

/// A node cannot know that it is an old one of its own. The others do.
#[test]
fn a_share_of_an_older_epoch_signs_with_nobody() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let path = committed_path(&cluster, 1, curve);
    let old = std::fs::read(&path).unwrap();
    let data_key = data_key_path(&cluster, 1, curve);
    let old_data_key = std::fs::read(&data_key).unwrap();
    cluster.refresh_and_commit(curve, 1);
    let new = std::fs::read(&path).unwrap();
    // Under the new epoch's number it does not so much as open.
    let renumbered = [&old[..1], &new[1..5], &old[5..]].concat();
    cluster.stop(1);
    std::fs::write(&path, renumbered).unwrap();
    cluster.restart(1);
    assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
    cluster.stop(1);
    std::fs::write(&path, &old).unwrap();
    // Its data key went with it; the disk of before has it.
    std::fs::write(&data_key, &old_data_key).unwrap();
    cluster.restart(1);
    let drive = Drive::with(&cluster, cluster.command(raw(curve, &[1, 2])), None);
    assert_refused_by(&drive.answers[&2], Unauthorized, 1);
    drop(drive);
    Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
}

fn prepared_files(cluster: &TestCluster, index: u8) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cluster.node_directory(index).join("shares")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "prepared")).collect()
}

#[test]
fn a_torn_prepared_share_is_not_committed_and_is_in_nobodys_way() {
    let curve = Curve::Ed25519;
    // Of all places: cuts, the epoch, the text, everything.
    for place in [0, 2, 5, 8, 11, 13, 15, 18] {
        // Of a generation: the wallet gets its key by another one.
        let mut cluster = TestCluster::new();
        let all = cluster.generate(WALLET, curve);
        let path = prepared_files(&cluster, 1).remove(0);
        let Some(bytes) = torn(&std::fs::read(&path).unwrap()).into_iter().nth(place) else { continue };
        std::fs::write(&path, &bytes).unwrap();
        cluster.restart(1);
        assert_refused(&cluster.commit(1, &all), ShareUnreadable);
        assert_eq!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Prepared), "not absent");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "not overwritten");
        cluster.generate_and_commit(WALLET, curve);
        cluster.every_quorum_signs(curve);
        // Of a refresh: the old share stays, and another refresh takes its place.
        let mut cluster = TestCluster::with_keys();
        let all = cluster.refresh(curve, 1);
        let path = prepared_files(&cluster, 1).remove(0);
        let bytes = torn(&std::fs::read(&path).unwrap()).remove(place);
        std::fs::write(&path, &bytes).unwrap();
        cluster.restart(1);
        assert_refused(&cluster.commit(1, &all), ShareUnreadable);
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "not overwritten");
        cluster.every_quorum_signs(curve);
        cluster.refresh_and_commit(curve, 1);
        assert_eq!(cluster.epoch(1, curve), 1);
        cluster.every_quorum_signs(curve);
    }
}

/// Sessions with the old share end with it also where what it left behind cannot be erased.
#[test]
fn a_commit_ends_sessions_whatever_is_left_behind() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let all = cluster.refresh(curve, 1);
    let running = cluster.command(raw(curve, &[1, 2]));
    let mut running = Drive::with(&cluster, running, None);
    // In the place of what a repair would have left: nobody can overwrite a directory.
    let stuck = committed_path(&cluster, 1, curve).with_extension("unrefreshed");
    // The share is in memory since the session: its files are not read again.
    std::fs::create_dir(&stuck).unwrap();
    assert_refused(&cluster.commit(1, &all), ShareUnreadable);
    running.step();
    assert_refused(&running.answers[&1], UnknownSession);
    std::fs::remove_dir(&stuck).unwrap();
    assert!(matches!(cluster.commit(1, &all), ResponseBody::Committed(_)));
    cluster.converge(curve);
    cluster.every_quorum_signs(curve);
}

/// What a crash left of a file that was being written holds a share, encrypted; after a refresh nobody else would erase
/// it.
#[test]
fn what_a_crash_left_of_a_write_is_erased_at_the_start() {
    let mut cluster = TestCluster::with_keys();
    let path = committed_path(&cluster, 1, Curve::Ed25519);
    let left = path.with_extension("0123456789abcdef.tmp");
    std::fs::copy(&path, &left).unwrap();
    let watched = cluster.directory.join("watched");
    std::fs::hard_link(&left, &watched).unwrap();
    cluster.restart(1);
    assert!(!left.exists());
    assert!(std::fs::read(watched).unwrap().iter().all(|byte| *byte == 0), "overwritten");
    cluster.every_quorum_signs(Curve::Ed25519);
}

/// A node starts with the whole journal or not at all: with an empty one bans would be lifted and commands used again.
#[test]
fn a_torn_journal_stops_the_start_or_has_everything() {
    let mut cluster = TestCluster::with_keys();
    let used = cluster.command(raw(Curve::Ed25519, &[1, 2]));
    Drive::with(&cluster, used.clone(), None).finish();
    cluster.stop(1);
    let path = cluster.node_directory(1).join("journal.redb");
    let whole = std::fs::read(&path).unwrap();
    let mut started = 0;
    let cuts = [0, 1, 9, 320, 4096, 8192, whole.len() / 2, whole.len() - 4096, whole.len() - 1];
    let mut spoilt: Vec<_> = cuts.iter().map(|at| whole[..*at].to_vec()).collect();
    for block in [0..9, 9..64, 64..192, 192..320, 0..4096, 4096..8192, 8192..65536, 0..whole.len()] {
        let mut blank = whole.clone();
        blank[block].fill(0);
        spoilt.push(blank);
    }
    for bytes in spoilt {
        std::fs::write(&path, &bytes).unwrap();
        let start = catch_unwind(AssertUnwindSafe(|| cluster.try_start(1)));
        match start.expect("an error, and no panic") {
            Ok(node) => {
                cluster.nodes[0] = Some(node);
                assert_refused(&cluster.ask(1, cluster.signed(&used)), CommandUsed);
                assert_eq!(health(&cluster, 1).bans, vec![]);
                cluster.stop(1);
                started += 1;
            }
            Err(sentence) => assert!(sentence.contains("journal"), "{sentence}"),
        }
    }
    println!("{started} started with everything");
    std::fs::write(&path, &whole).unwrap();
    cluster.restart(1);
    Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2])).finish();
}
