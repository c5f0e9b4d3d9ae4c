//! Goal: what is on disk is enough, is bound to where it lies, and is never taken for absent. Method: restart, corrupt
//! and move files.

use crate::keys::refresh::data_key_path;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::crypto::seal::Seal;
use mpc_node::storage::journal::Journal;
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::io::Write;
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
fn path_traversal_and_corrupt_share() {
    // A name that leads out of the folder, if it were taken for one.
    let cluster = TestCluster::new();
    let escaping: Id = *b"../../../escaped";
    cluster.generate_and_commit(escaping, Curve::Ed25519);
    let names = |folder: PathBuf| {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let committed = format!("{}.ed25519.committed", hex::encode(escaping));
    let file = std::fs::read(cluster.node_directory(1).join("shares").join(&committed)).unwrap();
    let data_key = format!("{}.ed25519.{}.key", hex::encode(escaping), hex::encode(&file[5..37]));
    let expected = [committed, data_key, "store-key.check".to_string()].into();
    assert_eq!(names(cluster.node_directory(1).join("shares")), expected);
    let beside = ["identity.key", "journal.redb", "shares", "tls.crt", "tls.key"].map(String::from).into();
    assert_eq!(names(cluster.node_directory(1)), beside);
    let spoil: [fn(&mut Vec<u8>); 6] = [
        |bytes| *bytes.last_mut().unwrap() ^= 1,
        |bytes| bytes[3] ^= 1, // The epoch in the clear.
        |bytes| bytes[9] ^= 1, // The session.
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

/// Whether the journal on disk has it that this operation counts as signed.
pub fn is_bound(cluster: &TestCluster, index: u8, operation_id: Id) -> bool {
    const OPERATIONS: redb::TableDefinition<&[u8; 16], &[u8; 32]> = redb::TableDefinition::new("operations");
    // A copy: the node has its own open.
    let copied = cluster.directory.join("copy.redb");
    std::fs::copy(cluster.node_directory(index).join("journal.redb"), &copied).unwrap();
    let read = redb::Database::open(&copied).unwrap().begin_read().unwrap();
    read.open_table(OPERATIONS).unwrap().get(&operation_id).unwrap().is_some()
}

#[test]
fn withheld_last_round() {
    for (curve, release) in [(Curve::Secp256k1, 3), (Curve::Ed25519, 2)] {
        let mut cluster = TestCluster::with_keys();
        let operation = raw(curve, &[1, 2]);
        let Operation::Sign { operation_id, attempt, .. } = operation else { unreachable!() };
        let mut drive = Drive::honest(&cluster, operation);
        assert!(
            is_bound(&cluster, 1, operation_id),
            "on disk before round 1 is answered, and so before a share leaves"
        );
        drive.step_until(release);
        drop(drive);
        cluster.restart(1);
        // It counts as signed: the same message may be tried again, another one not.
        let again = |digest| Operation::Sign {
            operation_id,
            attempt: attempt + 1,
            wallet_id: WALLET,
            curve,
            path: vec![],
            signers: vec![1, 3],
            payload: Payload::RawDigest(digest),
        };
        assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(again([8; 32])))), MessageConflict);
        Drive::honest(&cluster, again([7; 32])).finish();
    }
}

/// A node that comes up again has no nonce of before, in no round, and nothing that it is sent makes it use one.
#[test]
fn nonce_single_use_after_crash() {
    for (curve, last) in [(Curve::Secp256k1, 4), (Curve::Ed25519, 3)] {
        for crashed_after in 1..last {
            let mut cluster = TestCluster::with_keys();
            let before = files(&cluster);
            let operation = raw(curve, &[1, 2]);
            let mut drive = Drive::opened(&cluster, cluster.command(operation.clone()), None);
            let (hellos, command) = (drive.hellos(), drive.command.clone());
            drive.start();
            drive.step_until(crashed_after);
            let inbound = drive.mail()[&1].clone();
            drop(drive);
            assert_eq!(files(&cluster), before, "no round state is on disk");
            cluster.restart(1);
            let command_id = command.command_id;
            let next = RequestBody::Continue { command_id, round: crashed_after + 1, inbound };
            assert_refused(&cluster.ask(1, next.clone()), UnknownSession);
            assert_refused(&cluster.ask(1, RequestBody::Start { command_id, hellos: hellos.clone() }), UnknownSession);
            assert_refused(&cluster.ask(1, cluster.signed(&command)), CommandUsed);
            // Another attempt has a hello of its own, so the old ones do not fit it, and nonces of its own.
            let Operation::Sign { operation_id, wallet_id, path, signers, payload, .. } = operation else {
                unreachable!()
            };
            let again = Operation::Sign { operation_id, attempt: 2, wallet_id, curve, path, signers, payload };
            let mut drive = Drive::opened(&cluster, cluster.command(again.clone()), None);
            let start = RequestBody::Start { command_id: drive.command.command_id, hellos };
            drive.answers = [(1, cluster.ask(1, start))].into();
            assert_refused(&drive.answers[&1], Unauthorized);
            drop(drive);
            Drive::honest(&cluster, again).finish();
        }
    }
}

/// All files of node 1 but the journal, which holds no round state by its tables.
fn files(cluster: &TestCluster) -> Vec<(PathBuf, Vec<u8>)> {
    let node = cluster.node_directory(1);
    let entries = [node.clone(), node.join("shares")].map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.is_file() && !path.ends_with("journal.redb"))
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
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
    assert!(mpc_node::process::provision::init_node(&node, 1, &inside).is_err());
}

#[test]
fn sid_reuse_in_the_journal() {
    use mpc_node::storage::journal::Record;
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
    use mpc_node::policy::Charge;
    use mpc_node::storage::journal::Record;
    let directory = temporary();
    let journal = Journal::open(&directory.join("journal.redb")).unwrap();
    let then_ms = now_ms() - 5 * 86_400_000;
    let begin = |command: u8, amount, ms| {
        let charge = Charge {
            window_start_ms: 0,
            window_end_ms: then_ms,
            counter: [1; 32],
            subject: [command; 16],
            amount,
            limit: 10,
            sentence: "enough",
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
    assert_eq!(code(begin(2, 4, then_ms)), Busy);
    journal.write(begin(3, 3, then_ms)).expect("a clock that is right again is believed");
    // What was signed says that time went on: the first is forgotten, and refused as what it is.
    journal.write(begin(4, 0, then_ms + 3 * 86_400_000)).unwrap();
    assert_eq!(code(begin(1, 1, then_ms)), Expired);
    drop(journal);
    std::fs::remove_dir_all(directory).unwrap();
}

/// A reader has the old share's bytes in its hands while a refresh commits: what it read must not be kept as the share.
/// A pipe in the file's place holds it there.
#[test]
fn what_was_read_before_a_commit_is_not_kept_over_it() {
    use std::os::unix::ffi::OsStrExt;
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let confirmations = cluster.refresh(curve, 1);
    cluster.stop(1);
    let path = share(&cluster, 1, "ed25519");
    let old = std::fs::read(&path).unwrap();
    let data_key = (data_key_path(&cluster, 1, curve), std::fs::read(data_key_path(&cluster, 1, curve)).unwrap());
    let aside = path.with_extension("aside");
    std::fs::rename(&path, &aside).unwrap();
    let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a string that ends with a zero and outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let seal = Seal::new(&cluster.store_key(1));
    let vault = Vault::open(cluster.node_directory(1).join("shares"), seal, 1).unwrap();
    let epoch = || vault.share(WALLET, curve).unwrap().unwrap().statement.epoch;
    std::thread::scope(|scope| {
        let reader = scope.spawn(epoch);
        // Opens when the reader has opened its end.
        let mut pipe = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        std::fs::rename(&aside, &path).unwrap();
        let prepared = vault.prepared(&confirmations[0].statement).unwrap().unwrap();
        vault.commit(prepared, confirmations.clone(), &cluster.cluster_file().roster, |_| Ok(false)).unwrap();
        assert_eq!(epoch(), 1);
        // The reader has it already.
        std::fs::write(&data_key.0, &data_key.1).unwrap();
        pipe.write_all(&old).unwrap();
        drop(pipe);
        assert_eq!(reader.join().unwrap(), 0, "it read the old one");
    });
    assert_eq!(epoch(), 1);
}
