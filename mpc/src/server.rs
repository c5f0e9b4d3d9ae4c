//! Serves a node over TLS: framing, caps, and keeping slow work off the event loop. Understands no request beyond
//! its id.

use crate::limits::{CONNECTIONS, FRAMES_AT_WORK_BYTES, FRAME_BYTES, REQUESTS_A_CONNECTION};
use crate::node::Node;
use crate::process::log;
use crate::refusal::{RefusalCode, Refused};
use crate::wire::{decode, encode, Request, Response, ResponseBody};
use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, Semaphore};
use tokio_rustls::server::TlsStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(10);
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// Requests of signing sessions at work; most of their time is waiting for the journal's shared fsync.
const SIGNING_AT_WORK: usize = 64;

pub struct Server {
    node: Arc<Node>,
    /// Bytes of frames: requests wait with what they carry.
    frames: Arc<Semaphore>,
    signing: Arc<Semaphore>,
    /// A phase of a secp256k1 generation or refresh computes for a quarter of a second: these never take all processors.
    making_shares: Arc<Semaphore>,
}

impl Server {
    pub fn new(node: Arc<Node>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        let making_shares = Arc::new(Semaphore::new((processors / 2).max(1)));
        let frames = Arc::new(Semaphore::new(FRAMES_AT_WORK_BYTES));
        Self { node, frames, signing: Arc::new(Semaphore::new(SIGNING_AT_WORK)), making_shares }
    }

    /// Runs until the listener fails for good.
    pub async fn run(self, listener: TcpListener, tls: TlsAcceptor) -> io::Result<()> {
        let server = Arc::new(self);
        tokio::spawn(sweep(server.node.clone()));
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let (stream, from) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of descriptors, or a connection that was gone already: neither ends the node.
                    log(format_args!("accept failed: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let Ok(permit) = connections.clone().try_acquire_owned() else {
                log(format_args!("refused a connection from {from}: too many"));
                continue;
            };
            let (server, tls) = (server.clone(), tls.clone());
            tokio::spawn(async move {
                if let Err(error) = server.connection(stream, tls).await {
                    log(format_args!("connection from {from} ended: {error}"));
                }
                drop(permit);
            });
        }
    }

    async fn connection(self: Arc<Self>, stream: TcpStream, tls: TlsAcceptor) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let late = |_| io::Error::other("the TLS handshake took too long");
        let stream = tokio::time::timeout(HANDSHAKE_DEADLINE, tls.accept(stream)).await.map_err(late)??;
        let (mut sink, mut frames) = framed(stream).split();
        let (answers, mut queue) = mpsc::channel::<Bytes>(REQUESTS_A_CONNECTION);
        let writer = tokio::spawn(async move {
            while let Some(answer) = queue.recv().await {
                sink.send(answer).await?;
            }
            io::Result::Ok(())
        });
        let under_way = Arc::new(Semaphore::new(REQUESTS_A_CONNECTION));
        while let Some(frame) = frames.next().await {
            let frame = frame?;
            // Beyond the cap the socket is not read: the sender waits.
            let permit = under_way.clone().acquire_owned().await.map_err(io::Error::other)?;
            let room = self.frames.clone().acquire_many_owned(frame.len() as u32).await.map_err(io::Error::other)?;
            let (server, answers) = (self.clone(), answers.clone());
            tokio::spawn(async move {
                let answer = server.answer(frame).await;
                // Who does not read its answers keeps no other connection waiting.
                drop(room);
                if let Some(answer) = answer {
                    let _ = answers.send(answer.into()).await;
                }
                drop(permit);
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
        drop(frame);
        let node = self.node.clone();
        let at_work = if node.makes_share(&request.body) { &self.making_shares } else { &self.signing };
        let _permit = at_work.acquire().await.ok()?;
        let response = tokio::task::spawn_blocking(move || node.handle(request)).await.ok()?;
        if let ResponseBody::Refused(refusal) = &response.body {
            // The sentence is a fixed one: it can hold nothing secret.
            log(format_args!("refused: {:?} peer {:?}: {}", refusal.code, refusal.peer, refusal.detail));
        }
        Some(encode(&response))
    }
}

fn framed(stream: TlsStream<TcpStream>) -> Framed<TlsStream<TcpStream>, LengthDelimitedCodec> {
    LengthDelimitedCodec::builder().big_endian().length_field_length(4).max_frame_length(FRAME_BYTES).new_framed(stream)
}

async fn sweep(node: Arc<Node>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        node.sweep();
    }
}
