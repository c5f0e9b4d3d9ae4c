//! Goal: a node acts only on a fresh, genuine, well-formed command, and a refusal changes nothing. Method: spoil one
//! thing at a time, look at the code, then see that the same command id still works where nothing was used.

use crate::samples::{solana, typed_data};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use ed25519_dalek::{Signer, SigningKey};
use mpc_node::chains::eip712::{Token, TypedData};
use mpc_node::wire::command::{command_signing_bytes, Command, Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::{self, *};
use mpc_node::wire::*;

fn live_sessions(cluster: &TestCluster, index: u8) -> u32 {
    match cluster.ask(index, RequestBody::Health) {
        ResponseBody::Health(health) => health.live_sessions,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refuses(cluster: &TestCluster, command: &Command, code: RefusalCode) {
    assert_refused(&cluster.ask(1, cluster.signed(command)), code);
    assert_eq!(live_sessions(cluster, 1), 0, "a refused command leaves no session");
}

#[test]
fn a_bad_signature_is_unauthorized() {
    let cluster = TestCluster::with_keys();
    let command = encode(&cluster.command(raw(Curve::Ed25519, &[1, 2])));
    let signature = cluster.command_key.sign(&command_signing_bytes(&command)).to_bytes();
    let mut altered = command.clone();
    *altered.last_mut().unwrap() ^= 1;
    let other_key = SigningKey::from_bytes(&[1; 32]).sign(&command_signing_bytes(&command)).to_bytes();
    let without_label = cluster.command_key.sign(&command).to_bytes();
    for (command, signature) in [
        (altered, signature),
        (command.clone(), other_key),
        (command.clone(), without_label),
        (command.clone(), [0; 64]),
    ] {
        assert_refused(&cluster.ask(1, RequestBody::Open { command, signature }), Unauthorized);
    }
    assert_eq!(live_sessions(&cluster, 1), 0);
    assert!(matches!(cluster.ask(1, RequestBody::Open { command, signature }), ResponseBody::Opened(_)));
}

#[test]
fn a_signed_command_with_trailing_bytes_is_invalid() {
    let cluster = TestCluster::with_keys();
    let mut command = encode(&cluster.command(raw(Curve::Ed25519, &[1, 2])));
    command.push(0);
    let signature = cluster.command_key.sign(&command_signing_bytes(&command)).to_bytes();
    assert_refused(&cluster.ask(1, RequestBody::Open { command, signature }), InvalidRequest);
}

#[test]
fn version_roster_and_expiry_are_checked() {
    let cluster = TestCluster::with_keys();
    let command = cluster.command(raw(Curve::Ed25519, &[1, 2]));
    refuses(&cluster, &Command { version: 2, ..command.clone() }, VersionMismatch);
    refuses(&cluster, &Command { version: 257, ..command.clone() }, VersionMismatch);
    refuses(&cluster, &Command { roster: [0; 32], ..command.clone() }, RosterMismatch);
    refuses(&cluster, &Command { expires_at_ms: now_ms() - 1, ..command.clone() }, Expired);
    refuses(&cluster, &Command { expires_at_ms: now_ms() + 125_000, ..command.clone() }, Expired);
    refuses(&cluster, &Command { expires_at_ms: u64::MAX, ..command.clone() }, Expired);
    assert!(matches!(cluster.ask(1, cluster.signed(&command)), ResponseBody::Opened(_)));
}

#[test]
fn participants_are_checked() {
    let cluster = TestCluster::with_keys();
    for signers in [vec![2, 3], vec![2, 1], vec![1, 1], vec![1], vec![1, 2, 3], vec![0, 1], vec![1, 4], vec![]] {
        for curve in CURVES {
            refuses(&cluster, &cluster.command(raw(curve, &signers)), InvalidRequest);
        }
    }
    let generate = |threshold, nodes: &[u8]| {
        let (wallet_id, nodes) = (id(), nodes.to_vec());
        Operation::GenerateKey { wallet_id, curve: Curve::Ed25519, threshold, nodes }
    };
    for (threshold, nodes) in
        [(2, vec![1, 2]), (3, vec![1, 2, 3]), (1, vec![1, 2, 3]), (2, vec![1, 3, 2]), (2, vec![1, 2, 3, 4])]
    {
        refuses(&cluster, &cluster.command(generate(threshold, &nodes)), InvalidRequest);
    }
}

#[test]
fn path_and_payload_are_checked() {
    let cluster = TestCluster::with_keys();
    let secp = Curve::Secp256k1;
    let long = vec![0; 64 * 1024 + 1];
    let unused = TypedData { primary_type: "Person".into(), ..typed_data::mail() };
    let with_contents = |size: usize| {
        let mut data = typed_data::mail();
        *data.message.last_mut().unwrap() = Token::Text("x".repeat(size));
        data
    };
    let mail_room = 64 * 1024 - encode(&with_contents(0)).len();
    let root = cluster.confirmations(Curve::Ed25519)[0].statement.public_key.clone();
    let own: [u8; 32] = root.try_into().unwrap();
    let key = solana::legacy(own);
    let cases = [
        signing(secp, &[1, 2], &[1 << 31], Payload::KeyTest),
        signing(secp, &[1, 2], &[0, u32::MAX], Payload::KeyTest),
        signing(secp, &[1, 2], &[0; 11], Payload::KeyTest),
        signing(secp, &[1, 2], &[], Payload::EvmMessage(long.clone())),
        signing(secp, &[1, 2], &[], Payload::EvmTransaction(long)),
        signing(secp, &[1, 2], &[], Payload::EvmTransaction(vec![])),
        // The preimage of an EIP-712 digest, dressed up as a transaction.
        signing(secp, &[1, 2], &[], Payload::EvmTransaction([vec![0x19, 1], vec![0; 64]].concat())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::EvmTransaction(vec![2, 0xc0])),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::EvmMessage(vec![1])),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::EvmTypedData(typed_data::mail())),
        signing(secp, &[1, 2], &[], Payload::EvmTypedData(unused)),
        signing(secp, &[1, 2], &[], Payload::EvmTypedData(with_contents(mail_room + 1))),
        signing(secp, &[1, 2], &[], Payload::SolanaTransaction(solana::legacy([5; 32]))),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaTransaction(vec![])),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaTransaction([key.as_slice(), &[0]].concat())),
        signing(secp, &[1, 2], &[], Payload::SolanaMessage(b"hello".to_vec())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(vec![b'a'; 64 * 1024 + 1])),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(vec![])),
        // A transaction, the beginning of one, and other bytes that are no text.
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(key.clone())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(key[..40].to_vec())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(b"hello\0".to_vec())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(vec![0xff; 8])),
        // An envelope that asks for another key's signature, and one that is not whole.
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(solana::offchain(&[[5; 32]], b"hello"))),
        signing(
            Curve::Ed25519,
            &[1, 2],
            &[],
            Payload::SolanaMessage(solana::offchain(&[own], b"hello")[..89].to_vec()),
        ),
    ];
    for operation in cases {
        refuses(&cluster, &cluster.command(operation), InvalidRequest);
    }
    for operation in [
        signing(secp, &[1, 2], &[], Payload::EvmTypedData(with_contents(mail_room))),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaTransaction(key)),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage("Grüße,\n\tBob".into())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaMessage(solana::offchain(&[[5; 32], own], b"hello"))),
    ] {
        assert!(matches!(cluster.ask(1, cluster.signed(&cluster.command(operation))), ResponseBody::Opened(_)));
    }
}

#[test]
fn an_unknown_wallet_is_named_as_such() {
    let cluster = TestCluster::new();
    refuses(&cluster, &cluster.command(raw(Curve::Ed25519, &[1, 2])), UnknownWallet);
}

#[test]
fn a_repeated_open_is_in_progress_then_finished() {
    let cluster = TestCluster::with_keys();
    for curve in CURVES {
        let command = cluster.command(raw(curve, &[1, 2]));
        let open = cluster.signed(&command);
        let drive = Drive::with(&cluster, command.clone(), None);
        assert_eq!(cluster.ask(1, open.clone()), ResponseBody::InProgress);
        let outcomes = drive.finish();
        assert_eq!(cluster.ask(1, open.clone()), ResponseBody::Finished(outcomes[0].clone()));
        assert_eq!(cluster.ask(2, open), ResponseBody::Finished(outcomes[1].clone()));
        // Another command under the same id gets no result of this one.
        let other = Command { expires_at_ms: command.expires_at_ms + 1, ..command };
        refuses(&cluster, &other, CommandUsed);
    }
}

#[test]
fn sid_reuse_across_a_restart() {
    let mut cluster = TestCluster::with_keys();
    let finished = cluster.command(raw(Curve::Ed25519, &[1, 2]));
    Drive::with(&cluster, finished.clone(), None).finish();
    let aborted = cluster.command(raw(Curve::Ed25519, &[1, 2]));
    let mut drive = Drive::with(&cluster, aborted.clone(), None);
    drive.step_with(|mail| mail.get_mut(&1).unwrap()[0].sealed[0] ^= 1);
    drop(drive);
    refuses(&cluster, &aborted, CommandUsed);
    cluster.restart(1);
    refuses(&cluster, &finished, CommandUsed);
    refuses(&cluster, &aborted, CommandUsed);
}

#[test]
fn an_operation_is_bound_to_its_message() {
    let mut cluster = TestCluster::with_keys();
    let first = raw(Curve::Secp256k1, &[1, 2]);
    Drive::honest(&cluster, first.clone()).finish();
    cluster.restart(1);
    let Operation::Sign { operation_id, .. } = first else { unreachable!() };
    let again = |attempt, wallet_curve, path: Vec<u32>, digest, signers: Vec<u8>| Operation::Sign {
        operation_id,
        attempt,
        wallet_id: WALLET,
        curve: wallet_curve,
        path,
        signers,
        payload: Payload::RawDigest(digest),
    };
    let secp = Curve::Secp256k1;
    for other in [
        again(2, secp, vec![], [8; 32], vec![1, 2]),
        again(2, secp, vec![1], [7; 32], vec![1, 2]),
        again(2, Curve::Ed25519, vec![], [7; 32], vec![1, 2]),
    ] {
        refuses(&cluster, &cluster.command(other), MessageConflict);
    }
    // The same message again, by another quorum, is a retry.
    Drive::honest(&cluster, again(2, secp, vec![], [7; 32], vec![1, 3])).finish();
}

#[test]
fn two_messages_racing_for_one_operation_do_not_both_sign() {
    let cluster = TestCluster::with_keys();
    let first = raw(Curve::Ed25519, &[1, 2]);
    let Operation::Sign { operation_id, attempt, wallet_id, curve, .. } = first.clone() else { unreachable!() };
    let payload = Payload::RawDigest([9; 32]);
    let second =
        Operation::Sign { operation_id, attempt, wallet_id, curve, path: vec![], signers: vec![1, 2], payload };
    let mut one = Drive::opened(&cluster, cluster.command(first), None);
    let mut two = Drive::opened(&cluster, cluster.command(second), None);
    one.start();
    two.start();
    one.finish();
    two.answers.values().for_each(|answer| assert_refused(answer, MessageConflict));
}
