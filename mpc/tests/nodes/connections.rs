//! Goal: who has no certificate takes nobody's place, who has vanished gives its place back. Method: the binary,
//! raw sockets, and what the kernel says of them.

use crate::fixture::temporary;
use crate::processes::processes::Processes;
use crate::processes::{orchestrator::Connection, BINARY};
use mpc_node::limits::CONNECTIONS;
use mpc_node::wire::*;
use std::path::Path;
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
