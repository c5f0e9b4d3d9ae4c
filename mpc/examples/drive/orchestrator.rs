//! A minimal orchestrator: connections to the nodes, signed commands, and the relaying of a session's envelopes. It
//! sees ciphertext only. Development and tests only: it trusts its caller, retries nothing and panics on a refusal.

use ed25519_dalek::{Signer, SigningKey};
use futures_util::{SinkExt, StreamExt};
use mpc_node::wire::command::{command_signing_bytes, Command, Operation, PROTOCOL_VERSION};
use mpc_node::wire::progress_attestation::ProgressAttestation;
use mpc_node::wire::*;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{ring, verify_tls13_signature, CryptoProvider};
use rustls::pki_types::{pem::PemObject, CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::client::TlsStream;
use tokio_util::codec::LengthDelimitedCodec;

/// `None` once the connection has ended: who comes later must not wait for an answer.
type Waiting = Arc<Mutex<Option<HashMap<u64, oneshot::Sender<ResponseBody>>>>>;

pub struct Connection {
    requests: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Waiting,
    ids: AtomicU64,
}

impl Connection {
    pub async fn open(address: SocketAddr, node_certificate: &str, orchestrator: &Path) -> std::io::Result<Self> {
        let stream = Self::stream(address, node_certificate, orchestrator).await?;
        let (mut sink, mut frames) =
            LengthDelimitedCodec::builder().max_frame_length(640 * 1024).new_framed(stream).split::<bytes::Bytes>();
        let (requests, mut queue) = mpsc::unbounded_channel::<Vec<u8>>();
        let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        tokio::spawn(async move {
            while let Some(request) = queue.recv().await {
                if sink.send(bytes::Bytes::from(request)).await.is_err() {
                    break;
                }
            }
        });
        let answered = waiting.clone();
        tokio::spawn(async move {
            while let Some(Ok(frame)) = frames.next().await {
                let response: Response = decode(&frame).expect("a node answers by the protocol");
                let waiter = answered.lock().unwrap().as_mut().and_then(|waiting| waiting.remove(&response.id));
                if let Some(waiter) = waiter {
                    let _ = waiter.send(response.body);
                }
            }
            *answered.lock().unwrap() = None;
        });
        Ok(Self { requests, waiting, ids: AtomicU64::new(1) })
    }

    /// What lies under the frames.
    pub async fn stream(
        address: SocketAddr,
        node_certificate: &str,
        orchestrator: &Path,
    ) -> std::io::Result<TlsStream<TcpStream>> {
        let tls = tokio_rustls::TlsConnector::from(Arc::new(client_config(node_certificate, orchestrator)));
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        tls.connect(ServerName::try_from("node").expect("a name"), stream).await
    }

    /// `None` when the connection is gone.
    pub async fn call(&self, body: RequestBody) -> Option<ResponseBody> {
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        self.waiting.lock().unwrap().as_mut()?.insert(id, sender);
        self.requests.send(encode(&Request { id, body })).ok()?;
        receiver.await.ok()
    }
}

pub struct Orchestrator {
    pub command_key: SigningKey,
    pub roster: [u8; 32],
    pub nodes: BTreeMap<u8, Connection>,
}

pub fn id() -> Id {
    random()
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand_core::RngCore::fill_bytes(&mut rand_core::OsRng, &mut bytes);
    bytes
}

pub fn now_ms() -> u64 {
    std::time::UNIX_EPOCH.elapsed().expect("a clock").as_millis() as u64
}

impl Orchestrator {
    /// Opens, starts and relays a session to its end; the outcomes are in the order of the participants.
    pub async fn run(&self, operation: Operation) -> Vec<Outcome> {
        let participants = operation.participants().to_vec();
        let command_id = id();
        let (version, roster, expires_at_ms) = (PROTOCOL_VERSION, self.roster, now_ms() + 60_000);
        let command = encode(&Command { version, roster, command_id, expires_at_ms, operation });
        let signature = self.command_key.sign(&command_signing_bytes(&command)).to_bytes();
        let open = |_| RequestBody::Open { command: command.clone(), signature };
        let hellos = self.all(&participants, open).await;
        let hellos: Vec<Hello> = hellos
            .into_iter()
            .map(|answer| match answer {
                ResponseBody::Opened(hello) => hello,
                other => panic!("{other:?}"),
            })
            .collect();
        let mut answers = self.all(&participants, |_| RequestBody::Start { command_id, hellos: hellos.clone() }).await;
        for round in 2u8.. {
            let mut mail: BTreeMap<u8, Vec<Envelope>> = BTreeMap::new();
            let mut outcomes = vec![];
            for (sender, answer) in participants.iter().zip(answers) {
                let ResponseBody::Round { outbound, outcome } = answer else { panic!("{answer:?}") };
                outcomes.extend(outcome);
                for Envelope { peer, sealed } in outbound {
                    mail.entry(peer).or_default().push(Envelope { peer: *sender, sealed });
                }
            }
            if outcomes.len() == participants.len() {
                return outcomes;
            }
            let next = |node: u8| RequestBody::Continue {
                command_id,
                round,
                inbound: mail.get(&node).cloned().unwrap_or_default(),
            };
            answers = self.all(&participants, next).await;
        }
        unreachable!("every protocol ends")
    }

    /// At node 1 only, and no more than that: the command's id.
    #[allow(dead_code)] // The tests flood with it; the example does not.
    pub async fn open(&self, operation: Operation) -> Id {
        let command_id = id();
        let (version, roster, expires_at_ms) = (PROTOCOL_VERSION, self.roster, now_ms() + 60_000);
        let command = encode(&Command { version, roster, command_id, expires_at_ms, operation });
        let signature = self.command_key.sign(&command_signing_bytes(&command)).to_bytes();
        let answer = self.nodes[&1].call(RequestBody::Open { command, signature }).await;
        assert!(matches!(answer, Some(ResponseBody::Opened(_))), "{answer:?}");
        command_id
    }

    pub async fn all(&self, participants: &[u8], body: impl Fn(u8) -> RequestBody) -> Vec<ResponseBody> {
        let calls = participants.iter().map(|index| self.nodes[index].call(body(*index)));
        let answers = futures_util::future::join_all(calls).await;
        answers.into_iter().map(|answer| answer.expect("the node answers")).collect()
    }

    /// Brings each node what it and the others say and keep of their journals, without which none signs after its
    /// start.
    pub async fn carry_marks(&self) {
        let asked = self.nodes.values().map(|node| node.call(RequestBody::Health));
        let mut marks: Vec<ProgressAttestation> = vec![];
        for answer in futures_util::future::join_all(asked).await {
            let Some(ResponseBody::Health(health)) = answer else { continue };
            marks.push(health.mark);
            marks.extend(health.marks);
        }
        let told = self.nodes.values().map(|node| node.call(RequestBody::Marks(marks.clone())));
        futures_util::future::join_all(told).await;
    }

    /// Generates and commits a key; the public key and chain code.
    pub async fn generate(&self, wallet_id: Id, curve: Curve) -> (Vec<u8>, [u8; 32]) {
        let operation = Operation::GenerateKey { wallet_id, curve, threshold: 2, nodes: vec![1, 2, 3] };
        let confirmations: Vec<_> = self
            .run(operation)
            .await
            .into_iter()
            .map(|outcome| match outcome {
                Outcome::Key(confirmation) => confirmation,
                other => panic!("{other:?}"),
            })
            .collect();
        let statement = confirmations[0].statement.clone();
        for answer in self.all(&[1, 2, 3], |_| RequestBody::Commit { confirmations: confirmations.clone() }).await {
            assert_eq!(answer, ResponseBody::Committed(statement.clone()));
        }
        (statement.public_key, statement.chain_code)
    }
}

fn client_config(node_certificate: &str, orchestrator: &Path) -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let node = CertificateDer::from_pem_slice(node_certificate.as_bytes()).expect("a certificate");
    let certificate = CertificateDer::from_pem_file(orchestrator.join("tls.crt")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(orchestrator.join("tls.key")).expect("a key");
    ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinnedNode { node, provider }))
        .with_client_auth_cert(vec![certificate], key)
        .expect("a client certificate")
}

#[derive(Debug)]
struct PinnedNode {
    node: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinnedNode {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *end_entity == self.node {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::General("not the pinned certificate".into()))
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("TLS 1.3 only".into()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
