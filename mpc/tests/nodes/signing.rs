//! Goal: every quorum signs on both curves, for root and child keys, and the signature is right. Method: verify with
//! k256 and ed25519-dalek against child keys that are derived here, by other code than the node's.

use crate::keys::refresh::{assert_no_bans, share};
use crate::samples::{solana, typed_data};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::{EdwardsPoint, Scalar};
use hmac::{Hmac, Mac};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::elliptic_curve::sec1::ToSec1Point;
use mpc_node::wire::command::{Command, Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::{InvalidRequest, SessionAborted, Unauthorized};
use mpc_node::wire::*;
use sha2::{Digest, Sha512};

pub fn child_key(curve: Curve, root: &[u8], chain_code: [u8; 32], path: &[u32]) -> Vec<u8> {
    let (mut key, mut chain_code) = (root.to_vec(), chain_code);
    for index in path {
        let separator: &[u8] = if curve == Curve::Ed25519 { &[0] } else { &[] };
        let mut mac = Hmac::<Sha512>::new_from_slice(&chain_code).unwrap();
        mac.update(&[&key, separator, &index.to_be_bytes()].concat());
        let output = mac.finalize().into_bytes();
        key = match curve {
            Curve::Secp256k1 => add_secp256k1(&key, output[..32].try_into().unwrap()),
            Curve::Ed25519 => add_ed25519(&key, &output[..32]),
        };
        chain_code = output[32..].try_into().unwrap();
    }
    key
}

fn add_secp256k1(key: &[u8], tweak: [u8; 32]) -> Vec<u8> {
    let tweak = k256::SecretKey::from_slice(&tweak).unwrap().public_key().to_projective();
    let key = k256::PublicKey::from_sec1_bytes(key).unwrap().to_projective() + tweak;
    key.to_affine().to_sec1_point(true).as_bytes().to_vec()
}

/// The tweak digit by digit, most significant first: big-endian without relying on a reversal.
fn add_ed25519(key: &[u8], tweak: &[u8]) -> Vec<u8> {
    let tweak = tweak.iter().fold(Scalar::ZERO, |sum, byte| sum * Scalar::from(256u16) + Scalar::from(*byte));
    let point = CompressedEdwardsY(key.try_into().unwrap()).decompress().unwrap();
    (point + EdwardsPoint::mul_base(&tweak)).compress().to_bytes().to_vec()
}

/// Panics unless every outcome is the same good signature over `signed`, on secp256k1 a digest.
pub fn verify(curve: Curve, key: &[u8], signed: impl AsRef<[u8]>, outcomes: &[Outcome]) {
    let signed = signed.as_ref();
    for outcome in outcomes {
        let Outcome::Signature { bytes, recovery_id } = outcome else { panic!("{outcome:?}") };
        assert_eq!(outcome, &outcomes[0], "all nodes answer the same signature");
        if curve == Curve::Ed25519 {
            let key = ed25519_dalek::VerifyingKey::from_bytes(key.try_into().unwrap()).unwrap();
            key.verify_strict(signed, &ed25519_dalek::Signature::from_bytes(bytes)).unwrap();
            assert_eq!(*recovery_id, 0);
            continue;
        }
        let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(key).unwrap();
        let signature = k256::ecdsa::Signature::from_slice(bytes).unwrap();
        key.verify_prehash(signed, &signature).unwrap();
        assert_eq!(signature, signature.normalize_s(), "s is low");
        let recovery = k256::ecdsa::RecoveryId::from_byte(*recovery_id).unwrap();
        assert_eq!(k256::ecdsa::VerifyingKey::recover_from_prehash(signed, &signature, recovery).unwrap(), key);
    }
}

#[test]
fn every_quorum_signs_for_root_and_child_keys() {
    let cluster = TestCluster::with_keys();
    let paths: [&[u32]; 4] = [&[], &[0], &[44, 60, 0, 7], &[2_147_483_647, 0, 1, 2, 3, 4, 5, 6, 7, 8]];
    for curve in CURVES {
        let statement = &cluster.confirmations(curve)[0].statement;
        for (at, path) in paths.iter().enumerate() {
            let key = child_key(curve, &statement.public_key, statement.chain_code, path);
            for signers in QUORUMS {
                let digest = [at as u8 + 1; 32];
                let operation = signing(curve, &signers, path, Payload::RawDigest(digest));
                verify(curve, &key, digest, &Drive::honest(&cluster, operation).finish());
            }
        }
    }
}

#[test]
fn the_node_computes_the_digest_itself() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Secp256k1;
    let statement = cluster.confirmations(curve)[0].statement.clone();
    let keccak = |bytes: &[u8]| -> [u8; 32] { sha3::Keccak256::digest(bytes).into() };
    let transaction = vec![0x02, 0xc0];
    let cases = [
        (Payload::EvmTransaction(transaction.clone()), keccak(&transaction)),
        (Payload::EvmMessage(b"hello".to_vec()), keccak(b"\x19Ethereum Signed Message:\n5hello")),
    ];
    for (payload, digest) in cases {
        let outcomes = Drive::honest(&cluster, signing(curve, &[1, 2], &[], payload)).finish();
        verify(curve, &statement.public_key, digest, &outcomes);
    }
    // Text on Solana is signed as it is.
    let key = cluster.confirmations(Curve::Ed25519)[0].statement.public_key.clone();
    let text = b"Sign in, Bob";
    let operation = signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(text.to_vec()));
    verify(Curve::Ed25519, &key, text, &Drive::honest(&cluster, operation).finish());
    let envelope = solana::offchain(&[key.as_slice().try_into().expect("32 bytes")], text);
    let operation = signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(envelope.clone()));
    verify(Curve::Ed25519, &key, &envelope, &Drive::honest(&cluster, operation).finish());
    // A key test signs only a hash under its own label.
    for curve in CURVES {
        let operation = signing(curve, &[2, 3], &[], Payload::KeyTest);
        let Operation::Sign { operation_id, .. } = operation else { unreachable!() };
        let label = [b"countersign/v1/key-test".as_slice(), &WALLET, &[curve as u8], &operation_id].concat();
        let key = cluster.confirmations(curve)[0].statement.public_key.clone();
        verify(curve, &key, sha2::Sha256::digest(label), &Drive::honest(&cluster, operation).finish());
    }
}

#[test]
fn typed_data_is_signed_by_its_digest() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Secp256k1;
    let statement = &cluster.confirmations(curve)[0].statement;
    let key = child_key(curve, &statement.public_key, statement.chain_code, &[3]);
    let cases = [
        (typed_data::mail(), typed_data::MAIL_DIGEST),
        (typed_data::forest(), typed_data::FOREST_DIGEST),
        (typed_data::domain_only(), typed_data::DOMAIN_DIGEST),
    ];
    for (data, digest) in cases {
        let operation = signing(curve, &[1, 3], &[3], Payload::EvmTypedData(data));
        verify(curve, &key, hex::decode(digest).unwrap(), &Drive::honest(&cluster, operation).finish());
    }
}

#[test]
fn a_solana_message_is_signed_itself_by_its_signers_only() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Ed25519;
    let statement = &cluster.confirmations(curve)[0].statement;
    let key: [u8; 32] =
        child_key(curve, &statement.public_key, statement.chain_code, &[3]).try_into().expect("32 bytes");
    let second = |message: Vec<u8>| {
        let at = message.windows(32).position(|bytes| bytes == solana::SECOND_SIGNER).unwrap();
        [&message[..at], &key, &message[at + 32..]].concat()
    };
    let signed =
        |path: &[u32], message: &[u8]| signing(curve, &[2, 3], path, Payload::SolanaTransaction(message.into()));
    for message in [solana::legacy(key), solana::version_0(key), second(solana::version_0([5; 32]))] {
        verify(curve, &key, &message, &Drive::honest(&cluster, signed(&[3], &message)).finish());
    }
    // Another child, or a key that is in the message but not asked to sign.
    let mut receiver = solana::legacy([5; 32]);
    let at = receiver.windows(32).position(|bytes| bytes == solana::RECEIVER).unwrap();
    receiver[at..at + 32].copy_from_slice(&key);
    for (path, message) in [(&[4][..], solana::legacy(key)), (&[], solana::legacy(key)), (&[3], receiver)] {
        let command = cluster.command(signed(path, &message));
        assert_refused(&cluster.ask(2, cluster.signed(&command)), InvalidRequest);
    }
}

/// Two nodes that are to sign different things: told so by the orchestrator, or by one node's own choice.
#[test]
fn message_mismatch_between_nodes() {
    let cluster = TestCluster::with_keys();
    for curve in CURVES {
        let command = cluster.command(signing(curve, &[1, 3], &[5], Payload::RawDigest([1; 32])));
        let Operation::Sign { operation_id, attempt, wallet_id, .. } = command.operation else { unreachable!() };
        let other = |path: &[u32], digest: u8| {
            let (path, signers, payload) = (path.to_vec(), vec![1, 3], Payload::RawDigest([digest; 32]));
            let operation = Operation::Sign { operation_id, attempt, wallet_id, curve, path, signers, payload };
            Command { operation, ..command.clone() }
        };
        let hello = |node, command: &Command| match cluster.ask(node, cluster.signed(command)) {
            ResponseBody::Opened(hello) => hello,
            answer => panic!("{answer:?}"),
        };
        for told in [other(&[5], 2), other(&[6], 1), other(&[], 1)] {
            let command_id = id();
            let ours = Command { command_id, ..command.clone() };
            let hellos = vec![hello(1, &ours), hello(3, &Command { command_id, ..told })];
            for node in [1, 3] {
                let start = RequestBody::Start { command_id, hellos: hellos.clone() };
                assert_refused(&cluster.ask(node, start), Unauthorized);
            }
        }
        let rogue = Rogue::signing_instead(&cluster, 3, share(&cluster, 3, curve), Payload::RawDigest([2; 32]));
        let verdicts = Drive::with(&cluster, command, Some(rogue)).verdicts();
        assert_refused(&verdicts[&1], SessionAborted);
        Drive::honest(&cluster, raw(curve, &[1, 3])).finish();
    }
    assert_no_bans(&cluster);
}

#[test]
fn parallel_root_child_signs() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Secp256k1;
    let statement = cluster.confirmations(curve)[0].statement.clone();
    std::thread::scope(|scope| {
        for worker in 0..4u32 {
            let (cluster, statement) = (&cluster, &statement);
            scope.spawn(move || {
                let path: &[u32] = &[worker][..(worker as usize).min(1)];
                let key = child_key(curve, &statement.public_key, statement.chain_code, path);
                for round in 0..4 {
                    let operation = signing(curve, &[1, 2], path, Payload::RawDigest([round; 32]));
                    verify(curve, &key, [round; 32], &Drive::honest(cluster, operation).finish());
                }
            });
        }
    });
}
