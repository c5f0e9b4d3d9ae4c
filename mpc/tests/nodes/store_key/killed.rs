//! Goal: a rotation that ends at any moment leaves a directory that one of both keys opens, whole, and the same command
//! brings it to its end. Method: the rotation is cut off before each of its steps; and the program is killed at work.

use super::former::as_before;
use super::{key_file, rotation};
use crate::support::fixture::*;
use mpc_node::crypto::seal::Seal;
use mpc_node::process::hardening::lock_directory;
use mpc_node::process::provision;
use mpc_node::process::rotate_store_key::{rotate, Rotated};
use mpc_node::storage::identity::read_identity;
use mpc_node::storage::secret_file::SecretFile;
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::Curve;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Whether this key opens all of it.
fn opens(directory: &Path, key: &[u8; 32], wallets: &[[u8; 16]]) -> bool {
    drop(lock_directory(directory).unwrap());
    let Ok(vault) = Vault::open(directory.join("shares"), Seal::new(key), 1) else { return false };
    vault.settle_all(&[0; 32]);
    for wallet_id in wallets {
        for curve in CURVES {
            // An error is a share that was lost.
            if let Some(share) = vault.share(*wallet_id, curve).unwrap() {
                assert!(share.signs);
            }
        }
    }
    assert_eq!(vault.keys().unwrap().len() as u32, vault.held_keys());
    read_identity(directory, &Seal::new(key)).unwrap();
    SecretFile::TlsKey.read(directory, &Seal::new(key)).unwrap();
    let names = [directory.to_path_buf(), directory.join("shares")].map(|folder| std::fs::read_dir(folder).unwrap());
    let names = names.into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for name in names {
        let is_left = name.ends_with(".tmp") || name.starts_with("replacement") || name.ends_with("committed.next");
        assert!(!is_left, "{name}");
    }
    true
}

fn read_key(path: &Path) -> [u8; 32] {
    *provision::parse_store_key(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_rotation_that_is_cut_off_before_any_step_is_no_rotation_or_a_whole_one() {
    for is_former in [false, true] {
        let mut cluster = TestCluster::with_keys();
        cluster.refresh(Curve::Ed25519, 1);
        cluster.stop(1);
        if is_former {
            let mut plain = TestCluster::with_keys();
            plain.stop(1);
            as_before(&plain, 1);
            cluster = plain;
        }
        let (mut step, mut ends) = (0, [0, 0]);
        loop {
            let directory = cluster.directory.join(format!("cut-off-{step}"));
            copy(&cluster.node_directory(1), &directory);
            let (old, new_file) = (cluster.store_key(1), cluster.directory.join(format!("new-{step}")));
            let mut left = step;
            let cut_off = catch_unwind(AssertUnwindSafe(|| {
                rotate(&directory, &old, &new_file, &mut || {
                    assert!(left > 0, "cut off on purpose");
                    left -= 1;
                })
            }));
            let new = read_key(&new_file);
            let by = [old, new].map(|key| opens(&directory, &key, &[WALLET]));
            assert!(by[0] != by[1], "one key opens it after {step} steps, and that one alone: {by:?}");
            ends[usize::from(by[1])] += 1;
            if cut_off.is_ok() {
                assert!(by[1]);
                break;
            }
            let again = rotate(&directory, &old, &new_file, &mut || {}).unwrap();
            assert_eq!(again == Rotated::Before, by[1]);
            assert!(opens(&directory, &new, &[WALLET]) && !opens(&directory, &old, &[WALLET]));
            step += 1;
        }
        assert!(ends[0] > 5 && ends[1] > 5, "steps on both sides: {ends:?}");
    }
}

#[test]
fn a_rotation_that_is_killed_at_work_is_no_rotation_or_a_whole_one() {
    let mut cluster = TestCluster::new();
    let wallets: Vec<_> = (0..30).map(|_| id()).collect();
    wallets.iter().for_each(|wallet_id| cluster.generate_and_commit(*wallet_id, Curve::Ed25519));
    cluster.stop(1);
    let (old, new) = (key_file(&cluster, 1), cluster.directory.join("new-key"));
    let whole = Instant::now();
    assert!(rotation(&cluster, 1, &old, &new).output().unwrap().status.success());
    let whole = whole.elapsed();
    let (mut keys, mut killed) = ([read_key(&new), [0; 32]], 0);
    std::fs::rename(&new, &old).unwrap();
    for part in 1..=24u32 {
        let mut child = rotation(&cluster, 1, &old, &new).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * part / 24);
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        if !new.exists() {
            continue;
        }
        keys[1] = read_key(&new);
        let by = keys.map(|key| opens(&cluster.node_directory(1), &key, &wallets));
        assert!(by[0] != by[1], "{by:?}");
        if by[1] {
            std::fs::rename(&new, &old).unwrap();
            keys[0] = keys[1];
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(killed > 3, "most were killed at work: {killed}");
}
