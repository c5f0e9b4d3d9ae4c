//! Clusters for tests. Keys are generated once in the process; a test that needs them works on a copy of the
//! directories, so it may corrupt, restart and ban as it likes.

use ed25519_dalek::{Signer, SigningKey};
use mpc_node::cluster::Cluster;
use mpc_node::crypto::seal::Seal;
use mpc_node::handlers::node::Node;
use mpc_node::limits::Limits;
use mpc_node::policy::Policy;
use mpc_node::process::provision;
use mpc_node::storage::identity::read_identity;
use mpc_node::wire::command::{
    command_signing_bytes, signing_bytes, Command, Operation, Payload, PROTOCOL_VERSION, REPAIR_LABEL,
};
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::progress_attestation::ProgressAttestation;
use mpc_node::wire::refusal::RefusalCode;
use mpc_node::wire::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use zeroize::Zeroizing;

pub const WALLET: Id = [0xaa; 16];
pub const CURVES: [Curve; 2] = [Curve::Secp256k1, Curve::Ed25519];
pub const QUORUMS: [[u8; 2]; 3] = [[1, 2], [1, 3], [2, 3]];

pub struct TestCluster {
    pub directory: PathBuf,
    pub nodes: Vec<Option<Node>>,
    pub command_key: SigningKey,
    pub limits: Limits,
    /// The policy file of every node that is started from now on.
    pub policy: String,
}

/// What the sandbox gives its nodes: what a test is not about is not refused.
pub const PERMISSIVE: &str = include_str!("../../../policies/sandbox.json");

impl TestCluster {
    /// Three nodes with no keys, two of which sign.
    pub fn new() -> Self {
        Self::with_threshold(2)
    }

    pub fn with_threshold(threshold: u8) -> Self {
        Self::of_size(threshold, 3)
    }

    /// So many nodes with no keys, `threshold` of which sign.
    pub fn of_size(threshold: u8, size: u8) -> Self {
        let directory = temporary();
        let nodes: Vec<_> = (1..=size)
            .map(|i| {
                provision::init_node(&node_directory(&directory, i), i, &directory.join(format!("key-{i}"))).unwrap()
            })
            .collect();
        let orchestrator = provision::init_orchestrator(&directory.join("orchestrator")).unwrap();
        let enrolment = provision::init_repair_key(&directory.join("enrolment")).unwrap();
        let cluster = json!({"threshold": threshold, "nodes": nodes, "orchestrator": orchestrator,
            "enrolment_public_key": enrolment["enrolment_public_key"]});
        std::fs::write(directory.join("cluster.json"), cluster.to_string()).unwrap();
        Self::opened(directory, Limits::default())
    }

    pub fn with_policy(policy: &str) -> Self {
        let mut cluster = Self::with_keys();
        cluster.policy = policy.into();
        (1..=3).for_each(|index| cluster.restart(index));
        cluster
    }

    /// Three nodes that hold the committed keys of `WALLET` on both curves.
    pub fn with_keys() -> Self {
        Self::with_keys_and_limits(Limits::default())
    }

    pub fn with_keys_and_limits(limits: Limits) -> Self {
        static GENERATED: OnceLock<PathBuf> = OnceLock::new();
        let generated = GENERATED.get_or_init(|| {
            let cluster = TestCluster::new();
            CURVES.iter().for_each(|curve| cluster.generate_and_commit(WALLET, *curve));
            let directory = temporary();
            copy(&cluster.directory, &directory);
            directory
        });
        let directory = temporary();
        copy(generated, &directory);
        Self::opened(directory, limits)
    }

    /// Another cluster with all that this one has now, for tests that go on from what took long to come to.
    pub fn copied(&mut self) -> Self {
        let directory = temporary();
        (1..=3).for_each(|index| self.stop(index));
        copy(&self.directory, &directory);
        (1..=3).for_each(|index| self.restart(index));
        Self::opened(directory, self.limits)
    }

    fn opened(directory: PathBuf, limits: Limits) -> Self {
        let command_key = provision::read_signing_key(&directory.join("orchestrator/command.key")).unwrap();
        let mut cluster = Self { directory, nodes: vec![], command_key, limits, policy: PERMISSIVE.into() };
        let indexes: Vec<u8> = cluster.cluster_file().nodes.into_keys().collect();
        cluster.nodes = indexes.iter().map(|_| None).collect();
        indexes.into_iter().for_each(|index| cluster.restart(index));
        cluster
    }

    pub fn cluster_file(&self) -> Cluster {
        Cluster::parse(&std::fs::read_to_string(self.directory.join("cluster.json")).unwrap()).unwrap()
    }

    pub fn node_directory(&self, index: u8) -> PathBuf {
        node_directory(&self.directory, index)
    }

    pub fn store_key(&self, index: u8) -> [u8; 32] {
        let text = Zeroizing::new(std::fs::read_to_string(self.directory.join(format!("key-{index}"))).unwrap());
        *provision::parse_store_key(&text).unwrap()
    }

    pub fn identity(&self, index: u8) -> SigningKey {
        read_identity(&self.node_directory(index), &Seal::new(&self.store_key(index))).unwrap()
    }

    pub fn node(&self, index: u8) -> &Node {
        self.nodes[usize::from(index) - 1].as_ref().expect("the node is up")
    }

    pub fn stop(&mut self, index: u8) {
        self.nodes[usize::from(index) - 1] = None;
    }

    /// And introduced to those that are up.
    pub fn try_start(&self, index: u8) -> Result<Node, String> {
        let node = self.try_open(index)?;
        carry_marks(self.nodes.iter().flatten().chain([&node]));
        Ok(node)
    }

    /// And told nothing.
    pub fn try_open(&self, index: u8) -> Result<Node, String> {
        let (directory, cluster) = (self.node_directory(index), self.cluster_file());
        let policy = Policy::parse(&self.policy)?;
        let node = Node::open(&directory, index, cluster, &self.store_key(index), self.limits, policy)?;
        node.settle();
        Ok(node)
    }

    /// As an honest orchestrator does every few seconds: brings each node what the others say and keep.
    pub fn carry_marks(&self) {
        carry_marks(self.nodes.iter().flatten());
    }

    pub fn restart(&mut self, index: u8) {
        self.stop(index);
        self.nodes[usize::from(index) - 1] = Some(self.try_start(index).unwrap());
    }

    pub fn ask(&self, index: u8, body: RequestBody) -> ResponseBody {
        self.node(index).handle(Request { id: 0, body }).body
    }

    pub fn command<O>(&self, operation: O) -> Command<O> {
        let roster = self.cluster_file().roster;
        let (version, command_id, expires_at_ms) = (PROTOCOL_VERSION, id(), now_ms() + 60_000);
        Command { version, roster, command_id, expires_at_ms, operation }
    }

    pub fn signed(&self, command: &Command) -> RequestBody {
        let command = encode(command);
        let signature = self.command_key.sign(&command_signing_bytes(&command)).to_bytes();
        RequestBody::Open { command, signature }
    }

    /// By the command key, or of a repair by the enrolment key.
    pub fn opening(&self, command: &Command) -> RequestBody {
        let Operation::Repair { .. } = command.operation else { return self.signed(command) };
        let key = provision::read_signing_key(&self.directory.join("enrolment/enrolment.key")).unwrap();
        let command = encode(command);
        let signature = key.sign(&[REPAIR_LABEL, &command].concat()).to_bytes();
        RequestBody::OpenEnrolment { command, signature }
    }

    pub fn signed_checkpoint(&self, command: &Command<Checkpoint>) -> RequestBody {
        let command = encode(command);
        let signature = self.command_key.sign(&signing_bytes::<Checkpoint>(&command)).to_bytes();
        RequestBody::KeepCheckpoint { command, signature }
    }

    pub fn key_state(&self, index: u8, curve: Curve) -> ResponseBody {
        self.ask(index, RequestBody::KeyState { wallet_id: WALLET, curve })
    }

    pub fn confirmations(&self, curve: Curve) -> Vec<Confirmation> {
        match self.key_state(1, curve) {
            ResponseBody::KeyState(KeyState::Committed(confirmations)) => confirmations,
            other => panic!("{other:?}"),
        }
    }
}

impl Drop for TestCluster {
    fn drop(&mut self) {
        self.nodes.clear();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn carry_marks<'n>(up: impl Iterator<Item = &'n Node> + Clone) {
    let marks: Vec<ProgressAttestation> = up.clone().flat_map(marks_of).collect();
    up.for_each(|node| tell(node, marks.clone()));
}

/// Its own, and those that it keeps.
pub fn marks_of(node: &Node) -> Vec<ProgressAttestation> {
    match node.handle(Request { id: 0, body: RequestBody::Health }).body {
        ResponseBody::Health(health) => [vec![health.mark], health.marks].concat(),
        other => panic!("{other:?}"),
    }
}

pub fn tell(node: &Node, marks: Vec<ProgressAttestation>) {
    let answer = node.handle(Request { id: 0, body: RequestBody::Marks(marks) }).body;
    assert_eq!(answer, ResponseBody::MarksTaken);
}

pub fn generation(wallet_id: Id, curve: Curve) -> Operation {
    Operation::GenerateKey { wallet_id, curve, threshold: 2, nodes: vec![1, 2, 3] }
}

pub fn generation_for(workspace_id: Id, wallet_id: Id, curve: Curve) -> Operation {
    Operation::GenerateWorkspaceKey { wallet_id, curve, threshold: 2, nodes: vec![1, 2, 3], workspace_id }
}

/// The round of a generation or refresh that answers the key; the one before sends the hash of the transcript.
pub fn last_round(curve: Curve) -> u8 {
    match curve {
        Curve::Secp256k1 => 6,
        Curve::Ed25519 => 5,
    }
}

pub fn refreshing(curve: Curve, epoch: u32) -> Operation {
    Operation::Refresh { wallet_id: WALLET, curve, epoch, nodes: vec![1, 2, 3] }
}

pub fn signing(curve: Curve, signers: &[u8], path: &[u32], payload: Payload) -> Operation {
    let (signers, path) = (signers.to_vec(), path.to_vec());
    Operation::Sign { operation_id: id(), attempt: 1, wallet_id: WALLET, curve, path, signers, payload }
}

pub fn raw(curve: Curve, signers: &[u8]) -> Operation {
    signing(curve, signers, &[], Payload::RawDigest([7; 32]))
}

pub fn id() -> Id {
    let mut bytes = [0; 16];
    rand_core::RngCore::fill_bytes(&mut rand_core::OsRng, &mut bytes);
    bytes
}

pub fn now_ms() -> u64 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64
}

#[track_caller]
pub fn assert_refused(answer: &ResponseBody, code: RefusalCode) {
    match answer {
        ResponseBody::Refused(refusal) if refusal.code == code => {}
        other => panic!("expected {code:?}, got {other:?}"),
    }
}

#[track_caller]
pub fn assert_refused_by(answer: &ResponseBody, code: RefusalCode, peer: u8) {
    assert_refused(answer, code);
    let ResponseBody::Refused(refusal) = answer else { unreachable!() };
    assert_eq!(refusal.peer, Some(peer), "{}", refusal.detail);
}

fn node_directory(directory: &Path, index: u8) -> PathBuf {
    directory.join(format!("node-{index}"))
}

pub fn temporary() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = format!("countersign-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir(&path).unwrap();
    path
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
