//! How a node with many wallets starts, what it takes of memory and disk, and what the first use of a wallet costs.
//! Fills a temporary folder (2.2 GB for each of three nodes with 10,000 wallets) and runs the real program on it.
//! `cargo build --release && cargo run --release --example ten_thousand -- [WALLETS] [SIGNATURES]`

#[path = "../drive/orchestrator.rs"]
mod orchestrator;
#[path = "../drive/processes.rs"]
mod processes;

mod fill;

use fill::{wallet, CURVES};
use futures_util::StreamExt;
use mpc_node::cluster::Cluster;
use mpc_node::process::provision;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::*;
use orchestrator::{id, Connection, Orchestrator};
use processes::Processes;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const REAL_KEYS: usize = 4;
/// Of two keys each: see `limits`.
const MOST_WALLETS: usize = 500_000;
/// More wallets than the cache has room for.
const FIRST_USES: usize = 1_500;
const CACHED_USES: usize = 300;
const REFRESHES: usize = 10;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let wallets: usize = arguments.next().unwrap_or(10_000);
    let signatures: usize = arguments.next().unwrap_or(100_000);
    // target/release/examples/ten_thousand → target/release/mpc-node
    let here = std::env::current_exe().expect("a path");
    let binary = here.ancestors().nth(2).expect("target/release").join("mpc-node");
    let directory = std::env::temp_dir().join(format!("countersign-ten-thousand-{}", std::process::id()));
    std::fs::create_dir(&directory).expect("a temporary directory");
    let mut processes = Processes::start(&binary, &directory);
    let small = resident_mb(&processes, 1);
    println!("{wallets} wallets on both curves, {signatures} signatures; a node without wallets has {small:.0} MB");
    // Before any command of now: those of an hour ago could not follow it.
    processes.kill(1);
    let filling = Instant::now();
    let from_ms = fill::fill_journal(&directory, 1, 2 * wallets, signatures);
    processes.restart(1);
    let samples: Vec<Id> = (0..REAL_KEYS).map(|_| id()).collect();
    {
        let orchestrator = connect(&processes).await;
        for sample in &samples {
            for curve in CURVES {
                orchestrator.generate(*sample, curve).await;
            }
        }
    }
    (1..=3).for_each(|index| processes.kill(index));
    fill::fill_shares(&directory, &samples, wallets);
    println!("filled in {:.0} s", filling.elapsed().as_secs_f64());
    fill::print_journal(&directory, 1, "with all commands used within the hour");
    measure_starts(&mut processes, "with all commands used within the hour");
    stop(&mut processes, 1);
    fill::prune_journal(&directory, 1, from_ms, 2 * wallets + signatures);
    fill::print_journal(&directory, 1, "an hour later");
    measure_starts(&mut processes, "an hour later");
    (2..=3).for_each(|index| processes.restart(index));

    let orchestrator = connect(&processes).await;
    let answers = orchestrator.all(&[1], |_| RequestBody::Health).await;
    let ResponseBody::Health(health) = &answers[0] else { panic!("{answers:?}") };
    println!("health: {} keys, {:.0} MB", health.keys, resident_mb(&processes, 1));
    for curve in CURVES {
        measure_uses(&orchestrator, wallets, curve).await;
        println!("{curve:?}: then node 1 has {:.0} MB", resident_mb(&processes, 1));
    }
    for _ in 0..2 {
        measure_list(&orchestrator, wallets).await;
        println!(
            "then node 1 has {:.0} MB, at most it had {:.0} MB",
            resident_mb(&processes, 1),
            peak_mb(&processes, 1)
        );
    }
    measure_refreshes(&orchestrator).await;
    println!("then node 1 has {:.0} MB, at most it had {:.0} MB", resident_mb(&processes, 1), peak_mb(&processes, 1));
    measure_rotation(&mut processes, &binary);
    fill::add_names(&directory, 1, wallets..10 * wallets);
    measure_starts(&mut processes, "with ten times as many names");
    fill::add_names(&directory, 1, 10 * wallets..MOST_WALLETS);
    measure_starts(&mut processes, "with as many names as a node takes");
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

/// As an operator stops it.
fn stop(processes: &mut Processes, index: u8) {
    if let Some(mut node) = processes.nodes[usize::from(index) - 1].take() {
        drop(node.stdin.take());
        node.wait().expect("the node ends");
    }
}

/// Of node 1, which runs in the end.
fn measure_starts(processes: &mut Processes, when: &str) {
    let start = |processes: &mut Processes| {
        let started = Instant::now();
        processes.restart(1);
        started.elapsed()
    };
    let mut after_stop = vec![];
    let mut after_kill = vec![];
    for _ in 0..5 {
        stop(processes, 1);
        after_stop.push(start(processes));
        processes.kill(1);
        after_kill.push(start(processes));
    }
    stop(processes, 1);
    let cold = forget_files().then(|| start(processes));
    let cold = cold.map_or("not measured".into(), milliseconds);
    println!("start {when}, until ready, median of 5: {} after a stop, {} after SIGKILL; after a stop and with a cold page cache: {cold}; {:.0} MB",
        milliseconds(quantile(&mut after_stop, 0.5)), milliseconds(quantile(&mut after_kill, 0.5)), resident_mb(processes, 1));
}

/// Of node 1, as the runbook has it.
fn measure_rotation(processes: &mut Processes, binary: &Path) {
    stop(processes, 1);
    let [key, new_key] = ["key-1", "key-1.new"].map(|name| processes.directory.join(name));
    let mut rotation = Command::new(binary);
    rotation.arg("rotate-store-key").arg("--dir").arg(processes.directory.join("node-1"));
    rotation.arg("--store-key-file").arg(&key).arg("--new-store-key-file").arg(&new_key);
    let started = Instant::now();
    let output = rotation.output().expect("mpc-node runs");
    let took = started.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&new_key, &key).expect("the new key takes the place of the old one");
    println!("rotate-store-key: {} in {:.1} s", String::from_utf8_lossy(&output.stdout).trim(), took.as_secs_f64());
    processes.restart(1);
}

/// Linux, root. Whether the page cache was dropped.
fn forget_files() -> bool {
    // SAFETY: takes nothing.
    unsafe { libc::sync() };
    std::fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}

async fn measure_uses(orchestrator: &Orchestrator, wallets: usize, curve: Curve) {
    let uses = FIRST_USES.min(wallets);
    let mut shares = [vec![], vec![]];
    for number in 0..uses {
        // Once from the disk, once from memory, without the work of a signature.
        for times in &mut shares {
            let started = Instant::now();
            let body = RequestBody::KeyState { wallet_id: wallet(wallets - 1 - number), curve };
            let answer = orchestrator.all(&[1], |_| body.clone()).await.remove(0);
            assert!(matches!(answer, ResponseBody::KeyState(KeyState::Committed(_))), "{answer:?}");
            times.push(started.elapsed());
        }
    }
    let [mut first, mut again] = shares;
    println!("{curve:?}: KeyState of {uses} wallets: {} the first time, {} again", both(&mut first), both(&mut again));
    let (mut first, mut cached) = (vec![], vec![]);
    for number in 0..uses {
        first.push(sign(orchestrator, wallet(number), curve).await);
    }
    for number in uses.saturating_sub(CACHED_USES)..uses {
        cached.push(sign(orchestrator, wallet(number), curve).await);
    }
    println!(
        "{curve:?}: signature with one of {uses} wallets for the first time: {}; with a cached one: {}",
        both(&mut first),
        both(&mut cached)
    );
}

async fn sign(orchestrator: &Orchestrator, wallet_id: Id, curve: Curve) -> Duration {
    let started = Instant::now();
    let (path, payload, signers) = (vec![44, 0, 1], Payload::RawDigest([7; 32]), vec![1, 2]);
    orchestrator
        .run(Operation::Sign { operation_id: id(), attempt: 1, wallet_id, curve, path, signers, payload })
        .await;
    started.elapsed()
}

/// What `repair-keys -- list` asks of a node.
async fn measure_list(orchestrator: &Orchestrator, wallets: usize) {
    let started = Instant::now();
    let keys = (0..wallets).flat_map(|number| CURVES.map(|curve| (wallet(number), curve)));
    let asks = keys.map(|(wallet_id, curve)| orchestrator.nodes[&1].call(RequestBody::KeyState { wallet_id, curve }));
    let answers: Vec<_> = futures_util::stream::iter(asks).buffer_unordered(16).collect().await;
    assert_eq!(answers.len(), 2 * wallets);
    println!("KeyState of all {} keys, 16 at once: {:.1} s", 2 * wallets, started.elapsed().as_secs_f64());
}

async fn measure_refreshes(orchestrator: &Orchestrator) {
    for curve in CURVES {
        let mut times = vec![];
        for number in 0..REFRESHES {
            let started = Instant::now();
            let operation = Operation::Refresh { wallet_id: wallet(number), curve, epoch: 1, nodes: vec![1, 2, 3] };
            let outcomes = orchestrator.run(operation).await;
            let confirmations: Vec<_> = outcomes
                .into_iter()
                .map(|outcome| match outcome {
                    Outcome::Key(confirmation) => confirmation,
                    other => panic!("{other:?}"),
                })
                .collect();
            orchestrator.all(&[1, 2, 3], |_| RequestBody::Commit { confirmations: confirmations.clone() }).await;
            times.push(started.elapsed());
        }
        println!("{curve:?}: refresh of a key with its commit, {REFRESHES} times: {}", both(&mut times));
    }
}

fn quantile(times: &mut [Duration], part: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * part).round() as usize]
}

fn both(times: &mut [Duration]) -> String {
    format!("p50 {}, p99 {}", milliseconds(quantile(times, 0.5)), milliseconds(quantile(times, 0.99)))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn resident_mb(processes: &Processes, index: u8) -> f64 {
    memory_mb(processes, index, "VmRSS:")
}

fn peak_mb(processes: &Processes, index: u8) -> f64 {
    memory_mb(processes, index, "VmHWM:")
}

/// Linux: elsewhere it is not measured.
fn memory_mb(processes: &Processes, index: u8, name: &str) -> f64 {
    let pid = processes.nodes[usize::from(index) - 1].as_ref().map_or(0, |node| node.id());
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) * 1024.0 / 1e6
}
