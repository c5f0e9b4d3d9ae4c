//! Goal: a node that is lost comes back from its backup, and nothing that happened since can be undone by that. Method:
//! the rehearsal (back up, wipe, restore, refresh, sign), an old backup, a damaged one, a wrong key, the binary itself.

use crate::keys::refresh::assert_behind;
use crate::samples::evm::Transaction;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::cluster::Cluster;
use mpc_node::crypto::sealed_stream::{SealedReader, SealedWriter};
use mpc_node::process::backup::{back_up, restore, Source};
use mpc_node::process::provision;
use mpc_node::storage::journal::{Journal, Record};
use mpc_node::wire::command::Payload;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use x25519_dalek::StaticSecret;

pub fn backup_key(cluster: &TestCluster) -> (PathBuf, [u8; 32]) {
    let public = provision::init_backup(&cluster.directory.join("offline")).unwrap();
    let public_key = hex::decode(public["backup_public_key"].as_str().unwrap()).unwrap().try_into().unwrap();
    (cluster.directory.join("offline/backup.key"), public_key)
}

/// Stops the node for it, and starts it again.
pub fn backed_up(cluster: &mut TestCluster, index: u8) -> PathBuf {
    let (_, public_key) = backup_key(cluster);
    let to = cluster.directory.join("backup");
    cluster.stop(index);
    let shares = back_up(&cluster.node_directory(index), index, &cluster.store_key(index), public_key, &to);
    assert_eq!(shares, Ok(2));
    cluster.restart(index);
    to
}

pub fn wipe(cluster: &mut TestCluster, index: u8) {
    cluster.stop(index);
    std::fs::remove_dir_all(cluster.node_directory(index)).unwrap();
    std::fs::remove_file(cluster.directory.join(format!("key-{index}"))).unwrap();
}

pub fn source<'s>(from: &'s Path, backup_key: &'s StaticSecret, cluster: &'s Cluster) -> Source<'s> {
    Source { from, backup_key, cluster, accepts_unsigned: false }
}

/// Under a new store key: the old one may have been lost with the machine.
pub fn restored(cluster: &mut TestCluster, index: u8, from: &Path) {
    let key = provision::read_backup_key(&backup_key(cluster).0).unwrap();
    let store_key_file = cluster.directory.join(format!("key-{index}"));
    let file = cluster.cluster_file();
    restore(&cluster.node_directory(index), &store_key_file, &source(from, &key, &file)).unwrap();
    cluster.restart(index);
}

/// A restored node refuses for two minutes what may have been signed before: tests do not wait for that.
pub fn later(cluster: &mut TestCluster, index: u8) {
    assert!(write_meta(cluster, index, "expiry_floor_ms", 0) > Some(now_ms()));
}

#[test]
fn the_rehearsal() {
    let mut cluster = TestCluster::with_keys();
    let (root_public_key, identity) = (vec![2; 33], [7; 32]);
    let ban = Ban { root_public_key, peer: 3, generation: 0, at_ms: 1 };
    cluster.stop(2);
    let journal = Journal::open(&cluster.node_directory(2).join("journal.redb")).unwrap();
    journal.write(Record::Ban { ban: ban.clone(), identity }).unwrap();
    drop(journal);
    let command = cluster.command(raw(Curve::Ed25519, &[2, 3]));
    let backup = backed_up(&mut cluster, 2);
    wipe(&mut cluster, 2);
    CURVES.iter().for_each(|curve| drop(Drive::honest(&cluster, raw(*curve, &[1, 3])).finish()));
    restored(&mut cluster, 2, &backup);
    match cluster.ask(2, RequestBody::Health) {
        ResponseBody::Health(health) => assert_eq!((health.keys, health.bans), (2, vec![ban])),
        other => panic!("{other:?}"),
    }
    // What was signed for the node before the restore may have been used before the loss.
    assert_refused(&cluster.ask(2, cluster.signed(&command)), Expired);
    later(&mut cluster, 2);
    for curve in CURVES {
        assert!(!cluster.held(2, curve).2);
        assert_refused(&cluster.ask(2, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), NeedsRefresh);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
    cluster.restart(2);
    CURVES.iter().for_each(|curve| cluster.every_quorum_signs(*curve));
}

#[test]
fn a_backup_of_an_older_epoch_is_repaired_not_taken() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    cluster.refresh_and_commit(curve, 1);
    wipe(&mut cluster, 2);
    restored(&mut cluster, 2, &backup);
    later(&mut cluster, 2);
    assert_refused(&cluster.ask(2, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), NeedsRefresh);
    assert_behind(&cluster, 2, curve);
    // Its own next epoch is one that the others are past.
    assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(refreshing(curve, 1)))), WrongEpoch);
    Drive::honest(&cluster, raw(curve, &[1, 3])).finish();
    cluster.repair(curve, 2);
    cluster.refresh_and_commit(curve, 2);
    cluster.every_quorum_signs(curve);
}

/// Two of three machines gone: the restored one helps the other, since there is nobody else.
#[test]
fn a_restored_node_helps_to_repair_another() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    wipe(&mut cluster, 2);
    restored(&mut cluster, 2, &backup);
    later(&mut cluster, 2);
    cluster.stop(3);
    crate::removed::replace_node_3(&mut cluster);
    crate::removed::start_replacement(&mut cluster);
    cluster.restart(2);
    cluster.repair(curve, 3);
    cluster.refresh_and_commit(curve, 1);
    cluster.every_quorum_signs(curve);
}

fn write_meta(cluster: &mut TestCluster, index: u8, name: &str, value: u64) -> Option<u64> {
    cluster.stop(index);
    let journal = redb::Database::open(cluster.node_directory(index).join("journal.redb")).unwrap();
    let write = journal.begin_write().unwrap();
    let meta = redb::TableDefinition::<&str, u64>::new("meta");
    let before = write.open_table(meta).unwrap().insert(name, value).unwrap().map(|before| before.value());
    write.commit().unwrap();
    drop(journal);
    cluster.restart(index);
    before
}

/// What was counted after the backup is lost: the restored node must not grant its limits again.
#[test]
fn a_restored_node_counts_from_the_next_window_on() {
    let curve = Curve::Secp256k1;
    let policies = [
        (r#"{"raw_digests": true, "evm": {"any_chain": {"daily_max": "100"}}}"#, true),
        (r#"{"raw_digests": true, "rates": {"wallet_per_hour": 100}}"#, false),
    ];
    let pay = || {
        let transaction = Transaction { price: 0, ..Transaction::plain(1, [0xd1; 20], 1) }.eip_1559();
        signing(curve, &[1, 2], &[], Payload::EvmTransaction(transaction))
    };
    for (policy, raw_digests_are_free) in policies {
        let mut cluster = TestCluster::with_policy(policy);
        let backup = backed_up(&mut cluster, 2);
        wipe(&mut cluster, 2);
        restored(&mut cluster, 2, &backup);
        later(&mut cluster, 2);
        cluster.refresh_and_commit(curve, 1);
        let refused = |operation| match cluster.ask(2, cluster.signed(&cluster.command(operation))) {
            ResponseBody::Refused(refusal) => assert!(refusal.detail.contains("was restored"), "{}", refusal.detail),
            other => panic!("{policy}: {other:?}"),
        };
        refused(pay());
        if raw_digests_are_free {
            Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
        } else {
            refused(raw(curve, &[2, 3]));
        }
        // The others are not concerned, and a key test is not counted.
        Drive::honest(&cluster, signing(curve, &[1, 3], &[], Payload::KeyTest)).finish();
        Drive::honest(&cluster, signing(curve, &[2, 3], &[], Payload::KeyTest)).finish();
        // As it is once the window is over.
        assert!(write_meta(&mut cluster, 2, "counted_from_ms", 0) > Some(now_ms()));
        Drive::honest(&cluster, pay()).finish();
    }
}

#[test]
fn a_damaged_backup_or_a_wrong_key_restores_no_node() {
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    let (key_file, public_key) = backup_key(&cluster);
    let key = provision::read_backup_key(&key_file).unwrap();
    let good = std::fs::read(&backup).unwrap();
    let directory = cluster.directory.join("restored");
    let file = cluster.cluster_file();
    let refused = |bytes: &[u8], key: &_| {
        let from = cluster.directory.join("damaged");
        std::fs::write(&from, bytes).unwrap();
        let error = restore(&directory, &cluster.directory.join("new-key"), &source(&from, key, &file)).unwrap_err();
        assert!(!directory.join("identity.key").exists(), "{error}");
        let _ = std::fs::remove_dir_all(&directory);
        error
    };
    for at in [0, 25, 60, 70_000, good.len() / 2, good.len() - 1] {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        refused(&damaged, &key);
    }
    // Cut at the ends of chunks, too: whole ones are missing.
    let chunk = 64 * 1024 + 16;
    for length in [0, 10, 54, 54 + chunk, 54 + 2 * chunk, good.len() - 1] {
        refused(&good[..length], &key);
    }
    refused(&[good.clone(), vec![0]].concat(), &key);
    refused(&good, &StaticSecret::from([9; 32]));
    // A directory with a node in it, and a file with a backup in it, stay as they are.
    let node = cluster.node_directory(2);
    cluster.stop(2);
    let error = restore(&node, &cluster.directory.join("key-2"), &source(&backup, &key, &file)).unwrap_err();
    assert!(error.contains("holds a node already"), "{error}");
    assert!(back_up(&node, 2, &cluster.store_key(2), public_key, &backup).is_err());
    assert!(back_up(&node, 2, &cluster.store_key(2), [0; 32], &cluster.directory.join("weak")).is_err());
    assert_eq!(std::fs::read(&backup).unwrap(), good);
    // And no secret lies in it in the clear.
    let seed = cluster.identity(2).to_bytes();
    assert!(!good.windows(32).any(|window| window == seed));
    cluster.restart(2);
    CURVES.iter().for_each(|curve| cluster.every_quorum_signs(*curve));
}

/// Who has the public key, and even what an honest backup holds, writes one without the bans; and a backup of another
/// node, or of a machine that was replaced, is none of this one.
#[test]
fn a_backup_that_the_node_did_not_sign_is_not_restored() {
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    let (key_file, public_key) = backup_key(&cluster);
    let key = provision::read_backup_key(&key_file).unwrap();
    let file = cluster.cluster_file();
    let directory = cluster.directory.join("restored");
    let refused = |from: &Path, file: &Cluster, accepts_unsigned: bool| {
        let source = Source { accepts_unsigned, ..source(from, &key, file) };
        let error = restore(&directory, &cluster.directory.join("new-key"), &source).unwrap_err();
        assert!(!directory.join("identity.key").exists(), "{error}");
        let _ = std::fs::remove_dir_all(&directory);
        error
    };
    let content = opened(&backup, &key);
    let written = |name: &str, content: &[u8]| {
        let path = cluster.directory.join(name);
        let mut writer = SealedWriter::new(std::fs::File::create(&path).unwrap(), public_key).unwrap().unwrap();
        writer.write(content).unwrap();
        writer.finish().unwrap();
        path
    };
    const SIGNATURE_BYTES: usize = 4 + 1 + 64;
    let unsigned = &content[..content.len() - SIGNATURE_BYTES];
    let mut forged = content.clone();
    // The last byte of the entry before: the number of shares has no room for it, the journal's last piece has.
    let at = unsigned.len() - 4 - 1 - 4 - 1;
    forged[at] ^= 1;
    assert!(refused(&written("forged", &forged), &file, true).contains("did not sign it"));
    refused(&written("cut", unsigned), &file, true);
    // Under the number of the version from before, no signature is asked for: then the operator vouches for it.
    let mut former = unsigned.to_vec();
    former[5] = 1;
    let former = written("former", &former);
    assert!(refused(&former, &file, false).contains("add --accept-unsigned if you know"));
    let source = Source { accepts_unsigned: true, ..source(&former, &key, &file) };
    restore(&directory, &cluster.directory.join("new-key"), &source).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    crate::removed::replace_node_3(&mut cluster);
    let of_the_machine_before = {
        cluster.stop(3);
        let to = cluster.directory.join("backup-3");
        back_up(&cluster.node_directory(3), 3, &cluster.store_key(3), public_key, &to).unwrap();
        to
    };
    let source = super::backup::source(&of_the_machine_before, &key, &file);
    let now = cluster.cluster_file();
    let error = restore(&directory, &cluster.directory.join("new-key"), &Source { cluster: &now, ..source });
    assert!(error.unwrap_err().contains("node 3 of cluster.json did not sign it"));
}

/// All that is sealed in it.
fn opened(backup: &Path, key: &StaticSecret) -> Vec<u8> {
    let mut reader = SealedReader::new(std::fs::File::open(backup).unwrap(), key).unwrap();
    let mut content = vec![];
    while let Ok(byte) = reader.read(1) {
        content.extend_from_slice(&byte);
    }
    content
}

/// The machine lost its power, or its disk was full, while the last one was written.
#[test]
fn a_backup_that_was_interrupted_does_not_stop_the_next() {
    let mut cluster = TestCluster::with_keys();
    std::fs::write(cluster.directory.join("backup.partial"), b"what was written until then").unwrap();
    let backup = backed_up(&mut cluster, 2);
    assert!(!cluster.directory.join("backup.partial").exists());
    wipe(&mut cluster, 2);
    restored(&mut cluster, 2, &backup);
}

#[test]
fn the_commands_back_up_and_restore() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let directory = cluster.directory.clone();
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mpc-node"));
        let output = command.args(line.split(' ')).current_dir(&directory).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(if output.status.success() { output.stdout } else { output.stderr }).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        (output.status.success(), text)
    };
    let (_, public) = run("init-backup --dir offline");
    assert_eq!(run("init-backup --dir offline").1, public);
    let public: serde_json::Value = serde_json::from_str(&public).unwrap();
    let public_key = public["backup_public_key"].as_str().unwrap();
    let back_up =
        format!("backup --dir node-1 --index 1 --to b --backup-public-key {public_key} --store-key-file key-1");
    let lock = mpc_node::process::hardening::lock_directory(&directory.join("node-1")).unwrap();
    assert!(!run(&back_up).0, "of a node that runs there is none");
    drop(lock);
    assert_eq!(run(&back_up), (true, "{\"shares\":2}\n".to_string()));
    let restore = "restore --dir new --from b --backup-key-file offline/backup.key --store-key-file new-key --cluster cluster.json";
    let (restored, text) = run(restore);
    assert!(restored);
    let public: serde_json::Value = serde_json::from_str(&text).unwrap();
    let file: serde_json::Value =
        serde_json::from_slice(&std::fs::read(directory.join("cluster.json")).unwrap()).unwrap();
    assert_eq!(public["identity_public_key"], file["nodes"][0]["identity_public_key"]);
    assert_eq!(public["tls_certificate"], file["nodes"][0]["tls_certificate"]);
    assert!(!run(restore).0, "where it is restored already");
    let enrolment = run("init-enrolment --dir enrolment");
    assert!(enrolment.1.contains(file["enrolment_public_key"].as_str().unwrap()));
    std::fs::write(directory.join("keys.json"), "[]").unwrap();
    assert!(run("sign-enrolment --dir enrolment --cluster cluster.json --target 2 --keys keys.json").0);
}
