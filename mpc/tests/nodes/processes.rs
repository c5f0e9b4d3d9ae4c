//! Goal: the binary as an operator runs it: TLS both ways, restart, an end with its parent, a clean log. Method: three
//! processes and the orchestrator of the `drive` example.

#[path = "../../examples/drive/orchestrator.rs"]
pub(crate) mod orchestrator;
#[path = "../../examples/drive/processes.rs"]
#[allow(clippy::module_inception)]
pub(crate) mod processes;

use crate::fixture::{id, temporary, CURVES};
use crate::signing::{child_key, verify};
use mpc_node::cluster::Cluster;
use mpc_node::command::{Operation, Payload};
use mpc_node::enrol;
use mpc_node::limits::FRAME_BYTES;
use mpc_node::wire::*;
use orchestrator::{Connection, Orchestrator};
use processes::Processes;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_mpc-node");

pub(crate) async fn connect(processes: &Processes) -> Orchestrator {
    let text = std::fs::read_to_string(processes.directory.join("cluster.json")).unwrap();
    let mut nodes = BTreeMap::new();
    for index in (1..=3u8).filter(|index| processes.nodes[usize::from(*index) - 1].is_some()) {
        let at = usize::from(index) - 1;
        let certificate = &processes.certificates[at];
        nodes.insert(
            index,
            Connection::open(processes.addresses[at], certificate, &processes.orchestrator).await.unwrap(),
        );
    }
    let command_key = enrol::read_signing_key(&processes.orchestrator.join("command.key")).unwrap();
    Orchestrator { command_key, roster: Cluster::parse(&text).unwrap().roster, nodes }
}

pub(crate) fn signing(wallet_id: Id, curve: Curve, signers: [u8; 2]) -> Operation {
    let (path, payload) = (vec![3], Payload::RawDigest([5; 32]));
    Operation::Sign { operation_id: id(), attempt: 1, wallet_id, curve, path, signers: signers.to_vec(), payload }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_processes_generate_sign_and_go_on_without_one() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let orchestrator = connect(&processes).await;
    let wallet_id = id();
    let mut keys = vec![];
    for curve in CURVES {
        let (public_key, chain_code) = orchestrator.generate(wallet_id, curve).await;
        keys.push(child_key(curve, &public_key, chain_code, &[3]));
    }
    for killed in 1..=3 {
        processes.kill(killed);
        let orchestrator = connect(&processes).await;
        let alive: Vec<u8> = (1..=3).filter(|index| *index != killed).collect();
        for (curve, key) in CURVES.into_iter().zip(&keys) {
            let operation = signing(wallet_id, curve, [alive[0], alive[1]]);
            verify(curve, key, [5; 32], &orchestrator.run(operation).await);
        }
        processes.restart(killed);
    }
    for curve in CURVES {
        connect(&processes).await.run(signing(wallet_id, curve, [1, 3])).await;
    }
    let unknown = |_| RequestBody::Start { command_id: id(), hellos: vec![] };
    connect(&processes).await.all(&[1, 2, 3], unknown).await;
    assert_no_secret_in_logs(&processes, wallet_id);
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

/// Every secret that lies on disk, as hex, as decimal bytes and raw, against everything the nodes have logged.
fn assert_no_secret_in_logs(processes: &Processes, wallet_id: Id) {
    use mpc_node::key_material::KeyMaterial;
    use mpc_node::share_file::Seal;
    for index in 1..=3u8 {
        let node = processes.directory.join(format!("node-{index}"));
        let log = String::from_utf8(std::fs::read(node.join("log")).unwrap()).unwrap();
        assert!(!log.is_empty(), "refusals are logged");
        let key_text = std::fs::read_to_string(processes.directory.join(format!("key-{index}"))).unwrap();
        let store_key = enrol::parse_store_key(&key_text).unwrap();
        let mut secrets = vec![store_key.to_vec(), std::fs::read(node.join("identity.key")).unwrap()];
        let vault = mpc_node::vault::Vault::open(node.join("shares"), Seal::new(&store_key), index).unwrap();
        for curve in CURVES {
            let share = vault.share(wallet_id, curve).unwrap().unwrap();
            secrets.push(match &share.material {
                KeyMaterial::Secp256k1(party) => party.poly_point.to_bytes().to_vec(),
                KeyMaterial::Ed25519(key) => key.package.signing_share().serialize(),
            });
        }
        for secret in secrets {
            let decimal = secret.iter().take(8).map(|b| b.to_string()).collect::<Vec<_>>().join(", ");
            for form in [hex::encode(&secret), hex::encode_upper(&secret), decimal] {
                assert!(!log.contains(&form), "node {index} logs a secret");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_pinned_orchestrator_gets_in_and_broken_frames_are_refused() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    // A node's own certificate is genuine, but not the orchestrator's.
    let impostor = processes.directory.join("node-2");
    let connection = Connection::open(processes.addresses[0], &processes.certificates[0], &impostor).await;
    if let Ok(connection) = connection {
        // In TLS 1.3 the client may finish first and learn of the refusal after.
        assert_eq!(connection.call(RequestBody::Health).await, None);
    }
    assert!(Connection::open(processes.addresses[0], &processes.certificates[1], &processes.orchestrator)
        .await
        .is_err());
    let genuine = connect(&processes).await;
    assert!(matches!(genuine.all(&[1], |_| RequestBody::Health).await[0], ResponseBody::Health(_)));
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_over_long_frame_ends_its_connection_and_no_other() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let open = || Connection::stream(processes.addresses[0], &processes.certificates[0], &processes.orchestrator);
    let genuine = connect(&processes).await;
    let mut at_the_cap = open().await.unwrap();
    at_the_cap.write_all(&(FRAME_BYTES as u32).to_be_bytes()).await.unwrap();
    at_the_cap.write_all(&vec![0; FRAME_BYTES]).await.unwrap();
    assert!(at_the_cap.read_u32().await.unwrap() > 0, "read to its end, and refused as a request");
    for length in [FRAME_BYTES as u32 + 1, u32::MAX] {
        let mut over_long = open().await.unwrap();
        // The length alone: the node must not wait for the bytes, let alone make room for them.
        over_long.write_all(&length.to_be_bytes()).await.unwrap();
        let end = tokio::time::timeout(Duration::from_secs(5), over_long.read_u8()).await;
        assert!(end.expect("closed at once").is_err(), "and without an answer");
        for orchestrator in [&genuine, &connect(&processes).await] {
            assert!(matches!(orchestrator.all(&[1], |_| RequestBody::Health).await[0], ResponseBody::Health(_)));
        }
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

fn run(arguments: &[&str], directory: &Path) -> std::process::Output {
    Command::new(BINARY).args(arguments).current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn init_is_idempotent_and_errors_are_one_sentence() {
    let directory = temporary();
    let init = ["init", "--dir", "n", "--index", "1", "--store-key-file", "key"];
    let (first, second) = (run(&init, &directory), run(&init, &directory));
    assert!(first.status.success());
    assert_eq!(first.stdout, second.stdout);
    let orchestrator = ["init-orchestrator", "--dir", "o"];
    assert_eq!(run(&orchestrator, &directory).stdout, run(&orchestrator, &directory).stdout);
    let serve = ["serve", "--dir", "n", "--index", "1", "--cluster", "none.json", "--listen", "127.0.0.1:0"];
    let inside = ["init", "--dir", "n", "--index", "1", "--store-key-file", "n/shares/key"];
    for wrong in [&serve[..], &inside[..], &["init", "--dir", "n", "--index", "999", "--store-key-file", "key"]] {
        let output = run(wrong, &directory);
        assert!(!output.status.success());
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_node_ends_with_its_parent_and_serves_its_directory_alone() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let second = Command::new(BINARY)
        .args(["serve", "--dir", "node-1", "--index", "1", "--cluster", "cluster.json", "--listen", "127.0.0.1:0"])
        .args(["--store-key-file", "key-1"])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(!second.status.success());
    assert!(String::from_utf8(second.stderr).unwrap().contains("another process"));
    let mut node = processes.nodes[0].take().unwrap();
    drop(node.stdin.take());
    let started = Instant::now();
    while node.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(5), "the node outlives its parent");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_node_does_not_start_with_a_policy_that_it_cannot_read() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    processes.kill(1);
    let serve = |policy: &Path| {
        let node = directory.join("node-1");
        let arguments = ["serve", "--index", "1", "--listen", "127.0.0.1:0", "--exit-with-stdin"];
        let mut command = Command::new(BINARY);
        command.args(arguments).arg("--dir").arg(node).arg("--cluster").arg(directory.join("cluster.json"));
        command.arg("--store-key-file").arg(directory.join("key-1")).arg("--policy").arg(policy);
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let misspelt = directory.join("policy.json");
    std::fs::write(&misspelt, r#"{"raw_digest": true}"#).unwrap();
    for (policy, words) in [(misspelt, "unknown field `raw_digest`"), (directory.join("absent.json"), "cannot read")] {
        let (started, sentence) = serve(&policy);
        assert!(!started && sentence.contains(words), "{sentence}");
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}
