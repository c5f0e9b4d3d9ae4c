//! Goal: a node that serves does not outlive its cluster file (control K4). Method: what it sees and when it stops,
//! without clocks; then three processes, a session held midway, and a file that gives node 3's place to another.

use crate::processes::processes::Processes;
use crate::processes::{connect, signing, BINARY};
use crate::support::fixture::{assert_refused, id, now_ms, temporary, TestCluster};
use ed25519_dalek::Signer;
use mpc_node::cluster::Cluster;
use mpc_node::policy::Policy;
use mpc_node::process::file_watch::{FileWatch, Invalid, Look, ServedFile, StopReason, UNREADABLE_FOR};
use mpc_node::process::provision;
use mpc_node::wire::command::{command_signing_bytes, Command, PROTOCOL_VERSION};
use mpc_node::wire::refusal::RefusalCode::{RosterMismatch, UnknownSession};
use mpc_node::wire::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[test]
fn another_valid_text_stops_at_once_and_what_is_half_written_may_become_whole() {
    let cluster = TestCluster::new();
    let text = std::fs::read_to_string(cluster.directory.join("cluster.json")).unwrap();
    let (half, other) = (&text[..text.len() / 2], format!("{text}\n"));
    let start = Instant::now();
    let (early, late) = (start + UNREADABLE_FOR / 2, start + UNREADABLE_FOR);
    let looks = |looks: &[(Option<&str>, Instant)]| {
        let mut watch = FileWatch::new(served_cluster(cluster.directory.join("cluster.json")));
        looks.iter().map(|(text, at)| stop_of(watch.look(*text, *at))).collect::<Vec<_>>()
    };
    assert_eq!(looks(&[(Some(&text), start), (Some(&text), late)]), [None, None]);
    assert_eq!(looks(&[(Some(&other), start)]), [Some(StopReason::Changed)]);
    assert_eq!(looks(&[(Some(half), start), (Some(&other), early)]), [None, Some(StopReason::Changed)]);
    for broken in [None, Some(""), Some(half), Some("{}")] {
        assert_eq!(looks(&[(broken, start), (broken, early)]), [None, None]);
        assert_eq!(looks(&[(broken, start), (broken, late)]), [None, Some(StopReason::Unreadable)]);
        // It was whole in between, so the second counts anew.
        assert_eq!(looks(&[(broken, start), (Some(&text), early), (broken, late)]), [None, None, None]);
    }
}

/// As `serve` reads it: the two kinds of files.
fn served_cluster(path: PathBuf) -> ServedFile {
    ServedFile::read("cluster.json", path, |text| Cluster::parse(text).map(drop), |_| Invalid::Stops).unwrap()
}

fn served_policy(path: PathBuf) -> ServedFile {
    let invalid = |text: &str| if text.contains("pause") { Invalid::Stops } else { Invalid::IsIgnored };
    ServedFile::read("the policy", path, |text| Policy::parse(text).map(drop), invalid).unwrap()
}

fn stop_of(look: Look) -> Option<StopReason> {
    match look {
        Look::Stop(reason) => Some(reason),
        _ => None,
    }
}

#[test]
fn a_policy_that_is_not_valid_is_ignored_and_told_once_and_one_that_is_gone_stops() {
    let path = temporary().join("policy.json");
    let (text, typo, other) = (r#"{"raw_digests": true}"#, r#"{"raw_digest": true}"#, r#"{"raw_digests": false}"#);
    std::fs::write(&path, text).unwrap();
    let start = Instant::now();
    let (early, late, later) = (start + UNREADABLE_FOR / 2, start + UNREADABLE_FOR, start + 2 * UNREADABLE_FOR);
    let mut watch = FileWatch::new(served_policy(path));
    assert_eq!(watch.look(Some(typo), start), Look::Same);
    assert_eq!(watch.look(Some(typo), early), Look::Same);
    let Look::Ignored(wrong) = watch.look(Some(typo), late) else { panic!("it was not told") };
    assert!(wrong.contains("raw_digest"), "{wrong}");
    assert_eq!(watch.look(Some(typo), later), Look::Same);
    // Another typo is another sentence, and what is right again is another policy.
    assert!(matches!(watch.look(Some("{"), later), Look::Ignored(_)));
    let pause = r#"{"paused": {"al": true}}"#;
    assert_eq!(watch.look(Some(pause), later), Look::Stop(StopReason::Unreadable));
    assert_eq!(watch.look(Some(text), later), Look::Same);
    assert_eq!(watch.look(Some(other), later), Look::Stop(StopReason::Changed));
    assert_eq!(watch.look(None, later), Look::Same);
    assert_eq!(watch.look(None, later + UNREADABLE_FOR), Look::Stop(StopReason::Unreadable));
}

/// As an editor or a deployment does it, at once or by and by.
fn replace_node_3(directory: &Path) {
    let path = directory.join("cluster.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    file["nodes"][2] =
        provision::init_node(&directory.join("replacement"), 3, &directory.join("replacement-key")).unwrap();
    std::fs::write(&path, file.to_string()).unwrap();
}

fn exit_code(processes: &mut Processes, index: u8) -> Option<i32> {
    let mut node = processes.nodes[usize::from(index) - 1].take().unwrap();
    let started = Instant::now();
    loop {
        if let Some(status) = node.try_wait().unwrap() {
            return status.code();
        }
        assert!(started.elapsed() < Duration::from_secs(10), "node {index} goes on with the old file");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_ends_the_sessions_of_nodes_that_serve() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let before = connect(&processes).await;
    let (wallet_id, command_id) = (id(), id());
    before.generate(wallet_id, Curve::Ed25519).await;

    // A session with node 3, of which round 1 is done.
    let operation = signing(wallet_id, Curve::Ed25519, [1, 3]);
    let (version, roster, expires_at_ms) = (PROTOCOL_VERSION, before.roster, now_ms() + 60_000);
    let command = encode(&Command { version, roster, command_id, expires_at_ms, operation });
    let signature = before.command_key.sign(&command_signing_bytes(&command)).to_bytes();
    let open = |_| RequestBody::Open { command: command.clone(), signature };
    let opened = before.all(&[1, 3], open).await;
    let hellos: Vec<Hello> = opened
        .into_iter()
        .map(|answer| match answer {
            ResponseBody::Opened(hello) => hello,
            other => panic!("{other:?}"),
        })
        .collect();
    let rounds = before.all(&[1, 3], |_| RequestBody::Start { command_id, hellos: hellos.clone() }).await;
    let ResponseBody::Round { outbound, .. } = &rounds[1] else { panic!("{rounds:?}") };
    let inbound = vec![Envelope { peer: 3, sealed: outbound[0].sealed.clone() }];

    replace_node_3(&directory);
    for index in 1..=3 {
        assert_eq!(exit_code(&mut processes, index), Some(3));
        let log = std::fs::read_to_string(directory.join(format!("node-{index}/log"))).unwrap();
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).expect("a line of JSON");
        assert_eq!(last["level"], "warn");
        assert!(last["time"].as_str().unwrap().ends_with('Z'), "{log}");
        assert!(last["msg"].as_str().unwrap().starts_with("cluster.json has changed: "), "{log}");
    }
    processes.restart(1);
    processes.restart(2);
    let after = connect(&processes).await;
    let body = |_| RequestBody::Continue { command_id, round: 2, inbound: inbound.clone() };
    assert_refused(&after.all(&[1], body).await[0], UnknownSession);
    assert_refused(&after.all(&[1], open).await[0], RosterMismatch);
    assert_eq!(after.run(signing(wallet_id, Curve::Ed25519, [1, 2])).await.len(), 2);
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_gone_stops_the_node_too() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    std::fs::remove_file(directory.join("cluster.json")).unwrap();
    for index in 1..=3 {
        assert_eq!(exit_code(&mut processes, index), Some(3));
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}
