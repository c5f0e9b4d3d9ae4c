//! Goal: who has no certificate takes nobody's place, who has vanished gives its place back, and a node that is told to
//! end leaves a journal that needs no repair. Method: the binary, raw sockets, and what the kernel says of them.

use crate::processes::processes::Processes;
use crate::processes::{connect, orchestrator::Connection, BINARY};
use crate::support::fixture::{id, temporary};
use mpc_node::limits::CONNECTIONS;
use mpc_node::wire::*;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let address = processes.addresses[0];
    let mut silent = vec![];
    for count in [CONNECTIONS, 300] {
        for _ in 0..count {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        let started = Instant::now();
        let client = Connection::open(address, &processes.certificates[0], &processes.orchestrator).await;
        let answer = client.expect("there is room").call(RequestBody::Health).await;
        assert!(matches!(answer, Some(ResponseBody::Health(_))), "beside {} silent ones", silent.len());
        assert!(started.elapsed() < Duration::from_secs(2), "at once: {:?}", started.elapsed());
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

/// They wait because all that may be at work at once wait for a share file that has no end.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn requests_that_wait_take_a_bounded_part_of_the_memory() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let wallet_id = id();
    let share = directory.join(format!("node-1/shares/{}.ed25519.committed", hex::encode(wallet_id)));
    assert!(Command::new("mkfifo").arg(&share).status().unwrap().success());
    let mut calls = tokio::task::JoinSet::new();
    for (connection, requests) in [64, 60, 60, 60, 60, 60, 60, 60, 60].into_iter().enumerate() {
        let client = Connection::open(processes.addresses[0], &processes.certificates[0], &processes.orchestrator);
        let client = Arc::new(client.await.unwrap());
        for _ in 0..requests {
            let client = client.clone();
            let body = match connection {
                0 => RequestBody::KeyState { wallet_id, curve: Curve::Ed25519 },
                _ => {
                    let inbound = vec![Envelope { peer: 2, sealed: vec![1; 600 * 1024] }];
                    RequestBody::Continue { command_id: id(), round: 2, inbound }
                }
            };
            calls.spawn(async move { client.call(body).await });
        }
        // What waits for the file has to be first.
        tokio::time::sleep(Duration::from_millis(if connection == 0 { 500 } else { 0 })).await;
    }
    let status = format!("/proc/{}/status", processes.nodes[0].as_ref().unwrap().id());
    let mut memory_kb = vec![];
    while memory_kb.len() < 5 || memory_kb[memory_kb.len() - 5] != memory_kb[memory_kb.len() - 1] {
        tokio::time::sleep(Duration::from_millis(400)).await;
        let status = std::fs::read_to_string(&status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        memory_kb.push(line.trim().trim_end_matches(" kB").parse::<usize>().unwrap());
    }
    let most_kb = memory_kb[memory_kb.len() - 1];
    assert!((40_000..120_000).contains(&most_kb), "480 requests of 600 KiB: {most_kb} kB");
    // Those that wait for the file go on; those behind them find none.
    let aside = share.with_extension("aside");
    std::fs::rename(&share, &aside).unwrap();
    drop(std::fs::OpenOptions::new().write(true).open(&aside).unwrap());
    let answers = calls.join_all().await;
    // What was read was no share, and when it is read again nothing is there any more.
    let is_expected = |answer: &Option<ResponseBody>| {
        matches!(answer, Some(ResponseBody::Refused(_) | ResponseBody::KeyState(KeyState::Absent)))
    };
    let others: Vec<_> = answers.iter().filter(|answer| !is_expected(answer)).collect();
    assert!(others.is_empty(), "none is lost: {others:?}");
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_client_is_asked_whether_it_is_there() {
    let directory = temporary();
    let processes = Processes::start(Path::new(BINARY), &directory);
    let address = processes.addresses[0];
    let stream = Connection::stream(address, &processes.certificates[0], &processes.orchestrator).await.unwrap();
    let ends = format!(":{:04X} 0100007F:{:04X} ", address.port(), stream.get_ref().0.local_addr().unwrap().port());
    let started = Instant::now();
    // The kind of timer that the kernel runs for the node's end; 02 is keep-alive.
    let timer = || {
        let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap();
        let line = sockets.lines().find(|line| line.contains(&ends)).expect("the connection").to_string();
        line.split_whitespace().nth(5).unwrap()[..2].to_string()
    };
    while timer() != "02" {
        assert!(started.elapsed() < Duration::from_secs(5), "no keep-alive, but {}", timer());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_told_to_end_closes_its_journal() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let orchestrator = connect(&processes).await;
    for (index, signal, clean) in [(1, libc::SIGTERM, true), (2, libc::SIGINT, true), (3, libc::SIGKILL, false)] {
        let mut node = processes.nodes[index - 1].take().unwrap();
        let answers = orchestrator.all(&[index as u8], |_| RequestBody::Health).await;
        assert!(matches!(answers[0], ResponseBody::Health(_)));
        let started = Instant::now();
        // SAFETY: a signal to a child that was not waited for.
        assert_eq!(unsafe { libc::kill(node.id() as i32, signal) }, 0);
        node.wait().unwrap();
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        assert_eq!(needs_no_repair(&directory.join(format!("node-{index}/journal.redb"))), clean, "signal {signal}");
    }
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

fn needs_no_repair(journal: &Path) -> bool {
    let repaired = Arc::new(AtomicBool::new(false));
    let seen = repaired.clone();
    let mut builder = redb::Database::builder();
    builder.set_repair_callback(move |_| seen.store(true, Ordering::Relaxed));
    builder.open(journal).unwrap();
    !repaired.load(Ordering::Relaxed)
}
