//! Goal: who has no certificate takes nobody's place, who has vanished gives its place back, and a node that is told to
//! end leaves a journal that needs no repair. Method: the binary, raw sockets, and what the kernel says of them.

use crate::fixture::temporary;
use crate::processes::processes::Processes;
use crate::processes::{connect, orchestrator::Connection, BINARY};
use mpc_node::limits::CONNECTIONS;
use mpc_node::wire::*;
use std::path::Path;
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
