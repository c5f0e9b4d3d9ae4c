//! Goal: no bytes make a node panic. Method: mutated frames into the decoder and the node, mutated protocol messages
//! inside genuine channels. A caught panic would answer `Internal`, which fails the test.

use crate::checkpoints::checkpoint;
use crate::drive::Drive;
use crate::fixture::*;
use crate::rogue::Rogue;
use crate::samples::{solana, typed_data};
use mpc_node::command::Payload;
use mpc_node::refusal::RefusalCode;
use mpc_node::wire::*;
use rand_core::{OsRng, RngCore};

fn below(bound: usize) -> usize {
    OsRng.next_u32() as usize % bound.max(1)
}

fn mutate(bytes: &mut Vec<u8>) {
    for _ in 0..1 + below(3) {
        let at = below(bytes.len());
        match below(6) {
            0 => bytes.truncate(at),
            1 => bytes.push(below(256) as u8),
            2 if !bytes.is_empty() => bytes[at] = 0xff,
            3 if !bytes.is_empty() => bytes[at] = 0,
            4 if !bytes.is_empty() => drop(bytes.remove(at)),
            _ if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
            _ => {}
        }
    }
}

#[track_caller]
fn not_internal(answer: &ResponseBody) {
    if let ResponseBody::Refused(refusal) = answer {
        assert_ne!(refusal.code, RefusalCode::Internal, "{}", refusal.detail);
    }
}

#[test]
fn mutated_frames_are_answered_or_refused() {
    let cluster = TestCluster::with_keys();
    let drive = Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2]));
    let (command_id, confirmations) = (drive.command.command_id, cluster.confirmations(Curve::Secp256k1));
    let bodies = [
        cluster.signed(&cluster.command(signing(Curve::Secp256k1, &[1, 2], &[1], Payload::EvmMessage(vec![1; 40])))),
        RequestBody::Continue { command_id, round: 2, inbound: drive.mail()[&1].clone() },
        RequestBody::KeyState { wallet_id: WALLET, curve: Curve::Ed25519 },
        RequestBody::Commit { confirmations },
        RequestBody::Health,
        cluster.signed_checkpoint(&cluster.command(checkpoint(1, 1))),
        RequestBody::Checkpoints { list: CheckpointList::FirstOfDays, after: None },
    ];
    let mut decoded = 0;
    for _ in 0..20_000 {
        let mut frame = encode(&Request { id: 1, body: bodies[below(bodies.len())].clone() });
        mutate(&mut frame);
        if let Some(request) = decode::<Request>(&frame) {
            decoded += 1;
            not_internal(&cluster.node(1).handle(request).body);
        }
    }
    assert!(decoded > 1_000, "the mutation is not so wild that nothing reaches the node: {decoded}");
}

#[test]
fn mutated_commands_that_are_signed_all_the_same_do_no_harm() {
    use ed25519_dalek::Signer;
    let cluster = TestCluster::with_keys();
    let root = cluster.confirmations(Curve::Ed25519)[0].statement.public_key.clone();
    let operations = [
        signing(Curve::Secp256k1, &[1, 2], &[1, 2], Payload::KeyTest),
        signing(Curve::Secp256k1, &[1, 2], &[], Payload::EvmTypedData(typed_data::forest())),
        signing(Curve::Ed25519, &[1, 2], &[], Payload::SolanaTransaction(solana::version_0(root.try_into().unwrap()))),
    ];
    for at in 0..6_000 {
        let mut command = encode(&cluster.command(operations[at % operations.len()].clone()));
        mutate(&mut command);
        let signed = mpc_node::command::command_signing_bytes(&command);
        let signature = cluster.command_key.sign(&signed).to_bytes();
        not_internal(&cluster.ask(1, RequestBody::Open { command, signature }));
    }
}

#[test]
fn mutated_protocol_messages_do_no_harm() {
    for at in 0..60 {
        let cluster = TestCluster::with_keys();
        for curve in CURVES {
            let victim = 1 + at % 3;
            let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
                if round == victim {
                    mutate(message);
                }
            });
            let command = cluster.command(raw(curve, &[1, 3]));
            Drive::with(&cluster, command, Some(rogue)).verdicts().values().for_each(not_internal);
        }
    }
    let cluster = TestCluster::new();
    for at in 0..40 {
        let victim = 1 + at % 4;
        let rogue = Rogue::boxed(&cluster, 3, None, |round, _, message| {
            if round == victim {
                mutate(message);
            }
        });
        let command = cluster.command(generation(id(), Curve::Ed25519));
        Drive::with(&cluster, command, Some(rogue)).verdicts().values().for_each(not_internal);
    }
}

#[test]
fn wide_integers_are_not_narrowed() {
    // 258 as a varint where an index (u8) is expected: 0x82 0x02.
    assert!(mpc_node::canonical::from_bytes::<u8>(&[0x82, 0x02]).is_none());
    // 2^32 and 2^32 + 1 where a u32 is expected, and 1 spelled with a needless byte.
    for bytes in [&[0x80, 0x80, 0x80, 0x80, 0x10][..], &[0x81, 0x80, 0x80, 0x80, 0x10], &[0x81, 0x00], &[0x01, 0x00]] {
        assert!(mpc_node::canonical::from_bytes::<u32>(bytes).is_none(), "{bytes:?}");
    }
    assert_eq!(mpc_node::canonical::from_bytes::<u32>(&[0x82, 0x02]), Some(258));
}
