//! A real process that is killed while it writes.

use crate::processes::processes::Processes;
use crate::processes::{connect, BINARY};
use crate::support::fixture::{id, now_ms, temporary};
use ed25519_dalek::Signer;
use mpc_node::wire::command::{signing_bytes, Command, PROTOCOL_VERSION};
use mpc_node::wire::progress_attestation::ProgressAttestation;
use mpc_node::wire::*;
use std::path::Path;

/// A mark is of what is on disk: what it says must be true after a crash.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_the_midst_of_writing_is_no_set_back() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let mut last: Option<ProgressAttestation> = None;
    for round in 0..5 {
        let orchestrator = connect(&processes).await;
        let (node, mut rounds) = (&orchestrator.nodes[&1], 0u64);
        let writing = async {
            loop {
                rounds += 1;
                let command = Command {
                    version: PROTOCOL_VERSION,
                    roster: orchestrator.roster,
                    command_id: id(),
                    expires_at_ms: now_ms() + 60_000,
                    operation: Checkpoint { workspace_id: [round; 16], seq: rounds, hash: [1; 32] },
                };
                let command = encode(&command);
                let signed = signing_bytes::<Checkpoint>(&command);
                let signature = orchestrator.command_key.sign(&signed).to_bytes();
                if node.call(RequestBody::KeepCheckpoint { command, signature }).await.is_none() {
                    return;
                }
            }
        };
        let listening = async {
            let enough = last.as_ref().map_or(0, |mark| mark.progress.sequence) + 20 + u64::from(round);
            while let Some(ResponseBody::Health(health)) = node.call(RequestBody::Health).await {
                let sequence = health.mark.progress.sequence;
                last = Some(health.mark);
                if sequence >= enough {
                    return processes.kill(1);
                }
            }
        };
        tokio::join!(writing, listening);
        let said = last.clone().expect("it has said something");
        processes.restart(1);
        let after = connect(&processes).await;
        assert_eq!(after.nodes[&1].call(RequestBody::Marks(vec![said.clone()])).await, Some(ResponseBody::MarksTaken));
        match after.nodes[&1].call(RequestBody::Health).await {
            Some(ResponseBody::Health(health)) => {
                assert!(!health.set_back && !said.progress.is_beyond(&health.mark.progress));
            }
            other => panic!("{other:?}"),
        }
    }
    drop(processes);
    std::fs::remove_dir_all(&directory).unwrap();
}
