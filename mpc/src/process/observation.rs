//! What who runs the node may ask on its machine, over plain HTTP and without a key: `/health` for a probe and
//! `/metrics` for Prometheus. Counts and states only. It names no wallet and takes no order. Nobody reaches it from
//! another machine, unless an operator names an address on which `/metrics` is shown, and nothing else.

use crate::handlers::node::Node;
use crate::log::{log, Level};
use crate::process::program;
use crate::wire::Health;
use std::fmt::{Display, Write};
use std::io::{self, Read, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

const CONNECTIONS: usize = 8;
/// Of the head of a request; what is longer is none of a probe.
const HEAD_BYTES: usize = 8 * 1024;
/// From the connection to the end of the answer.
const DEADLINE: Duration = Duration::from_secs(5);

/// What is told at an address.
#[derive(Clone, Copy, PartialEq)]
pub enum Shown {
    HealthAndMetrics,
    Metrics,
}

/// On this machine alone.
pub async fn listen(address: &str) -> Result<TcpListener, String> {
    bind(own_address(address)?).await
}

/// Where Prometheus is on another machine, or in another container. The address is one that only it should reach.
pub async fn listen_for_metrics(address: &str) -> Result<TcpListener, String> {
    bind(address.parse().map_err(|_| "--metrics is not an address with a port, such as 10.0.1.1:9151")?).await
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|e| format!("cannot listen on {address}: {e}"))
}

/// Asks the node at this address what a probe asks, where there is nothing else to ask it with, as in a container.
pub fn probe(address: &str) -> Result<(), String> {
    let own = own_address(address)?;
    let answer = ask_health(own).map_err(|e| format!("no node answers on {own}: {e}"))?;
    match answer.split("\r\n").next().unwrap_or_default() {
        "HTTP/1.1 200 OK" => Ok(()),
        status => Err(format!("the node on {own} is not well: {status:?}")),
    }
}

fn ask_health(address: SocketAddr) -> io::Result<String> {
    let mut stream = std::net::TcpStream::connect_timeout(&address, DEADLINE)?;
    stream.set_read_timeout(Some(DEADLINE))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(HEAD_BYTES as u64).read_to_string(&mut answer)?;
    Ok(answer)
}

fn own_address(address: &str) -> Result<SocketAddr, String> {
    let parsed: Option<SocketAddr> = address.parse().ok();
    let own = parsed.filter(|address| address.ip().is_loopback());
    own.ok_or("--observe is not an address of this machine alone, such as 127.0.0.1:9150".into())
}

/// Runs for as long as the node. Each listener has connections of its own: whoever holds all that show metrics does not
/// keep a probe from its answer.
pub async fn answer_all(node: Arc<Node>, listener: TcpListener, shown: Shown) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(connection) = connections.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let node = node.clone();
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(DEADLINE, answer(stream, node, shown)).await;
                    drop(connection);
                });
            }
            Err(error) => {
                log(Level::Error, format_args!("accept of a probe failed: {error}"));
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn answer(mut stream: TcpStream, node: Arc<Node>, shown: Shown) -> io::Result<()> {
    let head = read_head(&mut stream).await?;
    let path = head.strip_prefix("GET ").and_then(|rest| rest.split([' ', '?']).next()).unwrap_or_default();
    let (status, content_type, body) = match path {
        "/health" | "/metrics" if path == "/metrics" || shown == Shown::HealthAndMetrics => {
            let (health, paused) = tokio::task::spawn_blocking(move || (node.health(), node.is_paused())).await?;
            if path == "/metrics" {
                ("200 OK", "text/plain; version=0.0.4; charset=utf-8", metrics(&health, paused))
            } else if health.set_back {
                ("503 Service Unavailable", "application/json", told("set_back"))
            } else {
                ("200 OK", "application/json", told("up"))
            }
        }
        _ => ("404 Not Found", "text/plain", String::new()),
    };
    let length = body.len();
    let headers = format!("content-type: {content_type}\r\ncontent-length: {length}\r\ncache-control: no-store");
    stream.write_all(format!("HTTP/1.1 {status}\r\n{headers}\r\nconnection: close\r\n\r\n{body}").as_bytes()).await?;
    stream.shutdown().await
}

fn told(status: &str) -> String {
    let (version, commit, sha256) = (program::VERSION, program::COMMIT, program::sha256());
    serde_json::json!({ "status": status, "version": version, "commit": commit, "sha256": sha256 }).to_string()
}

/// Up to the empty line. A body is not read.
async fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        if head.len() > HEAD_BYTES || stream.read_buf(&mut head).await? == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    String::from_utf8(head).map_err(|_| io::ErrorKind::InvalidData.into())
}

fn metrics(health: &Health, paused: bool) -> String {
    let policy = hex::encode(&health.policy[..6]);
    let program = program::sha256().get(..12).unwrap_or_default();
    let known = format!("{{version=\"{}\",program=\"{program}\",policy=\"{policy}\"}} 1", health.version);
    let mut text = String::new();
    let mut gauge = |name: &str, help: &str, value: &dyn Display| {
        // A String takes everything.
        let _ = writeln!(text, "# HELP mpc_node_{name} {help}\n# TYPE mpc_node_{name} gauge\nmpc_node_{name}{value}");
    };
    gauge(
        "info",
        "1: the version of the program, and the beginnings of the hashes of its file and its policy.",
        &known,
    );
    let numbers = [
        ("paused", "1 while the policy lets it sign nothing, or not for a wallet or a chain.", usize::from(paused)),
        ("set_back", "1 when its disk was put back to an earlier state: it signs nothing.", health.set_back.into()),
        ("keys", "Keys of which it holds a share.", health.keys as usize),
        ("live_sessions", "Sessions under way.", health.live_sessions as usize),
        ("bans", "Pairs of a key and a peer with which it does not sign it again.", health.bans.len()),
    ];
    for (name, help, number) in numbers {
        gauge(name, help, &format_args!(" {number}"));
    }
    text
}
