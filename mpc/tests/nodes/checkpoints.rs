//! Goal: a node keeps what the audit chain was, forward only, whatever is asked of it later. Method: spoil one thing of
//! a command at a time; contradict, restart, fill up. Days are given to the journal itself, which has no clock.

use crate::support::fixture::*;
use ed25519_dalek::{Signer, SigningKey};
use mpc_node::limits::{CheckpointLimits, Limits, CHECKPOINTS_A_PAGE};
use mpc_node::storage::journal::{Journal, Record};
use mpc_node::wire::command::{command_signing_bytes, signing_bytes, Command};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;

const WORKSPACE: Id = [0xcc; 16];

pub fn checkpoint(seq: u64, hash: u8) -> Checkpoint {
    Checkpoint { workspace_id: WORKSPACE, seq, hash: [hash; 32] }
}

fn keep(cluster: &TestCluster, checkpoint: Checkpoint) -> ResponseBody {
    cluster.ask(1, cluster.signed_checkpoint(&cluster.command(checkpoint)))
}

#[track_caller]
fn keeps(cluster: &TestCluster, checkpoint: Checkpoint) {
    assert_eq!(keep(cluster, checkpoint.clone()), ResponseBody::CheckpointKept(checkpoint));
}

fn listed(cluster: &TestCluster, list: CheckpointList) -> Vec<Checkpoint> {
    match cluster.ask(1, RequestBody::Checkpoints { list, after: None }) {
        ResponseBody::Checkpoints(page) => page,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chain_goes_forward_and_is_not_contradicted() {
    let mut cluster = TestCluster::new();
    keeps(&cluster, checkpoint(5, 5));
    keeps(&cluster, checkpoint(5, 5));
    assert_refused(&keep(&cluster, checkpoint(5, 6)), CheckpointConflict);
    assert_refused(&keep(&cluster, checkpoint(4, 4)), CheckpointConflict);
    assert_eq!(listed(&cluster, CheckpointList::Newest), [checkpoint(5, 5)], "a refusal leaves nothing behind");
    keeps(&cluster, checkpoint(9, 9));
    cluster.restart(1);
    assert_eq!(listed(&cluster, CheckpointList::Newest), [checkpoint(9, 9)]);
    assert_eq!(listed(&cluster, CheckpointList::FirstOfDays), [checkpoint(5, 5)], "not replaced on its day");
    assert_refused(&keep(&cluster, checkpoint(9, 8)), CheckpointConflict);
    // Another workspace has a chain of its own, and another node is told for itself.
    keeps(&cluster, Checkpoint { workspace_id: [1; 16], ..checkpoint(1, 1) });
    let other = RequestBody::Checkpoints { list: CheckpointList::Newest, after: None };
    assert_eq!(cluster.ask(2, other), ResponseBody::Checkpoints(vec![]));
}

#[test]
fn only_a_genuine_fresh_command_is_kept() {
    let cluster = TestCluster::new();
    let command = cluster.command(checkpoint(5, 5));
    let bytes = encode(&command);
    let signed = signing_bytes::<Checkpoint>(&bytes);
    let ask = |command: Vec<u8>, signature| cluster.ask(1, RequestBody::KeepCheckpoint { command, signature });
    let by = |key: &SigningKey, bytes: &[u8]| key.sign(bytes).to_bytes();
    assert_refused(&ask(bytes.clone(), [0; 64]), Unauthorized);
    assert_refused(&ask(bytes.clone(), by(&SigningKey::from_bytes(&[1; 32]), &signed)), Unauthorized);
    assert_refused(&ask(bytes.clone(), by(&cluster.command_key, &bytes)), Unauthorized);
    let as_another_kind = by(&cluster.command_key, &command_signing_bytes(&bytes));
    assert_refused(&ask(bytes.clone(), as_another_kind), Unauthorized);
    let trailing = [bytes.as_slice(), &[0]].concat();
    let signature = by(&cluster.command_key, &signing_bytes::<Checkpoint>(&trailing));
    assert_refused(&ask(trailing, signature), InvalidRequest);
    let refused = |command: Command<Checkpoint>, code| {
        assert_refused(&cluster.ask(1, cluster.signed_checkpoint(&command)), code);
    };
    refused(Command { version: 2, ..command.clone() }, VersionMismatch);
    refused(Command { roster: [0; 32], ..command.clone() }, RosterMismatch);
    refused(Command { expires_at_ms: now_ms() - 1, ..command.clone() }, Expired);
    refused(Command { expires_at_ms: now_ms() + 125_000, ..command.clone() }, Expired);
    refused(Command { operation: checkpoint(0, 5), ..command.clone() }, InvalidRequest);
    assert_eq!(listed(&cluster, CheckpointList::Newest), []);
    assert_eq!(ask(bytes, by(&cluster.command_key, &signed)), ResponseBody::CheckpointKept(command.operation));
}

#[test]
fn a_signed_checkpoint_opens_no_session_and_a_signed_session_keeps_no_checkpoint() {
    let cluster = TestCluster::with_keys();
    let bytes = encode(&cluster.command(checkpoint(5, 5)));
    let signature = cluster.command_key.sign(&signing_bytes::<Checkpoint>(&bytes)).to_bytes();
    assert_refused(&cluster.ask(1, RequestBody::Open { command: bytes, signature }), Unauthorized);
    let bytes = encode(&cluster.command(raw(Curve::Ed25519, &[1, 2])));
    let signature = cluster.command_key.sign(&command_signing_bytes(&bytes)).to_bytes();
    assert_refused(&cluster.ask(1, RequestBody::KeepCheckpoint { command: bytes, signature }), Unauthorized);
}

#[test]
fn workspaces_are_bounded_and_those_that_are_known_go_on() {
    let checkpoints = CheckpointLimits { workspaces: 2, days: 400 };
    let cluster = TestCluster::with_keys_and_limits(Limits { checkpoints, ..Limits::default() });
    for first in [1, 2] {
        keeps(&cluster, Checkpoint { workspace_id: [first; 16], ..checkpoint(1, 1) });
    }
    assert_refused(&keep(&cluster, checkpoint(1, 1)), Busy);
    keeps(&cluster, Checkpoint { workspace_id: [2; 16], ..checkpoint(2, 2) });
}

#[test]
fn the_first_of_a_day_stays_and_the_oldest_day_goes() {
    let directory = temporary();
    let open = || Journal::open(&directory.join("journal.redb")).unwrap();
    let journal = open();
    let keep = |seq: u64, day| {
        let (checkpoint, limits) = (checkpoint(seq, seq as u8), CheckpointLimits { workspaces: 9, days: 3 });
        journal.write(Record::Checkpoint { checkpoint, day, limits }).unwrap();
    };
    let days = |journal: &Journal| {
        let page = journal.checkpoints(CheckpointList::FirstOfDays, None).unwrap();
        page.iter().map(|checkpoint| checkpoint.seq).collect::<Vec<_>>()
    };
    keep(1, 100);
    keep(2, 100);
    keep(3, 101);
    keep(4, 99); // The clock was set back.
    assert_eq!(days(&journal), [1, 3]);
    keep(5, 102);
    keep(6, 110);
    assert_eq!(days(&journal), [3, 5, 6]);
    drop(journal);
    assert_eq!(days(&open()), [3, 5, 6], "also on disk");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn pages_go_through_everything_once() {
    let directory = temporary();
    let journal = Journal::open(&directory.join("journal.redb")).unwrap();
    let count = CHECKPOINTS_A_PAGE as u64 + 3;
    let limits = CheckpointLimits { workspaces: count, days: 2 };
    std::thread::scope(|scope| {
        for first in 0..8 {
            let journal = &journal;
            scope.spawn(move || {
                for number in (first..count).step_by(8) {
                    let mut workspace_id = [0; 16];
                    workspace_id[..8].copy_from_slice(&number.to_be_bytes());
                    let checkpoint = Checkpoint { workspace_id, ..checkpoint(number + 1, 1) };
                    journal.write(Record::Checkpoint { checkpoint, day: 1, limits }).unwrap();
                }
            });
        }
    });
    for list in [CheckpointList::Newest, CheckpointList::FirstOfDays] {
        let first = journal.checkpoints(list, None).unwrap();
        assert_eq!(first.len(), CHECKPOINTS_A_PAGE);
        let Checkpoint { workspace_id, seq, .. } = *first.last().unwrap();
        let second = journal.checkpoints(list, Some(CheckpointPlace { workspace_id, seq })).unwrap();
        let seqs: Vec<u64> = first.iter().chain(&second).map(|checkpoint| checkpoint.seq).collect();
        assert_eq!(seqs, (1..=count).collect::<Vec<_>>());
    }
    drop(journal);
    std::fs::remove_dir_all(directory).unwrap();
}
