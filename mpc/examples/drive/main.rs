//! Starts three node processes, generates keys and signs over TLS, and prints what each takes, fsync included.
//! Build the node first: `cargo build --release && cargo run --release --example drive`.

mod orchestrator;
mod processes;

use mpc_node::cluster::Cluster;
use mpc_node::process::provision;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::{Curve, Id};
use orchestrator::{id, Connection, Orchestrator};
use processes::Processes;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const ONE_BY_ONE: usize = 50;
const PARALLEL: usize = 8;
const EACH: usize = 40;

#[tokio::main]
async fn main() {
    // target/release/examples/drive → target/release/mpc-node
    let here = std::env::current_exe().expect("a path");
    let binary = here.ancestors().nth(2).expect("target/release").join("mpc-node");
    let directory = std::env::temp_dir().join(format!("countersign-drive-{}", std::process::id()));
    std::fs::create_dir(&directory).expect("a temporary directory");
    let processes = Processes::start(&binary, &directory);
    let orchestrator = connect(&processes).await;
    for curve in [Curve::Secp256k1, Curve::Ed25519] {
        measure(&orchestrator, curve).await;
    }
    drop(processes);
    std::fs::remove_dir_all(&directory).expect("the temporary directory goes");
}

async fn connect(processes: &Processes) -> Orchestrator {
    let text = std::fs::read_to_string(processes.directory.join("cluster.json")).expect("cluster.json");
    let mut nodes = BTreeMap::new();
    for (at, address) in processes.addresses.iter().enumerate() {
        let connection = Connection::open(*address, &processes.certificates[at], &processes.orchestrator).await;
        nodes.insert(at as u8 + 1, connection.expect("a connection"));
    }
    let command_key = provision::read_signing_key(&processes.orchestrator.join("command.key")).expect("a command key");
    let roster = Cluster::parse(&text).expect("a cluster").roster;
    let orchestrator = Orchestrator { command_key, roster, nodes };
    orchestrator.carry_marks().await;
    orchestrator
}

async fn measure(orchestrator: &Orchestrator, curve: Curve) {
    let mut generations = vec![];
    let mut wallet_id = id();
    for _ in 0..5 {
        wallet_id = id();
        let started = Instant::now();
        orchestrator.generate(wallet_id, curve).await;
        generations.push(started.elapsed());
    }
    println!("{curve:?}: key generation with commit, median of 5: {}", milliseconds(median(generations)));
    let mut times = vec![];
    for _ in 0..ONE_BY_ONE {
        times.push(sign(orchestrator, wallet_id, curve, vec![1, 2]).await);
    }
    println!("{curve:?}: signature, one at a time, median of {ONE_BY_ONE}: {}", milliseconds(median(times)));
    let started = Instant::now();
    let quorums = [vec![1, 2], vec![1, 3], vec![2, 3]];
    let workers = (0..PARALLEL).map(|worker| {
        let signers = quorums[worker % 3].clone();
        async move {
            for _ in 0..EACH {
                sign(orchestrator, wallet_id, curve, signers.clone()).await;
            }
        }
    });
    futures_util::future::join_all(workers).await;
    let a_second = (PARALLEL * EACH) as f64 / started.elapsed().as_secs_f64();
    println!("{curve:?}: {PARALLEL} in parallel over all quorums: {a_second:.0} signatures/s");
}

async fn sign(orchestrator: &Orchestrator, wallet_id: Id, curve: Curve, signers: Vec<u8>) -> Duration {
    let started = Instant::now();
    let (path, payload) = (vec![44, 0, 1], Payload::RawDigest([7; 32]));
    let operation = Operation::Sign { operation_id: id(), attempt: 1, wallet_id, curve, path, signers, payload };
    orchestrator.run(operation).await;
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
