//! Requests, answers, commands with all that can be signed, checkpoints, hellos.

use super::{below, fuzz, mutate, not_internal, state};
use crate::checkpoints::checkpoint;
use crate::hostile::POLICY;
use crate::samples::payloads::payload_samples;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use ed25519_dalek::Signer;
use mpc_node::policy::Policy;
use mpc_node::wire::command::{command_signing_bytes, signing_bytes, Operation, Payload, REPAIR_LABEL};
use mpc_node::wire::hello::CRATE_VERSIONS;
use mpc_node::wire::key_acknowledgement::Acknowledgement;
use mpc_node::wire::progress_attestation::ProgressAttestation;
use mpc_node::wire::*;
use sha2::{Digest, Sha256};

fn acknowledgements(cluster: &TestCluster) -> Vec<Acknowledgement> {
    let wallet_id = WALLET;
    let ask = |index| cluster.ask(index, RequestBody::Acknowledge { wallet_id, curve: Curve::Secp256k1 });
    let acknowledgement = |answer| match answer {
        ResponseBody::Acknowledged(acknowledgement) => acknowledgement,
        other => panic!("{other:?}"),
    };
    (1..=3).map(ask).map(acknowledgement).collect()
}

#[test]
fn requests() {
    let cluster = TestCluster::with_keys();
    let drive = Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2]));
    let opened = Drive::opened(&cluster, cluster.command(raw(Curve::Ed25519, &[1, 2])), None);
    let (command_id, curve) = (drive.command.command_id, Curve::Ed25519);
    let message = signing(Curve::Secp256k1, &[1, 2], &[1], Payload::EvmMessage(vec![1; 40]));
    let RequestBody::Open { command, signature } = cluster.signed(&cluster.command(message)) else { unreachable!() };
    let bodies = [
        RequestBody::OpenApproved { command: command.clone(), signature, approval: [3; 64] },
        RequestBody::Open { command, signature },
        cluster.opening(&cluster.command(cluster.repairing(curve, 3))),
        RequestBody::Start { command_id: opened.command.command_id, hellos: opened.hellos() },
        RequestBody::Continue { command_id, round: 2, inbound: drive.mail()[&1].clone() },
        RequestBody::KeyState { wallet_id: WALLET, curve },
        RequestBody::Commit { confirmations: cluster.confirmations(Curve::Secp256k1) },
        RequestBody::Acknowledge { wallet_id: WALLET, curve },
        RequestBody::Settle { acknowledgements: acknowledgements(&cluster) },
        RequestBody::Health,
        cluster.signed_checkpoint(&cluster.command(checkpoint(1, 1))),
        RequestBody::Checkpoints { list: CheckpointList::FirstOfDays, after: None },
        RequestBody::Marks((1..=3).flat_map(|index| marks_of(cluster.node(index))).collect()),
    ];
    cluster.carry_marks();
    let (mut decoded, mut refused, mut before) = (0, true, state(&cluster, 1));
    fuzz(10_000, |random, round| {
        let mut frame = encode(&Request { id: 1, body: bodies[below(random, bodies.len())].clone() });
        mutate(random, &mut frame);
        if let Some(request) = decode::<Request>(&frame) {
            assert_eq!(encode(&request), frame, "one encoding for a value");
            decoded += 1;
            let answer = cluster.node(1).handle(request).body;
            not_internal(&answer);
            refused &= !matches!(answer, ResponseBody::CheckpointKept(_));
        }
        if round % 500 == 499 {
            let now = state(&cluster, 1);
            assert!(!refused || now == before);
            (refused, before) = (true, now);
        }
    });
    assert!(decoded > 500, "the mutation is not so wild that nothing reaches the node: {decoded}");
}

/// Read by who carries them; the node's own types nevertheless.
#[test]
fn answers() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Ed25519;
    let drive = Drive::honest(&cluster, raw(curve, &[1, 2]));
    let mut bodies: Vec<_> = drive.answers.values().cloned().collect();
    bodies.extend(drive.finish().into_iter().map(ResponseBody::Finished));
    bodies.push(cluster.ask(1, RequestBody::Health));
    bodies.push(cluster.key_state(1, curve));
    bodies.push(ResponseBody::Committed(cluster.confirmations(curve)[0].statement.clone()));
    bodies.push(cluster.ask(1, RequestBody::Start { command_id: id(), hellos: vec![] }));
    bodies.push(ResponseBody::Checkpoints(vec![checkpoint(1, 1), checkpoint(2, 2)]));
    bodies.push(ResponseBody::MarksTaken);
    cluster.refresh(curve, 1);
    bodies.push(cluster.key_state(1, curve));
    fuzz(5_000, |random, _| {
        let mut frame = encode(&Response { id: 1, body: bodies[below(random, bodies.len())].clone() });
        mutate(random, &mut frame);
        if let Some(response) = decode::<Response>(&frame) {
            assert_eq!(encode(&response), frame);
        }
    });
}

fn operations(cluster: &TestCluster) -> Vec<Operation> {
    let mut operations = vec![cluster.repairing(Curve::Ed25519, 3)];
    for curve in CURVES {
        operations.extend([generation(id(), curve), refreshing(curve, 1)]);
    }
    let signed = payload_samples().into_iter().map(|s| signing(s.curve, &[1, 2], &s.path, s.payload));
    operations.extend(signed);
    operations
}

/// Signed after the mutation, by the key that may command it, and approved where the policy wants that.
#[test]
fn commands() {
    let mut cluster = TestCluster::with_policy(POLICY);
    let operations = operations(&cluster);
    let enrolment =
        mpc_node::process::provision::read_signing_key(&cluster.directory.join("enrolment/enrolment.key")).unwrap();
    let before = state(&cluster, 1);
    let mut opened = 0;
    fuzz(3_000, |random, round| {
        let operation = operations[below(random, operations.len())].clone();
        let repairs = matches!(operation, Operation::Repair { .. });
        let mut command = encode(&cluster.command(operation));
        mutate(random, &mut command);
        let by = |key: &ed25519_dalek::SigningKey, bytes: &[u8]| key.sign(bytes).to_bytes();
        let body = match repairs {
            true => {
                let signature = by(&enrolment, &[REPAIR_LABEL, &command].concat());
                RequestBody::OpenEnrolment { command, signature }
            }
            false => {
                let signature = by(&cluster.command_key, &command_signing_bytes(&command));
                RequestBody::OpenApproved { command, signature, approval: [0; 64] }
            }
        };
        let answer = cluster.ask(1, body);
        not_internal(&answer);
        opened += u32::from(matches!(answer, ResponseBody::Opened(_)));
        // So that the sessions of what opens all the same do not bar the rest.
        if round % 200 == 199 {
            cluster.restart(1);
        }
    });
    assert!(opened > 20, "some mutants still are commands: {opened}");
    assert_eq!(state(&cluster, 1), before, "a session that is only open has written nothing");
}

#[test]
fn checkpoint_commands() {
    let cluster = TestCluster::new();
    fuzz(1_000, |random, round| {
        let before = state(&cluster, 1);
        let mut command = encode(&cluster.command(checkpoint(round + 1, 1)));
        mutate(random, &mut command);
        let signature = cluster.command_key.sign(&signing_bytes::<Checkpoint>(&command)).to_bytes();
        let answer = cluster.ask(1, RequestBody::KeepCheckpoint { command, signature });
        not_internal(&answer);
        assert!(!matches!(answer, ResponseBody::Refused(_)) || state(&cluster, 1) == before);
    });
}

/// All that can be signed, to the digest and to the policy's verdict, without the limits of a node around it.
#[test]
fn payloads() {
    let cluster = TestCluster::with_keys();
    let policy = Policy::parse(POLICY).unwrap();
    let roots = CURVES.map(|curve| cluster.confirmations(curve)[0].statement.clone());
    let samples: Vec<_> = payload_samples().into_iter().map(|sample| (sample.curve, sample.payload)).collect();
    fuzz(20_000, |random, _| {
        let (curve, payload) = &samples[below(random, samples.len())];
        let mut bytes = encode(payload);
        mutate(random, &mut bytes);
        let Some(payload) = decode::<Payload>(&bytes) else { return };
        let _ = payload.message(WALLET, *curve, id());
        let operation = signing(*curve, &[1, 2], &[44], payload);
        let _ = policy.check(&operation, Some(&roots[*curve as usize]), now_ms());
    });
}

/// Genuinely signed by the peer, whatever it says of its journal; or by nobody.
#[test]
fn marks() {
    let cluster = TestCluster::with_keys();
    let identity = cluster.identity(2);
    fuzz(100, |random, round| {
        let mut said = encode(&(random.next() % 3, random.next(), random.next() % 9));
        mutate(random, &mut said);
        said.resize(24, 0xff);
        let mut mark = ProgressAttestation::sign(&identity, decode(&said).unwrap());
        if round % 2 == 0 {
            mark.signature[below(random, 64)] ^= 1;
        }
        let before = marks_of(cluster.node(1));
        tell(cluster.node(1), vec![mark.clone()]);
        let after = marks_of(cluster.node(1));
        assert!(after == before || (round % 2 == 1 && after[1..].contains(&mark)));
    });
    assert!(matches!(cluster.ask(1, RequestBody::Health), ResponseBody::Health(health) if !health.set_back));
}

/// Genuinely signed by the peer, whatever its nonce and key are.
#[test]
fn hellos() {
    let cluster = TestCluster::with_keys();
    let identity = cluster.identity(2);
    let root = cluster.confirmations(Curve::Ed25519)[0].statement.public_key.clone();
    fuzz(40, |random, _| {
        let command = cluster.command(raw(Curve::Ed25519, &[1, 2]));
        let ResponseBody::Opened(own) = cluster.ask(1, cluster.signed(&command)) else { unreachable!() };
        let digest: [u8; 32] = Sha256::digest(encode(&command)).into();
        let mut point = own.ephemeral_public_key.to_vec();
        mutate(random, &mut point);
        point.resize(32, 0);
        let (nonce, point): ([u8; 32], [u8; 32]) = (random.bytes(), point.try_into().unwrap());
        let signed = encode(&(1u16, CRATE_VERSIONS, digest, &root, 0u32, 2u8, nonce, point));
        let signature = identity.sign(&[b"countersign/v1/hello".as_slice(), &signed].concat()).to_bytes();
        let hellos = vec![own, Hello { node: 2, nonce, ephemeral_public_key: point, signature }];
        let command_id = command.command_id;
        not_internal(&cluster.ask(1, RequestBody::Start { command_id, hellos }));
        // What is sealed under another key than ours does not open.
        let inbound = vec![Envelope { peer: 2, sealed: random.bytes::<90>().to_vec() }];
        let answer = cluster.ask(1, RequestBody::Continue { command_id, round: 2, inbound });
        assert!(matches!(answer, ResponseBody::Refused(_)));
        not_internal(&answer);
    });
}
