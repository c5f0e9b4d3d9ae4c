//! Serves a node over TLS: framing, caps, and keeping slow work off the event loop. Understands no request beyond
//! its id.

use super::hardening::run_behind_signatures;
use crate::handlers::node::Node;
use crate::limits::{CONNECTIONS, FRAME_BYTES, HANDSHAKES, REQUESTS_A_CONNECTION, REQUEST_BYTES, REQUEST_PAGE_BYTES};
use crate::log::{log, Level};
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{decode, encode, Request, Response, ResponseBody};
use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use socket2::{SockRef, TcpKeepalive};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio_rustls::server::TlsStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(10);
/// After which a client that has vanished is known to have: it gives back its connection.
const SILENCE_DEADLINE: Duration = Duration::from_secs(20);
/// For an answer, of which the client takes nothing.
const WRITE_DEADLINE: Duration = Duration::from_secs(20);
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// Requests of signing sessions at work; most of their time is waiting for the journal's shared fsync.
const SIGNING_AT_WORK: usize = 64;

pub struct Server {
    node: Arc<Node>,
    signing: Arc<Semaphore>,
    /// A phase of a secp256k1 generation or refresh computes for a quarter of a second: these never take all
    /// processors, and signatures go before them.
    making_shares: Arc<Semaphore>,
    connections: Arc<Semaphore>,
    /// In pages.
    memory: Arc<Semaphore>,
}

/// What a request takes until its answer is sent: a place of its connection, and memory.
type Place = [OwnedSemaphorePermit; 2];

impl Server {
    pub fn new(node: Arc<Node>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        let making_shares = Arc::new(Semaphore::new((processors / 2).max(1)));
        let [signing, connections, memory] =
            [SIGNING_AT_WORK, CONNECTIONS, REQUEST_BYTES / REQUEST_PAGE_BYTES].map(|n| Arc::new(Semaphore::new(n)));
        Self { node, signing, making_shares, connections, memory }
    }

    /// Runs until the listener fails for good.
    pub async fn run(self, listener: TcpListener, tls: TlsAcceptor) -> io::Result<()> {
        let server = Arc::new(self);
        tokio::spawn(sweep(server.node.clone()));
        let mut handshakes = VecDeque::<AbortHandle>::new();
        loop {
            let (stream, from) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of descriptors, or a connection that was gone already: neither ends the node.
                    log(Level::Error, format_args!("accept failed: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            handshakes.retain(|handshake| !handshake.is_finished());
            if handshakes.len() >= HANDSHAKES {
                handshakes.pop_front().iter().for_each(AbortHandle::abort);
            }
            handshakes.push_back(tokio::spawn(server.clone().admit(stream, from, tls.clone())).abort_handle());
        }
    }

    /// Who does not show the orchestrator's certificate takes none of the connections. The handshake may be aborted,
    /// what follows it is a task of its own.
    async fn admit(self: Arc<Self>, stream: TcpStream, from: SocketAddr, tls: TlsAcceptor) {
        let stream = match shake_hands(stream, tls).await {
            Ok(stream) => stream,
            Err(error) => return log(Level::Warn, format_args!("refused a connection from {from}: {error}")),
        };
        let Ok(connection) = self.connections.clone().try_acquire_owned() else {
            return log(Level::Warn, format_args!("refused a connection from {from}: too many"));
        };
        tokio::spawn(async move {
            if let Err(error) = self.serve(stream).await {
                log(Level::Info, format_args!("connection from {from} ended: {error}"));
            }
            drop(connection);
        });
    }

    async fn serve(self: Arc<Self>, stream: TlsStream<TcpStream>) -> io::Result<()> {
        let (mut sink, mut frames) = framed(stream).split();
        let (answers, mut queue) = mpsc::channel::<(Bytes, Place)>(REQUESTS_A_CONNECTION);
        let mut writer = tokio::spawn(async move {
            let late = |_| io::Error::other("the client takes no answers");
            while let Some((answer, place)) = queue.recv().await {
                tokio::time::timeout(WRITE_DEADLINE, sink.send(answer)).await.map_err(late)??;
                drop(place);
            }
            io::Result::Ok(())
        });
        let under_way = Arc::new(Semaphore::new(REQUESTS_A_CONNECTION));
        loop {
            let frame = tokio::select! {
                frame = frames.next() => frame.transpose()?,
                ended = &mut writer => return ended.map_err(io::Error::other)?,
            };
            let Some(frame) = frame else { break };
            // Beyond the caps the socket is not read: the sender waits.
            let pages = frame.len().div_ceil(REQUEST_PAGE_BYTES).max(1) as u32;
            let own = under_way.clone().acquire_owned().await.map_err(io::Error::other)?;
            let memory = self.memory.clone().acquire_many_owned(pages).await.map_err(io::Error::other)?;
            let (server, answers) = (self.clone(), answers.clone());
            tokio::spawn(async move {
                if let Some(answer) = server.answer(frame).await {
                    let _ = answers.send((answer.into(), [own, memory])).await;
                }
            });
        }
        drop(answers);
        writer.await.map_err(io::Error::other)?
    }

    /// `None` for a frame without so much as an id.
    async fn answer(&self, frame: BytesMut) -> Option<Vec<u8>> {
        let Some(request) = decode::<Request>(&frame) else {
            let id = u64::from_le_bytes(frame.get(..8)?.try_into().ok()?);
            let refused = Refused::new(RefusalCode::InvalidRequest, "The request could not be decoded.");
            return Some(encode(&Response { id, body: ResponseBody::Refused(refused.into()) }));
        };
        // It may wait for long: not with its bytes twice.
        drop(frame);
        let node = self.node.clone();
        let response = if node.makes_share(&request.body) {
            let _permit = self.making_shares.acquire().await.ok()?;
            run_behind_signatures(move || node.handle(request)).await.ok()?
        } else {
            let _permit = self.signing.acquire().await.ok()?;
            tokio::task::spawn_blocking(move || node.handle(request)).await.ok()?
        };
        if let ResponseBody::Refused(refusal) = &response.body {
            // The sentence is a fixed one: it can hold nothing secret.
            let line = format_args!("refused: {:?} peer {:?}: {}", refusal.code, refusal.peer, refusal.detail);
            log(level_of(refusal.code), line);
        }
        Some(encode(&response))
    }
}

/// A session that its partner has ended already, and a limit that is met, are of every day.
fn level_of(code: RefusalCode) -> Level {
    match code {
        RefusalCode::UnknownSession | RefusalCode::SessionAborted | RefusalCode::Busy => Level::Debug,
        _ => Level::Warn,
    }
}

async fn shake_hands(stream: TcpStream, tls: TlsAcceptor) -> io::Result<TlsStream<TcpStream>> {
    stream.set_nodelay(true)?;
    end_when_vanished(SockRef::from(&stream))?;
    let late = |_| io::Error::other("the TLS handshake took too long");
    tokio::time::timeout(HANDSHAKE_DEADLINE, tls.accept(stream)).await.map_err(late)?
}

/// The kernel asks the other end whether it is there, and ends the connection when nothing is acknowledged.
fn end_when_vanished(socket: SockRef<'_>) -> io::Result<()> {
    let asking = TcpKeepalive::new().with_time(SILENCE_DEADLINE / 2).with_interval(SILENCE_DEADLINE / 4);
    socket.set_tcp_keepalive(&asking.with_retries(2))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(SILENCE_DEADLINE))?;
    Ok(())
}

fn framed(stream: TlsStream<TcpStream>) -> Framed<TlsStream<TcpStream>, LengthDelimitedCodec> {
    LengthDelimitedCodec::builder().big_endian().length_field_length(4).max_frame_length(FRAME_BYTES).new_framed(stream)
}

async fn sweep(node: Arc<Node>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        let node = node.clone();
        let _ = tokio::task::spawn_blocking(move || node.sweep()).await;
    }
}
