//! Goal: what is on disk is enough, is bound to where it lies, and is never taken for absent. Method: restart, corrupt
//! and move files.

use crate::drive::Drive;
use crate::fixture::*;
use mpc_node::command::Operation;
use mpc_node::journal::Journal;
use mpc_node::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::PathBuf;

fn share(cluster: &TestCluster, index: u8, curve: &str) -> PathBuf {
    let name = format!("{}.{curve}.committed", hex::encode(WALLET));
    cluster.node_directory(index).join("shares").join(name)
}

#[test]
fn restarted_nodes_sign() {
    let mut cluster = TestCluster::with_keys();
    (1..=3).for_each(|index| cluster.restart(index));
    for curve in CURVES {
        Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
    }
}

#[test]
fn an_unreadable_share_is_not_absent_and_not_overwritten() {
    let spoil: [fn(&mut Vec<u8>); 5] = [
        |bytes| *bytes.last_mut().unwrap() ^= 1,
        |bytes| bytes[3] ^= 1, // The epoch in the clear.
        |bytes| bytes.truncate(10),
        |bytes| bytes.clear(),
        |bytes| bytes.push(0),
    ];
    for spoil in spoil {
        let mut cluster = TestCluster::with_keys();
        let path = share(&cluster, 1, "ed25519");
        let mut bytes = std::fs::read(&path).unwrap();
        spoil(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let confirmations = {
            cluster.restart(1);
            let ResponseBody::KeyState(KeyState::Committed(all)) = cluster.key_state(2, Curve::Ed25519) else {
                panic!()
            };
            all
        };
        let curve = Curve::Ed25519;
        assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), ShareUnreadable);
        assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
        assert_refused(&cluster.ask(1, RequestBody::Commit { confirmations }), ShareUnreadable);
        assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(generation(WALLET, curve)))), WalletExists);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        // The others, and the other curve, go on.
        Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
        Drive::honest(&cluster, raw(Curve::Secp256k1, &[1, 2])).finish();
    }
}

#[test]
fn a_share_file_stands_in_for_no_other() {
    let mut cluster = TestCluster::with_keys();
    let other_wallet = [0xbb; 16];
    let moved =
        cluster.node_directory(1).join("shares").join(format!("{}.ed25519.committed", hex::encode(other_wallet)));
    std::fs::copy(share(&cluster, 1, "ed25519"), moved).unwrap();
    std::fs::copy(share(&cluster, 1, "ed25519"), share(&cluster, 1, "secp256k1")).unwrap();
    cluster.restart(1);
    let body = RequestBody::KeyState { wallet_id: other_wallet, curve: Curve::Ed25519 };
    assert_refused(&cluster.ask(1, body), ShareUnreadable);
    assert_refused(&cluster.key_state(1, Curve::Secp256k1), ShareUnreadable);
    // A prepared share under the name of a committed one.
    let fresh = TestCluster::new();
    fresh.generate(WALLET, Curve::Ed25519);
    let shares = fresh.node_directory(1).join("shares");
    let prepared = std::fs::read_dir(&shares).unwrap().map(|entry| entry.unwrap().path());
    let prepared = prepared.into_iter().find(|path| path.extension().is_some_and(|e| e == "prepared")).unwrap();
    std::fs::rename(prepared, share(&fresh, 1, "ed25519")).unwrap();
    assert_refused(&fresh.key_state(1, Curve::Ed25519), ShareUnreadable);
}

#[test]
fn a_wrong_store_key_or_a_lost_journal_stops_the_start() {
    let mut cluster = TestCluster::with_keys();
    (1..=3).for_each(|index| cluster.stop(index));
    let key = cluster.directory.join("key-1");
    let original = std::fs::read(&key).unwrap();
    std::fs::copy(cluster.directory.join("key-2"), &key).unwrap();
    assert!(cluster.try_start(1).err().unwrap().contains("store key"));
    std::fs::write(&key, original).unwrap();
    assert!(cluster.try_start(1).is_ok());
    std::fs::remove_file(cluster.node_directory(2).join("journal.redb")).unwrap();
    assert!(cluster.try_start(2).err().unwrap().contains("journal"));
}

#[test]
fn a_withheld_last_round_counts_as_signed() {
    for (curve, release) in [(Curve::Secp256k1, 3), (Curve::Ed25519, 2)] {
        let mut cluster = TestCluster::with_keys();
        let operation = raw(curve, &[1, 2]);
        let Operation::Sign { operation_id, attempt, .. } = operation else { unreachable!() };
        let mut drive = Drive::honest(&cluster, operation);
        let released = |cluster: &TestCluster| cluster.node(1).was_released(operation_id, attempt).unwrap();
        drive.step_until(release - 1);
        assert!(!released(&cluster));
        drive.step();
        assert!(released(&cluster), "before the share leaves");
        drop(drive);
        cluster.stop(1);
        let journal = Journal::open(&cluster.node_directory(1).join("journal.redb")).unwrap();
        assert!(journal.was_released(operation_id, attempt).unwrap(), "and on disk");
    }
}

#[test]
fn secret_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let cluster = TestCluster::with_keys();
    let node = cluster.node_directory(1);
    let files = [
        node.join("identity.key"),
        node.join("tls.key"),
        cluster.directory.join("key-1"),
        cluster.directory.join("orchestrator/command.key"),
        share(&cluster, 1, "secp256k1"),
    ];
    for file in files {
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    let inside = cluster.node_directory(1).join("shares/key");
    assert!(mpc_node::enrol::init_node(&node, 1, &inside).is_err());
}

#[test]
fn the_journal_itself_takes_an_id_once() {
    use mpc_node::journal::Record;
    let directory = temporary();
    let open = || Journal::open(&directory.join("journal.redb")).unwrap();
    let expires_at_ms = now_ms() + 1_000;
    let begin = |command_id, session_id, message: u8| {
        let (bindings, charges) = (vec![([1; 16], [message; 32])], vec![]);
        let signed_after_ms = expires_at_ms - 120_000;
        Record::Begin { command_id, expires_at_ms, signed_after_ms, session_id, bindings, charges }
    };
    open().write(begin([1; 16], [1; 32], 1)).unwrap();
    let journal = open();
    let code = |record| journal.write(record).unwrap_err().code;
    assert_eq!(code(begin([1; 16], [2; 32], 1)), CommandUsed);
    assert_eq!(code(begin([2; 16], [1; 32], 1)), CommandUsed);
    assert_eq!(code(begin([2; 16], [2; 32], 2)), MessageConflict);
    journal.write(begin([2; 16], [2; 32], 1)).expect("the refused ones left nothing behind");
    drop(journal);
    std::fs::remove_dir_all(directory).unwrap();
}

/// To the journal the machine's clock is days ahead of the commands: it writes nothing by that.
#[test]
fn a_clock_that_is_days_ahead_has_nothing_forgotten_and_nothing_refused() {
    use mpc_node::journal::Record;
    use mpc_node::policy::Charge;
    let directory = temporary();
    let journal = Journal::open(&directory.join("journal.redb")).unwrap();
    let then_ms = now_ms() - 5 * 86_400_000;
    let refusal = mpc_node::refusal::Refused::new(PolicyRefused, "enough");
    let begin = |command: u8, amount, ms| {
        let charge = Charge {
            window_start_ms: 0,
            window_end_ms: then_ms,
            counter: [1; 32],
            subject: [command; 16],
            amount,
            limit: 10,
            refusal,
        };
        let (command_id, session_id) = ([command; 16], [command; 32]);
        let (expires_at_ms, signed_after_ms, charges) = (ms + 120_000, ms, vec![charge]);
        Record::Begin { command_id, expires_at_ms, signed_after_ms, session_id, bindings: vec![], charges }
    };
    let code = |record| journal.write(record).unwrap_err().code;
    journal.write(begin(1, 7, then_ms)).unwrap();
    let roster = Record::Roster { roster: [1; 32], nodes: Default::default() };
    journal.write(roster).unwrap();
    assert_eq!(code(begin(1, 1, then_ms)), CommandUsed);
    assert_eq!(code(begin(2, 4, then_ms)), PolicyRefused);
    journal.write(begin(3, 3, then_ms)).expect("a clock that is right again is believed");
    // What was signed says that time went on: the first is forgotten, and refused as what it is.
    journal.write(begin(4, 0, then_ms + 3 * 86_400_000)).unwrap();
    assert_eq!(code(begin(1, 1, then_ms)), Expired);
    drop(journal);
    std::fs::remove_dir_all(directory).unwrap();
}
