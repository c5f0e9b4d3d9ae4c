//! Goal: a key that is not the command key gets nothing and changes nothing; the command key in wrong hands gets what
//! the policies allow, and never a share, a place among the nodes, or a repair. Method: every signed request under
//! foreign keys, with the files compared; then everything a thief of the command key can ask, with secrets looked for
//! in each answer. What a policy allows: see `hostile`.

use super::session::{health, secret};
use crate::checkpoints::checkpoint;
use crate::keys::refresh::committed_path;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use ed25519_dalek::{Signer, SigningKey};
use mpc_node::guards::approver::approval_signing_bytes;
use mpc_node::wire::command::{signing_bytes, Command, Operation, Payload, REPAIR_LABEL};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// All operations that can be commanded, with a repair whose target has no share.
fn operations(cluster: &TestCluster, curve: Curve) -> Vec<Operation> {
    vec![
        generation(id(), curve),
        raw(curve, &[1, 2]),
        signing(curve, &[1, 2], &[], Payload::KeyTest),
        refreshing(curve, 1),
        cluster.repairing(curve, 3),
    ]
}

/// Every way to ask, signed by `key` under every label.
fn requests(cluster: &TestCluster, key: &SigningKey, curve: Curve) -> Vec<RequestBody> {
    let sign = |bytes: Vec<u8>| key.sign(&bytes).to_bytes();
    let mut requests = vec![];
    for operation in operations(cluster, curve) {
        let command = encode(&cluster.command(operation));
        let approval = sign(approval_signing_bytes(&command));
        for signature in [
            sign(signing_bytes::<Operation>(&command)),
            sign(signing_bytes::<Checkpoint>(&command)),
            sign([REPAIR_LABEL, &command].concat()),
            sign(command.clone()),
        ] {
            requests.push(RequestBody::Open { command: command.clone(), signature });
            requests.push(RequestBody::OpenApproved { command: command.clone(), signature, approval });
            requests.push(RequestBody::OpenEnrolment { command: command.clone(), signature });
        }
    }
    let command = encode(&cluster.command(checkpoint(5, 5)));
    let signature = sign(signing_bytes::<Checkpoint>(&command));
    requests.push(RequestBody::KeepCheckpoint { command, signature });
    requests
}

fn files(cluster: &TestCluster, index: u8) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let directory = cluster.node_directory(index);
    for folder in [directory.join("shares"), directory] {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_file() {
                files.insert(entry.clone(), std::fs::read(entry).unwrap());
            }
        }
    }
    files
}

fn lose(cluster: &mut TestCluster, index: u8) {
    cluster.stop(index);
    CURVES.iter().for_each(|curve| std::fs::remove_file(committed_path(cluster, index, *curve)).unwrap());
    cluster.restart(index);
}

#[test]
fn a_foreign_command_key_gets_nothing_and_changes_nothing() {
    let mut cluster = TestCluster::with_keys();
    lose(&mut cluster, 3);
    let other = TestCluster::new();
    let before: Vec<_> = (1..=3).map(|index| files(&cluster, index)).collect();
    // Of another cluster, of a node of this one, and one that everybody can have.
    let of_a_node = cluster.identity(2);
    let mut asked = 0;
    for key in [&other.command_key, &of_a_node, &SigningKey::from_bytes(&[1; 32])] {
        for request in CURVES.iter().flat_map(|curve| requests(&cluster, key, *curve)) {
            for index in 1..=3 {
                assert_refused(&cluster.ask(index, request.clone()), Unauthorized);
                asked += 1;
            }
        }
    }
    assert!(asked > 1000, "{asked}");
    for index in 1..=3 {
        assert_eq!(health(&cluster, index).live_sessions, 0);
        assert!(files(&cluster, index) == before[usize::from(index) - 1], "no file of node {index} is another one");
    }
}

/// All that is secret on a node's disk, and a thief would want.
fn secrets(cluster: &TestCluster) -> Vec<Vec<u8>> {
    let mut secrets = vec![];
    for index in 1..=3 {
        secrets.push(cluster.store_key(index).to_vec());
        secrets.push(cluster.identity(index).to_bytes().to_vec());
        secrets.extend(CURVES.iter().map(|curve| secret(cluster, index, *curve)));
    }
    secrets
}

#[test]
fn a_stolen_command_key_gets_signatures_that_policies_allow_and_nothing_else() {
    // Without a policy file: what gives power away is refused.
    let mut cluster = TestCluster::with_policy("{}");
    let secrets = secrets(&cluster);
    let look = |answer: &ResponseBody| {
        let bytes = encode(answer);
        let found = secrets.iter().any(|secret| bytes.windows(secret.len()).any(|window| window == secret));
        assert!(!found, "a secret is in {answer:?}");
    };
    // Whatever the thief opens it can drive to its end, and read all that is answered.
    let open_and_drive = |cluster: &TestCluster, operation: Operation| -> Vec<ResponseBody> {
        let mut drive = Drive::opened(cluster, cluster.command(operation), None);
        let mut answers: Vec<_> = drive.answers.values().cloned().collect();
        if answers.iter().all(|answer| matches!(answer, ResponseBody::Opened(_))) {
            drive.start();
            answers.extend(drive.answers.values().cloned());
            while !drive.is_over() {
                drive.step();
                answers.extend(drive.answers.values().cloned());
            }
        }
        answers.iter().for_each(look);
        answers
    };
    let signed = |answers: &[ResponseBody]| {
        let signature = |answer: &&ResponseBody| {
            matches!(answer, ResponseBody::Round { outcome: Some(Outcome::Signature { .. }), .. })
        };
        answers.iter().filter(signature).count()
    };
    for curve in CURVES {
        // What nobody can read is not signed; what authorises nothing is.
        let answers = open_and_drive(&cluster, raw(curve, &[1, 2]));
        answers.iter().for_each(|answer| assert_refused(answer, PolicyRefused));
        assert_eq!(signed(&open_and_drive(&cluster, signing(curve, &[2, 3], &[], Payload::KeyTest))), 2);
        // New shares stay where they are made.
        assert_eq!(signed(&open_and_drive(&cluster, refreshing(curve, 1))), 0);
        for index in 1..=3 {
            look(&cluster.key_state(index, curve));
            look(&cluster.ask(index, RequestBody::Health));
        }
    }
    assert_eq!(signed(&open_and_drive(&cluster, generation(id(), Curve::Ed25519))), 0);
    // No repair, whatever it is signed as, also of a node that has no share.
    lose(&mut cluster, 3);
    let thief = cluster.command_key.clone();
    for curve in CURVES {
        let before = cluster.key_state(3, curve);
        let command = encode(&cluster.command(cluster.repairing(curve, 3)));
        for label in [b"countersign/v1/command".as_slice(), REPAIR_LABEL, b"countersign/v1/checkpoint"] {
            let signature = thief.sign(&[label, &command].concat()).to_bytes();
            for index in 1..=3 {
                let command = command.clone();
                assert_refused(
                    &cluster.ask(index, RequestBody::Open { command: command.clone(), signature }),
                    Unauthorized,
                );
                assert_refused(&cluster.ask(index, RequestBody::OpenEnrolment { command, signature }), Unauthorized);
            }
        }
        // What it took part in itself is still prepared, and nothing is committed.
        assert_eq!(before, ResponseBody::KeyState(KeyState::Prepared));
        assert_eq!(cluster.key_state(3, curve), before);
    }
}

/// The thief answers in node 3's place, or has the nodes believe another list of them.
#[test]
fn a_stolen_command_key_puts_nobody_among_the_nodes() {
    let (cluster, thief) = (TestCluster::with_keys(), TestCluster::new());
    for curve in CURVES {
        for operation in [raw(curve, &[1, 3]), refreshing(curve, 1), generation(id(), curve)] {
            let command = cluster.command(operation);
            // A machine that the thief has made itself: it has no share and another identity.
            let (_, mut impostor) = Rogue::boxed(&thief, 3, None, |_, _, _| {});
            let mut drive = Drive::opened(&cluster, command.clone(), None);
            let ResponseBody::Opened(forged) = impostor.handle(cluster.signed(&command)) else { unreachable!() };
            drive.participants.insert(3, impostor);
            drive.answers.insert(3, ResponseBody::Opened(forged));
            let body = RequestBody::Start { command_id: command.command_id, hellos: drive.hellos() };
            assert_refused_by(&cluster.ask(1, body), Unauthorized, 3);
        }
        let theirs = thief.cluster_file().roster;
        let command = Command { roster: theirs, ..cluster.command(raw(curve, &[1, 2])) };
        assert_refused(&cluster.ask(1, cluster.signed(&command)), RosterMismatch);
    }
}
