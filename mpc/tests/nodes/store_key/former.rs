//! Directories as versions up to 0.1.0 wrote them: shares sealed by the store key itself, `identity.key` and `tls.key`
//! in plain. Made here from their description, not by the program.

use super::{key_file, rotated};
use crate::keys::refresh::{committed_path, data_key_path};
use crate::support::fixture::*;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::XChaCha20Poly1305;
use mpc_node::crypto::seal::Seal;
use mpc_node::process::backup::back_up;
use mpc_node::process::provision;
use mpc_node::storage::secret_file::SecretFile;
use mpc_node::wire::*;

/// Turns the directory of a node that is stopped into one of before.
pub fn as_before(cluster: &TestCluster, index: u8) {
    let node = cluster.node_directory(index);
    let store = XChaCha20Poly1305::new(&cluster.store_key(index).into());
    let sealed = |text: &[u8], aad: &[u8]| store.encrypt(&[5; 24].into(), Payload { msg: text, aad }).unwrap();
    for curve in CURVES {
        let (path, key_path) = (committed_path(cluster, index, curve), data_key_path(cluster, index, curve));
        let (share, wrapped) = (std::fs::read(&path).unwrap(), std::fs::read(&key_path).unwrap());
        let session_id: [u8; 32] = share[5..37].try_into().unwrap();
        let nonce = |bytes: &[u8]| <[u8; 24]>::try_from(bytes).unwrap().into();
        let aad = encode(&("countersign/v1/data-key", 1u8, WALLET, curve, index, session_id));
        let data_key = store.decrypt(&nonce(&wrapped[1..25]), Payload { msg: &wrapped[25..], aad: &aad }).unwrap();
        let cipher = XChaCha20Poly1305::new_from_slice(&data_key).unwrap();
        let aad = encode(&("countersign/v1/share", 2u8, WALLET, curve, index, 0u32, session_id, None::<[u8; 32]>));
        let content = cipher.decrypt(&nonce(&share[37..61]), Payload { msg: &share[61..], aad: &aad }).unwrap();
        let aad = encode(&("countersign/v1/share", 1u8, WALLET, curve, index, 0u32, None::<[u8; 32]>));
        std::fs::write(&path, [&[1, 0, 0, 0, 0][..], &[5; 24], &sealed(&content, &aad)].concat()).unwrap();
        std::fs::remove_file(key_path).unwrap();
    }
    let check = [&[5; 24][..], &sealed(b"store key", &[index])].concat();
    std::fs::write(node.join("shares/store-key.check"), check).unwrap();
    let seal = Seal::new(&cluster.store_key(index));
    for (file, name) in [(SecretFile::Identity, "identity.key"), (SecretFile::TlsKey, "tls.key")] {
        let plain = file.read(&node, &seal).unwrap();
        std::fs::write(node.join(name), plain).unwrap();
    }
}

/// All is in the form that the former version of the program reads.
#[track_caller]
pub fn is_as_before(cluster: &TestCluster, index: u8) {
    let node = cluster.node_directory(index);
    assert_eq!(std::fs::read(node.join("identity.key")).unwrap().len(), 32);
    assert!(std::fs::read(node.join("tls.key")).unwrap().starts_with(b"-----BEGIN"));
    assert_eq!(std::fs::read(node.join("shares/store-key.check")).unwrap().len(), 24 + 9 + 16);
    for entry in std::fs::read_dir(node.join("shares")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(!name.ends_with(".key"), "{name}");
        assert!(name == "store-key.check" || std::fs::read(&path).unwrap()[0] == 1, "{name}");
    }
}

#[test]
fn a_directory_of_before_serves_and_stays_readable_for_the_former_version() {
    let mut cluster = TestCluster::with_keys();
    (1..=3).for_each(|index| cluster.stop(index));
    as_before(&cluster, 1);
    (1..=3).for_each(|index| cluster.restart(index));
    for curve in CURVES {
        cluster.every_quorum_signs(curve);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
    cluster.refresh(Curve::Ed25519, 2);
    is_as_before(&cluster, 1);
    provision::init_node(&cluster.node_directory(1), 1, &key_file(&cluster, 1)).unwrap();
    cluster.stop(1);
    // A new identity for the same machine, too.
    for name in ["identity.key", "tls.key", "tls.crt"] {
        std::fs::remove_file(cluster.node_directory(1).join(name)).unwrap();
    }
    provision::init_node(&cluster.node_directory(1), 1, &key_file(&cluster, 1)).unwrap();
    is_as_before(&cluster, 1);
}

#[test]
fn a_rotation_gives_a_directory_of_before_data_keys_and_seals_its_secrets() {
    let mut cluster = TestCluster::with_keys();
    (1..=3).for_each(|index| cluster.stop(index));
    let (old, new) = (key_file(&cluster, 1), cluster.directory.join("new-key"));
    let identity = cluster.identity(1);
    as_before(&cluster, 1);
    let (prepared_curve, seed) =
        (Curve::Ed25519, std::fs::read(cluster.node_directory(1).join("identity.key")).unwrap());
    (1..=3).for_each(|index| cluster.restart(index));
    let confirmations = cluster.refresh(prepared_curve, 1);
    cluster.stop(1);
    assert_eq!(seed, identity.to_bytes());
    assert_eq!(rotated(&cluster, 1, &old, &new), (true, r#"{"data_keys":3,"status":"rotated"}"#.into()));
    assert!(cluster.try_start(1).err().unwrap().contains("store key"));
    std::fs::rename(&new, &old).unwrap();
    assert_eq!(cluster.identity(1), identity);
    assert!(!super::contents(&cluster, 1).iter().any(|(_, bytes)| bytes.windows(32).any(|at| at == seed)));
    cluster.restart(1);
    // Also what was prepared before.
    (1..=3).for_each(|index| assert!(matches!(cluster.commit(index, &confirmations), ResponseBody::Committed(_))));
    CURVES.iter().for_each(|curve| cluster.every_quorum_signs(*curve));
    // A share of before has no place in it any more.
    cluster.stop(1);
    let to = cluster.directory.join("backup");
    let public_key = provision::init_backup(&cluster.directory.join("offline")).unwrap();
    let public_key = hex::decode(public_key["backup_public_key"].as_str().unwrap()).unwrap().try_into().unwrap();
    assert_eq!(back_up(&cluster.node_directory(1), 1, &cluster.store_key(1), public_key, &to), Ok(2));
}
