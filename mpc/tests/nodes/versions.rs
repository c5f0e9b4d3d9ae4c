//! Goal: nodes with other protocol crates never meet in a session, and an honest one is not banned for its version.
//! Method: the name in the hello is that of the lock file, and a hello under another name is refused.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use ed25519_dalek::Signer;
use mpc_node::wire::hello::CRATE_VERSIONS;
use mpc_node::wire::refusal::RefusalCode::Unauthorized;
use mpc_node::wire::*;
use sha2::{Digest, Sha256};

#[test]
fn the_versions_are_those_of_the_lock_file() {
    let lock = include_str!("../../Cargo.lock");
    for named in CRATE_VERSIONS.split(' ') {
        let (name, version) = named.split_once('/').unwrap();
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")), "{named}");
    }
}

#[test]
fn skewed_version() {
    let cluster = TestCluster::with_keys();
    let drive = Drive::opened(&cluster, cluster.command(raw(Curve::Secp256k1, &[1, 2])), None);
    let mut hellos = drive.hellos();
    let root = cluster.confirmations(Curve::Secp256k1)[0].statement.public_key.clone();
    let digest: [u8; 32] = Sha256::digest(encode(&drive.command)).into();
    let identity = cluster.identity(2);
    let sign = |versions: &str, hello: &Hello| {
        let signed = encode(&(1u16, versions, digest, &root, 0u32, 2u8, hello.nonce, hello.ephemeral_public_key));
        identity.sign(&[b"countersign/v1/hello".as_slice(), &signed].concat()).to_bytes()
    };
    assert_eq!(sign(CRATE_VERSIONS, &hellos[1]), hellos[1].signature, "the bytes signed are those of PROTOCOL.md");
    hellos[1].signature = sign("dkls23/0.6.3 frost-ed25519/3.0.0", &hellos[1]);
    let answer = cluster.ask(1, RequestBody::Start { command_id: drive.command.command_id, hellos });
    assert_refused(&answer, Unauthorized);
    match cluster.ask(1, RequestBody::Health) {
        ResponseBody::Health(health) => assert_eq!(health.bans, vec![]),
        other => panic!("{other:?}"),
    }
}
