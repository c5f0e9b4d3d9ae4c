//! Goal: a refresh gives all nodes new shares of the same key, and what was before is of no use. Method: refresh, sign,
//! try old shares, epochs and subsets; look for the old bytes on disk. What a liar can do: see `refresh_rogue`.

use crate::signing::{child_key, verify};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::crypto::seal::Seal;
use mpc_node::keys::key_material::KeyMaterial;
use mpc_node::keys::share::Share;
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::Path;
use std::sync::Arc;

#[test]
fn the_key_stays_and_every_quorum_signs() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let before = cluster.confirmations(curve)[0].statement.clone();
        let epochs = if curve == Curve::Ed25519 { 3 } else { 1 };
        for epoch in 1..=epochs {
            let after = cluster.refresh_and_commit(curve, epoch)[0].statement.clone();
            assert_eq!((after.epoch, &after.public_key), (epoch, &before.public_key));
            assert_eq!(after.chain_code, before.chain_code);
        }
        cluster.restart(1);
        let key = child_key(curve, &before.public_key, before.chain_code, &[4, 9]);
        for signers in QUORUMS {
            let operation = signing(curve, &signers, &[4, 9], Payload::RawDigest([3; 32]));
            verify(curve, &key, [3; 32], &Drive::honest(&cluster, operation).finish());
        }
    }
}

#[test]
fn subset_refresh() {
    let cluster = TestCluster::with_keys();
    for curve in CURVES {
        let refused = |operation: Operation, code| {
            assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(operation))), code);
        };
        let refreshing = |epoch: u32, nodes: &[u8]| {
            let (wallet_id, nodes) = (WALLET, nodes.to_vec());
            Operation::Refresh { wallet_id, curve, epoch, nodes }
        };
        for nodes in [&[1, 2][..], &[2, 3], &[1, 3, 2], &[1, 2, 2], &[1, 2, 3, 4], &[]] {
            refused(refreshing(1, nodes), InvalidRequest);
        }
        for epoch in [0, 5, 6, u32::MAX] {
            refused(refreshing(epoch, &[1, 2, 3]), WrongEpoch);
        }
        let wallet_id = [0xbb; 16];
        refused(Operation::Refresh { wallet_id, curve, epoch: 1, nodes: vec![1, 2, 3] }, UnknownWallet);
    }
}

#[test]
fn mixed_epoch_sign() {
    for curve in CURVES {
        let cluster = TestCluster::with_keys();
        let confirmations = cluster.refresh(curve, 1);
        cluster.commit(1, &confirmations);
        // Node 1 is ahead: who is behind does not meet it, and the others go on with the old epoch.
        let drive = Drive::with(&cluster, cluster.command(raw(curve, &[1, 2])), None);
        assert_refused_by(&drive.answers[&1], Unauthorized, 2);
        assert_refused_by(&drive.answers[&2], Unauthorized, 1);
        drop(drive);
        Drive::honest(&cluster, raw(curve, &[2, 3])).finish();
        assert_no_bans(&cluster);
        assert_eq!(cluster.converge(curve), 1);
        cluster.every_quorum_signs(curve);
    }
}

/// Why the old ones must go from every disk: a threshold of them is the key still, and one with a new one is not.
#[test]
fn old_shares_together_are_the_key_so_their_bytes_go() {
    for curve in CURVES {
        let cluster = TestCluster::with_keys();
        let public_key = cluster.confirmations(curve)[0].statement.public_key.clone();
        let old = [1, 2, 3].map(|index| share(&cluster, index, curve));
        let mut before = vec![];
        for index in 1..=3u8 {
            let path = committed_path(&cluster, index, curve);
            // A second name for the same bytes on disk: what is erased shows there.
            let watched = cluster.directory.join(format!("watched-{index}"));
            std::fs::hard_link(&path, &watched).unwrap();
            before.push((index, std::fs::read(&path).unwrap(), watched));
        }
        cluster.refresh_and_commit(curve, 1);
        let new = [1, 2, 3].map(|index| share(&cluster, index, curve));
        assert!(combined_is_key(&old[0], &old[1], &public_key));
        assert!(combined_is_key(&new[0], &new[1], &public_key));
        assert!(!combined_is_key(&old[0], &new[1], &public_key));
        for (index, ciphertext, watched) in before {
            assert_eq!(std::fs::read(watched).unwrap(), vec![0; ciphertext.len()], "overwritten");
            let names = std::fs::read_dir(cluster.node_directory(index).join("shares")).unwrap();
            for entry in names.map(|entry| entry.unwrap()) {
                let name = entry.file_name().into_string().unwrap();
                assert!(!name.ends_with(".prepared") && !name.ends_with(".tmp"), "{name}");
                assert_ne!(std::fs::read(entry.path()).unwrap(), ciphertext, "{name}");
            }
        }
        // Node 3 says that it is at the new epoch, and signs with the old share.
        let with = |share: &Arc<Share>| {
            let stale = Rogue::with_share(&cluster, 3, share.clone(), 1);
            Drive::with(&cluster, cluster.command(raw(curve, &[1, 3])), Some(stale)).verdicts()
        };
        assert!(matches!(with(&new[2])[&1], ResponseBody::Round { outcome: Some(_), .. }));
        assert_refused(&with(&old[2])[&1], SessionAborted);
        assert_no_bans(&cluster);
    }
}

#[test]
fn sessions_of_the_old_epoch_end_with_it() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let mut running = Drive::honest(&cluster, raw(curve, &[1, 2]));
    let opened = Drive::opened(&cluster, cluster.command(raw(curve, &[1, 3])), None);
    let confirmations = cluster.refresh(curve, 1);
    cluster.commit(1, &confirmations);
    running.step();
    assert_refused(&running.answers[&1], UnknownSession);
    let body = RequestBody::Start { command_id: opened.command.command_id, hellos: opened.hellos() };
    assert_refused(&cluster.ask(1, body), UnknownSession);
}

/// A node whose share is of an older epoch than the others' does not meet them in the refresh of theirs.
#[track_caller]
pub fn assert_behind(cluster: &TestCluster, behind: u8, curve: Curve) {
    let drive = Drive::with(cluster, cluster.command(refreshing(curve, 2)), None);
    for (index, answer) in &drive.answers {
        let first_other = (1..=3).find(|other| (*other == behind) != (*index == behind)).unwrap();
        assert_refused_by(answer, Unauthorized, first_other);
    }
}

#[track_caller]
pub fn assert_no_bans(cluster: &TestCluster) {
    for index in 1..=3 {
        match cluster.ask(index, RequestBody::Health) {
            ResponseBody::Health(health) => assert_eq!(health.bans, vec![]),
            other => panic!("{other:?}"),
        }
    }
}

pub fn share(cluster: &TestCluster, index: u8, curve: Curve) -> Arc<Share> {
    let shares = cluster.node_directory(index).join("shares");
    let vault = Vault::open(shares, Seal::new(&cluster.store_key(index)), index).unwrap();
    vault.share(WALLET, curve).unwrap().unwrap()
}

pub fn name_of(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

pub fn committed_path(cluster: &TestCluster, index: u8, curve: Curve) -> std::path::PathBuf {
    let name = format!("{}.{}.committed", hex::encode(WALLET), name_of(curve));
    cluster.node_directory(index).join(Path::new("shares")).join(name)
}

/// Of the share that is committed now.
pub fn data_key_path(cluster: &TestCluster, index: u8, curve: Curve) -> std::path::PathBuf {
    let header = std::fs::read(committed_path(cluster, index, curve)).unwrap();
    let name = format!("{}.{}.{}.key", hex::encode(WALLET), name_of(curve), hex::encode(&header[5..37]));
    cluster.node_directory(index).join(Path::new("shares")).join(name)
}

/// Interpolated at zero: f(0) = 2 f(1) - f(2).
fn combined_is_key(first: &Share, second: &Share, public_key: &[u8]) -> bool {
    match (&first.material, &second.material) {
        (KeyMaterial::Secp256k1(first), KeyMaterial::Secp256k1(second)) => {
            let secret = first.poly_point + first.poly_point - second.poly_point;
            let point = (k256::ProjectivePoint::GENERATOR * secret).to_affine();
            mpc_node::keys::key_material::compressed(&point) == public_key
        }
        (KeyMaterial::Ed25519(first), KeyMaterial::Ed25519(second)) => {
            let packages = [first.package.clone(), second.package.clone()];
            let key = frost_ed25519::keys::reconstruct(&packages).unwrap();
            frost_ed25519::VerifyingKey::from(key).serialize().unwrap() == public_key
        }
        _ => unreachable!(),
    }
}
