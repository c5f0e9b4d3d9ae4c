//! Goal: O2. What an operator pauses in a node's policy file is not signed by it within a second, a session under way
//! included, and is signed again when the pause is over. Method: the pure check on every kind of content; then
//! processes whose files change while they serve.

use crate::processes::orchestrator::Orchestrator;
use crate::processes::processes::Processes;
use crate::processes::{connect, signing as sign_in_processes, BINARY};
use crate::samples::bitcoin::bip_143;
use crate::samples::evm::Transaction;
use crate::samples::solana::legacy;
use crate::samples::typed_data::{forest, mail};
use crate::support::fixture::*;
use ed25519_dalek::Signer;
use mpc_node::policy::Policy;
use mpc_node::wire::command::{command_signing_bytes, Command, Operation, Payload, PROTOCOL_VERSION};
use mpc_node::wire::refusal::RefusalCode::{self, *};
use mpc_node::wire::*;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

const SECP256K1: Curve = Curve::Secp256k1;
const ED25519: Curve = Curve::Ed25519;

/// With which code the file refuses it.
fn refusal(json: &str, curve: Curve, payload: &Payload) -> Option<RefusalCode> {
    let policy = Policy::parse(json).unwrap();
    policy.check(&signing(curve, &[1, 2], &[], payload.clone()), None, 0).err().map(|refused| refused.code)
}

#[test]
fn o2_a_paused_chain_takes_with_it_what_may_be_for_it() {
    let paying = |chain_id| Transaction::plain(chain_id, [0xd1; 20], 1);
    let message = Payload::EvmMessage(b"hello".to_vec());
    let raw = Payload::RawDigest([7; 32]);
    let evm = |bytes| Payload::EvmTransaction(bytes);
    // Paused by "1", by "10", by "solana", by "bitcoin".
    let cases = [
        (SECP256K1, evm(paying(1).eip_1559()), [true, false, false, false]),
        (SECP256K1, evm(paying(10).legacy()), [false, true, false, false]),
        (SECP256K1, evm(paying(1).before_eip_155()), [true, true, false, false]),
        (SECP256K1, evm(vec![3, 0xc0]), [true, true, false, false]),
        (SECP256K1, Payload::EvmTypedData(mail()), [true, false, false, false]),
        (SECP256K1, Payload::EvmTypedData(forest()), [true, true, false, false]),
        (SECP256K1, message, [true, true, false, false]),
        (SECP256K1, raw.clone(), [true, true, false, true]),
        (ED25519, raw, [false, false, true, false]),
        (ED25519, Payload::SolanaTransaction(legacy([5; 32])), [false, false, true, false]),
        (ED25519, Payload::SolanaMessage(b"hello".to_vec()), [false, false, true, false]),
        (SECP256K1, Payload::BitcoinInput(bip_143()), [false, false, false, true]),
    ];
    for (curve, payload, paused) in cases {
        for (chain, paused) in ["1", "10", "solana", "bitcoin"].into_iter().zip(paused) {
            let permissive = PERMISSIVE.trim().strip_prefix('{').unwrap();
            // The sample of BIP-143 pays its fee in whole bitcoins.
            let fee = r#""bitcoin": {"fee_max": "10000000000"}"#;
            let json = format!(r#"{{"paused": {{"chains": ["{chain}"]}}, {fee}, {permissive}"#);
            assert_eq!(refusal(&json, curve, &payload), paused.then_some(Paused), "{chain}: {payload:?}");
        }
        assert_eq!(refusal(r#"{"paused": {"all": true}}"#, curve, &payload), Some(Paused));
        let wallet = r#"{"paused": {"wallets": ["aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}}"#;
        assert_eq!(refusal(wallet, curve, &payload), Some(Paused));
        let other = r#"{"paused": {"wallets": ["aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaab"]}}"#;
        assert_ne!(refusal(other, curve, &payload), Some(Paused));
    }
}

#[test]
fn o2_keys_are_tested_made_refreshed_and_repaired_while_all_is_paused() {
    let cluster = TestCluster::with_policy(r#"{"paused": {"all": true}}"#);
    for curve in CURVES {
        let key_test = signing(curve, &[1, 2], &[], Payload::KeyTest);
        crate::support::drive::Drive::honest(&cluster, key_test).finish();
        cluster.refresh_and_commit(curve, 1);
        cluster.generate_and_commit(id(), curve);
        assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), Paused);
    }
    assert_eq!(health(&cluster).policy, Policy::parse(&cluster.policy).unwrap().sha256);
}

fn health(cluster: &TestCluster) -> Health {
    match cluster.ask(1, RequestBody::Health) {
        ResponseBody::Health(health) => health,
        other => panic!("{other:?}"),
    }
}

#[test]
fn o2_a_pause_that_is_misspelt_is_an_error() {
    for (json, words) in [
        (r#"{"paused": true}"#, "valid"),
        (r#"{"paused": [true]}"#, "list"),
        (r#"{"pause": {"all": true}}"#, "pause"),
        (r#"{"paused": {"every": true}}"#, "every"),
        (r#"{"paused": {"wallets": ["aa"]}}"#, "UUID"),
        (r#"{"paused": {"chains": ["Solana"]}}"#, "chain to pause"),
        (r#"{"paused": {"chains": ["01"]}}"#, "chain to pause"),
        (r#"{"paused": {"chains": ["+1"]}}"#, "chain to pause"),
        (r#"{"paused": {"chains": [1]}}"#, "valid"),
    ] {
        let sentence = Policy::parse(json).err().unwrap_or_else(|| panic!("{json} was taken"));
        assert!(sentence.contains(words), "{json}: {sentence}");
    }
}

/// The hash is that of the file's bytes, as `sha256sum` prints it, and tells policies apart.
#[test]
fn health_tells_which_policy_a_node_signs_by() {
    let hash = |json| hex::encode(Policy::parse(json).unwrap().sha256);
    assert_eq!(hash("{}"), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assert_eq!(Policy::default().sha256, Policy::parse("{}").unwrap().sha256);
    assert_ne!(hash("{}"), hash("{ }"));
    let mut cluster = TestCluster::new();
    let sandbox = health(&cluster).policy;
    assert_eq!(sandbox, Policy::parse(PERMISSIVE).unwrap().sha256);
    cluster.policy = "{}".into();
    cluster.restart(1);
    assert_ne!(health(&cluster).policy, sandbox);
}

/// As a careful operator does it: the file is whole at every moment.
fn write_policy(processes: &Processes, index: u8, paused: &str) {
    let permissive = PERMISSIVE.trim().strip_prefix('{').unwrap();
    let written = processes.directory.join("policy.new");
    std::fs::write(&written, format!("{{\"paused\": {paused}, {permissive}")).unwrap();
    std::fs::rename(written, processes.policy(index)).unwrap();
}

/// A command, signed, with its id.
fn opening(orchestrator: &Orchestrator, operation: Operation) -> (Id, RequestBody) {
    let (command_id, roster, expires_at_ms) = (id(), orchestrator.roster, now_ms() + 60_000);
    let command = encode(&Command { version: PROTOCOL_VERSION, roster, command_id, expires_at_ms, operation });
    let signature = orchestrator.command_key.sign(&command_signing_bytes(&command)).to_bytes();
    (command_id, RequestBody::Open { command, signature })
}

/// How the node ended, and how long after `since`.
fn ended(node: &mut Child, since: Instant) -> (Option<i32>, Duration) {
    loop {
        if let Some(status) = node.try_wait().unwrap() {
            return (status.code(), since.elapsed());
        }
        assert!(since.elapsed() < Duration::from_secs(10), "the node goes on by the old policy");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for its end, as a supervisor does, and starts it again. How long it took until it was ready.
fn supervise(processes: &mut Processes, index: u8, since: Instant) -> Duration {
    let mut node = processes.nodes[usize::from(index) - 1].take().unwrap();
    assert_eq!(ended(&mut node, since).0, Some(3));
    processes.restart(index);
    since.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn o2_a_pause_holds_within_a_second_also_mid_session_and_ends_with_the_file() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let orchestrator = connect(&processes).await;
    let (paused, other) = (id(), id());
    orchestrator.generate(paused, ED25519).await;
    orchestrator.generate(other, ED25519).await;

    // A session of which round 1 is done at both nodes: the next answer of node 1 is its share of the signature.
    let (command_id, open) = opening(&orchestrator, sign_in_processes(paused, ED25519, [1, 2]));
    let opened = orchestrator.all(&[1, 2], |_| open.clone()).await;
    let hellos: Vec<Hello> = opened
        .into_iter()
        .map(|answer| match answer {
            ResponseBody::Opened(hello) => hello,
            other => panic!("{other:?}"),
        })
        .collect();
    let rounds = orchestrator.all(&[1, 2], |_| RequestBody::Start { command_id, hellos: hellos.clone() }).await;
    let ResponseBody::Round { outbound, .. } = &rounds[1] else { panic!("{rounds:?}") };
    let inbound = vec![Envelope { peer: 2, sealed: outbound[0].sealed.clone() }];

    let since = Instant::now();
    write_policy(&processes, 1, &format!(r#"{{"wallets": ["{}"]}}"#, hex::encode(paused)));
    let mut node = processes.nodes[0].take().unwrap();
    let (code, after) = ended(&mut node, since);
    assert_eq!(code, Some(3));
    assert!(after < Duration::from_secs(1), "the pause took {after:?}");
    let log = std::fs::read_to_string(directory.join("node-1/log")).unwrap();
    assert!(log.lines().last().unwrap().contains("\"the policy has changed: "), "{log}");

    processes.restart(1);
    let after = connect(&processes).await;
    let next = |_| RequestBody::Continue { command_id, round: 2, inbound: inbound.clone() };
    assert_refused(&after.all(&[1], next).await[0], UnknownSession);
    let (_, anew) = opening(&after, sign_in_processes(paused, ED25519, [1, 2]));
    assert_refused(&after.all(&[1], |_| anew.clone()).await[0], Paused);
    // The others sign for it, and node 1 for the others.
    after.run(sign_in_processes(paused, ED25519, [2, 3])).await;
    after.run(sign_in_processes(other, ED25519, [1, 2])).await;

    let since = Instant::now();
    write_policy(&processes, 1, "{}");
    supervise(&mut processes, 1, since);
    connect(&processes).await.run(sign_in_processes(paused, ED25519, [1, 2])).await;
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn o2_a_pause_that_is_misspelt_and_a_policy_that_is_gone_sign_nothing() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let since = Instant::now();
    std::fs::write(processes.policy(1), r#"{"paused": {"al": true}}"#).unwrap();
    std::fs::remove_file(processes.policy(2)).unwrap();
    for index in [1u8, 2] {
        let mut node = processes.nodes[usize::from(index) - 1].take().unwrap();
        let (code, after) = ended(&mut node, since);
        assert_eq!(code, Some(3));
        assert!(after < Duration::from_secs(3), "it took {after:?}");
        let log = std::fs::read_to_string(directory.join(format!("node-{index}/log"))).unwrap();
        let words = "\"the policy can no longer be read, or is not valid: ";
        assert!(log.lines().last().unwrap().contains(words), "{log}");
    }
    // It is not started on it either: `a_node_does_not_start_with_a_policy_that_it_cannot_read`.
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn o2_two_paused_nodes_stop_every_quorum() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let wallet_id = id();
    connect(&processes).await.generate(wallet_id, ED25519).await;
    let since = Instant::now();
    for index in [1, 2] {
        write_policy(&processes, index, r#"{"all": true}"#);
    }
    for index in [1, 2] {
        supervise(&mut processes, index, since);
    }
    let orchestrator = connect(&processes).await;
    for signers in QUORUMS {
        let (_, open) = opening(&orchestrator, sign_in_processes(wallet_id, ED25519, signers));
        let answers = orchestrator.all(&signers, |_| open.clone()).await;
        let paused = |answer: &ResponseBody| matches!(answer, ResponseBody::Refused(refusal) if refusal.code == Paused);
        assert!(answers.iter().any(paused), "{signers:?}: {answers:?}");
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}
