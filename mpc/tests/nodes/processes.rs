//! Goal: the binary as an operator runs it: TLS both ways, restart, an end with its parent, a clean log. Method: three
//! processes and the orchestrator of the `drive` example.

#[path = "../../examples/drive/orchestrator.rs"]
pub(crate) mod orchestrator;
#[path = "../../examples/drive/processes.rs"]
#[allow(clippy::module_inception)]
pub(crate) mod processes;

use crate::signing::{child_key, verify};
use crate::support::fixture::{generation, id, temporary, CURVES};
use mpc_node::cluster::Cluster;
use mpc_node::limits::{CONNECTIONS, FRAME_BYTES};
use mpc_node::process::provision;
use mpc_node::wire::command::{Operation, Payload};
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
    let command_key = provision::read_signing_key(&processes.orchestrator.join("command.key")).unwrap();
    let orchestrator = Orchestrator { command_key, roster: Cluster::parse(&text).unwrap().roster, nodes };
    orchestrator.carry_marks().await;
    orchestrator
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
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

/// Every secret that lies on disk, as hex, as decimal bytes and as base64, against everything the nodes have logged in
/// a life with generations, signatures, a refresh and refusals.
#[tokio::test(flavor = "multi_thread")]
async fn secrets_absent_from_logs() {
    use mpc_node::crypto::seal::Seal;
    use mpc_node::keys::key_material::KeyMaterial;
    use mpc_node::storage::identity::read_identity;
    use mpc_node::storage::secret_file::SecretFile;
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let orchestrator = connect(&processes).await;
    let wallet_id = id();
    for curve in CURVES {
        orchestrator.generate(wallet_id, curve).await;
        orchestrator.run(signing(wallet_id, curve, [1, 2])).await;
    }
    let (curve, nodes) = (Curve::Ed25519, vec![1, 2, 3]);
    orchestrator.run(Operation::Refresh { wallet_id, curve, epoch: 1, nodes }).await;
    let inbound =
        |node: u8| (1..=3).filter(move |peer| *peer != node).map(|peer| Envelope { peer, sealed: vec![7; 99] });
    for body in [
        |_: u8| RequestBody::Open { command: vec![1], signature: [0; 64] },
        |_| RequestBody::Start { command_id: id(), hellos: vec![] },
        |_| RequestBody::Commit { confirmations: vec![] },
    ] {
        orchestrator.all(&[1, 2, 3], body).await;
    }
    let spoilt = |node| RequestBody::Continue { command_id: id(), round: 2, inbound: inbound(node).collect() };
    orchestrator.all(&[1, 2, 3], spoilt).await;
    for index in 1..=3u8 {
        let node = processes.directory.join(format!("node-{index}"));
        let log = String::from_utf8(std::fs::read(node.join("log")).unwrap()).unwrap();
        assert!(!log.is_empty(), "refusals are logged");
        let key_text = std::fs::read_to_string(processes.directory.join(format!("key-{index}"))).unwrap();
        let store_key = provision::parse_store_key(&key_text).unwrap();
        let mut secrets =
            vec![store_key.to_vec(), read_identity(&node, &Seal::new(&store_key)).unwrap().to_bytes().to_vec()];
        let vault =
            mpc_node::storage::shares::vault::Vault::open(node.join("shares"), Seal::new(&store_key), index).unwrap();
        for curve in CURVES {
            let share = vault.share(wallet_id, curve).unwrap().unwrap();
            secrets.push(match &share.material {
                KeyMaterial::Secp256k1(party) => party.poly_point.to_bytes().to_vec(),
                KeyMaterial::Ed25519(key) => key.package.signing_share().serialize(),
            });
        }
        let tls_key = SecretFile::TlsKey.read(&node, &Seal::new(&store_key)).unwrap();
        let tls_key = std::str::from_utf8(&tls_key).unwrap();
        let mut forms: Vec<String> = tls_key.lines().filter(|line| line.len() > 32).map(String::from).collect();
        assert!(!forms.is_empty(), "the PEM has a body");
        for secret in secrets {
            let decimal = secret.iter().take(8).map(|b| b.to_string()).collect::<Vec<_>>().join(", ");
            let base64 = pem::encode(&pem::Pem::new("S", secret.clone())).lines().nth(1).unwrap()[..40].to_string();
            forms.extend([hex::encode(&secret), hex::encode_upper(&secret), decimal, base64]);
        }
        for form in forms {
            assert!(!log.contains(&form), "node {index} logs a secret");
        }
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

/// All connections but one full of the longest frames, each for a session of its own that makes a share, so that they
/// wait behind a generation that goes on meanwhile: the node's memory stays within a bound, and it answers after it.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn flood_memory_cap() {
    const FRAMES: usize = 8;
    const PEAK_KIB: u64 = 128 * 1024;
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let orchestrator = connect(&processes).await;
    let open = || Connection::stream(processes.addresses[0], &processes.certificates[0], &processes.orchestrator);
    let mut streams = vec![];
    for _ in 1..CONNECTIONS {
        streams.push(open().await.unwrap());
    }
    // A connection is counted once its certificate was looked at, a moment after its client is through.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let refused = async {
        match open().await {
            Ok(mut more) => tokio::io::AsyncReadExt::read_u8(&mut more).await.is_err(),
            Err(_) => true,
        }
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(5), refused).await, Ok(true), "one more than are served");
    let mut floods = vec![];
    for stream in streams {
        let mut sessions = vec![];
        for _ in 0..FRAMES {
            sessions.push(orchestrator.open(generation(id(), Curve::Secp256k1)).await);
        }
        floods.push((stream, sessions));
    }
    let generating = orchestrator.generate(id(), Curve::Secp256k1);
    let floods = floods.into_iter().map(|(stream, sessions)| tokio::spawn(flood(stream, sessions)));
    let (_, streams) = tokio::join!(generating, futures_util::future::join_all(floods));
    let process = processes.nodes[0].as_ref().unwrap().id();
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{peak_kib} KiB at most");
    assert!(peak_kib < PEAK_KIB, "{peak_kib} KiB");
    drop(streams);
    let answers = orchestrator.all(&[1], |_| RequestBody::Health).await;
    assert!(matches!(answers[0], ResponseBody::Health(_)));
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

type Stream = tokio_rustls::client::TlsStream<tokio::net::TcpStream>;

/// One frame as long as may be for each session, and then all answers.
async fn flood(mut stream: Stream, sessions: Vec<Id>) -> Stream {
    let sealed = vec![0; FRAME_BYTES / 4 - 64];
    let inbound = vec![Envelope { peer: 2, sealed }; 4];
    for command_id in &sessions {
        let body = RequestBody::Continue { command_id: *command_id, round: 2, inbound: inbound.clone() };
        let frame = encode(&Request { id: 1, body });
        assert!(frame.len() <= FRAME_BYTES && frame.len() > FRAME_BYTES - 512);
        stream.write_all(&(frame.len() as u32).to_be_bytes()).await.unwrap();
        stream.write_all(&frame).await.unwrap();
    }
    // What TLS still holds back because the node reads no more is not sent by the reads that follow.
    stream.flush().await.unwrap();
    for _ in &sessions {
        let length = stream.read_u32().await.unwrap();
        stream.read_exact(&mut vec![0; length as usize]).await.unwrap();
    }
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_pinned_orchestrator_gets_in_and_broken_frames_are_refused() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    // Its key and certificate are genuine, but not those that are pinned.
    let impostor = processes.directory.join("impostor");
    provision::init_orchestrator(&impostor).unwrap();
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
fn files_are_checked_as_a_node_would_read_them() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    drop(processes);
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).unwrap();
    write("policy.json", r#"{"raw_digests": true}"#);
    write("typo.json", r#"{"raw_digest": true}"#);
    let checked = |arguments: &[&str]| {
        let output = run(arguments, &directory);
        let text = String::from_utf8(if output.status.success() { output.stdout } else { output.stderr }).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        (output.status.success(), text)
    };
    let (valid, cluster) = checked(&["check-cluster", "--cluster", "cluster.json"]);
    assert!(valid && cluster.contains(r#""nodes":3"#) && cluster.contains(r#""threshold":2"#), "{cluster}");
    let (valid, policy) = checked(&["check-policy", "--policy", "policy.json"]);
    assert!(valid && policy.contains("policy_sha256"), "{policy}");
    let (valid, wrong) = checked(&["check-policy", "--policy", "typo.json"]);
    assert!(!valid && wrong.contains("raw_digest"), "{wrong}");
    assert!(!checked(&["check-cluster", "--cluster", "typo.json"]).0);
    assert!(checked(&["--version"]).1.starts_with("mpc-node "));
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
