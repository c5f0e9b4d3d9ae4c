//! Goal: what the store key protects is worth nothing without it; it can be changed, and no crash loses a share over
//! that; and a data key goes with its share, so that a block of the disk that has kept an old share is worth nothing to
//! whoever comes to the store key later. Method: real directories, the command itself, and files put where they do not
//! belong. `former` has directories as versions of before wrote them.

mod former;
mod killed;
mod runbook;

use crate::attacks::child::Child;
use crate::keys::refresh::{committed_path, data_key_path};
use crate::processes::BINARY;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::crypto::seal::Seal;
use mpc_node::process::provision;
use mpc_node::process::rotate_store_key::{rotate, Rotated};
use mpc_node::storage::identity::read_identity;
use mpc_node::storage::secret_file::SecretFile;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::{Path, PathBuf};
use std::process::Command;

fn key_file(cluster: &TestCluster, index: u8) -> PathBuf {
    cluster.directory.join(format!("key-{index}"))
}

fn rotation(cluster: &TestCluster, index: u8, old: &Path, new: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.arg("rotate-store-key").arg("--dir").arg(cluster.node_directory(index));
    command.arg("--store-key-file").arg(old).arg("--new-store-key-file").arg(new);
    command
}

/// What it says, on either output.
fn rotated(cluster: &TestCluster, index: u8, old: &Path, new: &Path) -> (bool, String) {
    let output = rotation(cluster, index, old, new).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap().trim().to_string())
}

#[test]
fn a_rotated_node_signs_by_the_new_key_and_the_old_one_opens_nothing() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let (old, new) = (key_file(&cluster, 1), cluster.directory.join("new-key"));
    let identity = cluster.identity(1);
    assert_eq!(rotated(&cluster, 1, &old, &new), (true, r#"{"data_keys":2,"status":"rotated"}"#.into()));
    assert_eq!(rotated(&cluster, 1, &old, &new), (true, r#"{"status":"rotated_before"}"#.into()));
    assert!(cluster.try_start(1).err().unwrap().contains("store key"));
    let seal = |path: &Path| Seal::new(&provision::parse_store_key(&std::fs::read_to_string(path).unwrap()).unwrap());
    for file in [SecretFile::Identity, SecretFile::TlsKey] {
        assert!(file.read(&cluster.node_directory(1), &seal(&old)).unwrap_err().contains("store key"));
        file.read(&cluster.node_directory(1), &seal(&new)).unwrap();
    }
    std::fs::rename(&new, &old).unwrap();
    assert_eq!(cluster.identity(1), identity);
    cluster.restart(1);
    for curve in CURVES {
        cluster.every_quorum_signs(curve);
    }
    cluster.refresh_and_commit(Curve::Ed25519, 1);
    cluster.every_quorum_signs(Curve::Ed25519);
    // A second time, now with a refreshed share.
    cluster.stop(1);
    assert!(rotated(&cluster, 1, &old, &new).0);
    std::fs::rename(&new, &old).unwrap();
    let child = Child::serve(&cluster, 1);
    let mut drive = Drive::opened(&cluster, cluster.command(raw(Curve::Ed25519, &[1, 2])), Some((1, Box::new(&child))));
    drive.start();
    drive.finish();
}

#[test]
fn what_must_not_be_rotated_is_refused_in_a_sentence_and_stays() {
    let mut cluster = TestCluster::with_keys();
    let (old, new) = (key_file(&cluster, 1), cluster.directory.join("new-key"));
    cluster.stop(1);
    let before = contents(&cluster, 1);
    let refused = |old: &Path, new: &Path, reason: &str| {
        let (done, said) = rotated(&cluster, 1, old, new);
        assert!(!done && said.contains(reason) && said.lines().count() == 1, "{said}");
        assert_eq!(contents(&cluster, 1), before);
    };
    refused(&key_file(&cluster, 2), &new, "the old store key is not the one");
    refused(&old, &old, "the new store key is the old one");
    refused(&old, &cluster.node_directory(1).join("shares/key"), "must not lie in the folder of the shares");
    refused(&cluster.directory.join("none"), &new, "cannot read the store key");
    let child = Child::serve(&cluster, 1);
    let (done, said) = rotated(&cluster, 1, &old, &new);
    assert!(!done && said.contains("another process serves"), "{said}");
    child.kill();
    // A share that the old key does not open would be lost with it.
    let path = committed_path(&cluster, 1, Curve::Ed25519);
    let data_key = data_key_path(&cluster, 1, Curve::Ed25519);
    std::fs::write(&data_key, b"torn").unwrap();
    let before = contents(&cluster, 1);
    let (done, said) = rotated(&cluster, 1, &old, &new);
    assert!(!done && said.contains(&format!("{} cannot be opened", data_key.display())), "{said}");
    assert_eq!(contents(&cluster, 1), before);
    // Out of the way, the rest goes on.
    std::fs::remove_file(data_key).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(rotated(&cluster, 1, &old, &new).1, r#"{"data_keys":1,"status":"rotated"}"#);
}

/// All files of a node but the journal and the lock.
fn contents(cluster: &TestCluster, index: u8) -> Vec<(PathBuf, Vec<u8>)> {
    let node = cluster.node_directory(index);
    let entries = [node.clone(), node.join("shares")].map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.into_iter().flatten().map(|entry| entry.unwrap().path());
    let is_kept = |path: &PathBuf| path.is_file() && !path.ends_with("journal.redb") && !path.ends_with("lock");
    let mut files: Vec<_> = paths.filter(is_kept).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn identity_and_tls_key_are_nothing_without_the_store_key() {
    let mut cluster = TestCluster::with_keys();
    let node = cluster.node_directory(1);
    let (seal, seed) = (Seal::new(&cluster.store_key(1)), cluster.identity(1).to_bytes());
    let tls_key = SecretFile::TlsKey.read(&node, &seal).unwrap();
    assert!(tls_key.starts_with(b"-----BEGIN"));
    let bytes = ["identity.key", "tls.key"].map(|name| std::fs::read(node.join(name)).unwrap());
    assert!(!bytes[0].windows(32).any(|window| window == seed));
    assert!(!bytes[1].windows(16).any(|window| window == &tls_key[40..56]));
    let other = Seal::new(&cluster.store_key(2));
    assert!(read_identity(&node, &other).unwrap_err().contains("store key"));
    assert!(SecretFile::TlsKey.read(&node, &other).unwrap_err().contains("store key"));
    // In each other's place, another node's, or torn.
    cluster.stop(1);
    let mut torn = bytes[0].clone();
    *torn.last_mut().unwrap() ^= 1;
    let of_node_2 = std::fs::read(cluster.node_directory(2).join("identity.key")).unwrap();
    for stranger in [&bytes[1], &of_node_2, &torn] {
        std::fs::write(node.join("identity.key"), stranger).unwrap();
        assert!(cluster.try_start(1).err().unwrap().contains("store key"));
    }
    std::fs::write(node.join("tls.key"), &bytes[0]).unwrap();
    assert!(SecretFile::TlsKey.read(&node, &seal).is_err());
    // `init` keeps them, and makes none in the place of what it cannot open.
    assert!(provision::init_node(&node, 1, &key_file(&cluster, 1)).is_err());
    std::fs::write(node.join("identity.key"), &bytes[0]).unwrap();
    std::fs::write(node.join("tls.key"), &bytes[1]).unwrap();
    provision::init_node(&node, 1, &key_file(&cluster, 1)).unwrap();
    assert!(provision::init_node(&node, 1, &key_file(&cluster, 2)).unwrap_err().contains("store key"));
    cluster.restart(1);
}

/// With one store key at two nodes, so that nothing but what is bound to the files tells them apart.
#[test]
fn a_data_key_opens_the_share_of_its_own_session_key_and_node_alone() {
    let mut cluster = TestCluster::with_keys();
    let same = cluster.directory.join("same-key");
    for index in [1, 2] {
        cluster.stop(index);
        let old = cluster.store_key(index);
        let done = rotate(&cluster.node_directory(index), &old, &same, &mut || {}).unwrap();
        assert_eq!(done, Rotated::Now(2));
        std::fs::copy(&same, key_file(&cluster, index)).unwrap();
        cluster.restart(index);
    }
    let curve = Curve::Ed25519;
    let (own, share) = (data_key_path(&cluster, 1, curve), committed_path(&cluster, 1, curve));
    let (whole, whole_share) = (std::fs::read(&own).unwrap(), std::fs::read(&share).unwrap());
    let read = |path: PathBuf| std::fs::read(path).unwrap();
    let (of_node_2, of_curve) =
        (read(data_key_path(&cluster, 2, curve)), read(data_key_path(&cluster, 1, Curve::Secp256k1)));
    cluster.refresh_and_commit(curve, 1);
    let (present, present_share) = (data_key_path(&cluster, 1, curve), read(share.clone()));
    let present_key = read(present.clone());
    let is_unreadable = |cluster: &mut TestCluster| {
        cluster.restart(1);
        assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
    };
    for stranger in [of_node_2, of_curve, whole.clone(), vec![], present_key[..40].to_vec()] {
        std::fs::write(&present, stranger).unwrap();
        is_unreadable(&mut cluster);
    }
    std::fs::write(&present, &present_key).unwrap();
    // The share of the epoch before with the key of now, named as if it were its own.
    std::fs::write(&share, [&whole_share[..5], &present_share[5..37], &whole_share[37..]].concat()).unwrap();
    is_unreadable(&mut cluster);
    std::fs::write(&share, present_share).unwrap();
    cluster.restart(1);
    cluster.every_quorum_signs(curve);
}

#[test]
fn a_data_key_goes_with_its_epoch_and_the_old_share_with_it() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let (share, data_key) = (committed_path(&cluster, 1, curve), data_key_path(&cluster, 1, curve));
        let (old_share, old_key) = (std::fs::read(&share).unwrap(), std::fs::read(&data_key).unwrap());
        // Another name of the same blocks.
        let watched = cluster.directory.join("watched");
        std::fs::hard_link(&data_key, &watched).unwrap();
        cluster.refresh_and_commit(curve, 1);
        assert!(!data_key.exists());
        assert_eq!(std::fs::read(&watched).unwrap(), vec![0; old_key.len()], "overwritten");
        let present = data_key_path(&cluster, 1, curve);
        assert!(present.exists() && keys_of(&cluster, curve) == 1);
        // The disk has kept the share of before, and the store key is the one that it was sealed under.
        let (present_share, present_key) = (std::fs::read(&share).unwrap(), std::fs::read(&present).unwrap());
        std::fs::write(&share, &old_share).unwrap();
        cluster.restart(1);
        assert_refused(&cluster.key_state(1, curve), ShareUnreadable);
        // It needs the block of the data key, too.
        std::fs::write(&data_key, &old_key).unwrap();
        cluster.restart(1);
        assert!(matches!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Committed(_))));
        assert!(!present.exists(), "to that disk the share of now is another's");
        std::fs::write(&share, present_share).unwrap();
        std::fs::write(&present, present_key).unwrap();
        // A crash between the erasure of a share and that of its data key leaves this, and the start ends it.
        cluster.restart(1);
        assert!(!data_key.exists() && present.exists());
        cluster.every_quorum_signs(curve);
    }
}

fn keys_of(cluster: &TestCluster, curve: Curve) -> usize {
    let begins = format!("{}.{}.", hex::encode(WALLET), crate::keys::refresh::name_of(curve));
    let names = std::fs::read_dir(cluster.node_directory(1).join("shares")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(&begins) && name.ends_with(".key")).count()
}

/// A generation that was given up, a refresh that is prepared, and one that is over.
#[test]
fn each_prepared_share_has_a_data_key_for_as_long_as_it_is_there() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    cluster.refresh(curve, 1);
    let confirmations = cluster.refresh(curve, 1);
    assert_eq!(keys_of(&cluster, curve), 3);
    cluster.restart(1);
    assert_eq!(keys_of(&cluster, curve), 3, "none is taken for one that is over");
    (1..=3).for_each(|index| drop(cluster.commit(index, &confirmations)));
    cluster.restart(1);
    cluster.every_quorum_signs(curve);
    let prepared = cluster.held(1, curve).1.len();
    assert_eq!(keys_of(&cluster, curve), 1 + prepared);
    cluster.refresh_and_commit(curve, 2);
    assert_eq!(keys_of(&cluster, curve), 1);
}
