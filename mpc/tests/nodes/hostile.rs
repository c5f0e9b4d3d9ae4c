//! Goal: T7 and T8. Who holds the command key, and so can command anything, gets no signature that the nodes' policy
//! does not allow, and what it allows is signed. Method: a seeded generator spoils one thing at a time in contents that
//! the policy allows; each is commanded with a genuine signature, and the sentence of the refusal must name what is
//! wrong.

mod bitcoin;
mod evm;
mod limits;
mod solana;
mod typed_data;

use crate::signing::{child_key, verify};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use k256::elliptic_curve::sec1::ToSec1Point;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::{self, *};
use mpc_node::wire::*;
use sha3::{Digest, Keccak256};

/// Every kind of content has its rules here.
pub const POLICY: &str = include_str!("hostile/policy.json");
const SEED: u64 = 0x5eed_0007;
const ROUNDS: usize = 5;
const BENIGN_ROUNDS: usize = 3;

pub struct Keys {
    pub evm: [u8; 20],
    pub solana: [u8; 32],
    pub bitcoin_script: Vec<u8>,
}

#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub payload: Payload,
    pub expected: Expected,
}

#[derive(Clone, Copy)]
pub enum Expected {
    Signed,
    Refused(RefusalCode, &'static str),
}

pub fn benign(name: &str, payload: Payload) -> Case {
    Case { name: name.into(), payload, expected: Expected::Signed }
}

/// Refused by the policy, in a sentence that has these words.
pub fn hostile(name: impl Into<String>, payload: Payload, words: &'static str) -> Case {
    Case { name: name.into(), payload, expected: Expected::Refused(PolicyRefused, words) }
}

/// Refused before the policy is asked.
pub fn invalid(name: impl Into<String>, payload: Payload, words: &'static str) -> Case {
    Case { name: name.into(), payload, expected: Expected::Refused(InvalidRequest, words) }
}

/// splitmix64: small, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// From 1 up to `max`.
    pub fn up_to(&mut self, max: u64) -> u64 {
        1 + self.next() % max
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next() as u8)
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.next() as usize % of.len()]
    }
}

fn keys(cluster: &TestCluster) -> Keys {
    let root = |curve| cluster.confirmations(curve)[0].statement.clone();
    let (solana, bitcoin) = (root(Curve::Ed25519), root(Curve::Secp256k1));
    let secp256k1 = child_key(Curve::Secp256k1, &bitcoin.public_key, bitcoin.chain_code, &PATH);
    let point = k256::PublicKey::from_sec1_bytes(&secp256k1).unwrap().to_sec1_point(false);
    let evm = Keccak256::digest(&point.as_bytes()[1..])[12..].try_into().unwrap();
    let hash = mpc_node::keys::derive_secp256k1::key_hash(secp256k1.as_slice().try_into().unwrap());
    let bitcoin_script = mpc_node::chains::bitcoin::key_script(&hash);
    let solana = child_key(Curve::Ed25519, &solana.public_key, solana.chain_code, &PATH);
    Keys { evm, solana: solana.try_into().unwrap(), bitcoin_script }
}

const PATH: [u32; 2] = [44, 3];

fn curve_of(payload: &Payload) -> Curve {
    match payload {
        Payload::SolanaTransaction(_) => Curve::Ed25519,
        _ => Curve::Secp256k1,
    }
}

/// The cases of one round; every round has other numbers and addresses.
fn generated(random: &mut Random, keys: &Keys) -> Vec<Case> {
    let mut cases = evm::cases(random, keys);
    cases.extend(typed_data::cases(random));
    cases.extend(solana::cases(random, keys));
    cases.extend(bitcoin::cases(random, keys));
    let message = format!("Sign in, {}", random.next());
    cases.push(benign("a message", Payload::EvmMessage(message.into_bytes())));
    // The digest of a forbidden transaction, and that of an allowed one: neither can be read.
    cases.push(hostile("a digest as a message", Payload::EvmMessage(random.bytes::<32>().to_vec()), "digest"));
    cases.push(hostile("a raw digest", Payload::RawDigest(random.bytes()), "raw digests"));
    cases
}

#[test]
fn t7_t8_hostile_orchestrator_gets_no_signature() {
    let cluster = TestCluster::with_policy(POLICY);
    let (keys, mut random) = (keys(&cluster), Random(SEED));
    let (mut refused, mut signed) = (0, 0);
    for round in 0..ROUNDS {
        for Case { name, payload, expected } in generated(&mut random, &keys) {
            let curve = curve_of(&payload);
            let operation = signing(curve, &[1, 2], &PATH, payload.clone());
            match expected {
                Expected::Signed if round >= BENIGN_ROUNDS => {}
                Expected::Signed => {
                    expect_signed(&cluster, &name, operation);
                    signed += 1;
                }
                Expected::Refused(code, words) => {
                    expect_refused(&cluster, &name, operation, (code, words));
                    refused += 1;
                }
            }
        }
    }
    assert!(refused >= 500, "{refused} hostile cases");
    assert!(signed >= 40, "{signed} benign cases");
    println!("{refused} hostile cases without a signature, {signed} benign ones signed");
    assert_no_sessions(&cluster);
}

fn expect_signed(cluster: &TestCluster, name: &str, operation: Operation) {
    let Operation::Sign { operation_id, curve, ref path, ref payload, .. } = operation else { unreachable!() };
    let statement = &cluster.confirmations(curve)[0].statement;
    let key = child_key(curve, &statement.public_key, statement.chain_code, path);
    let message = payload.message(WALLET, curve, operation_id).unwrap();
    let command = cluster.command(operation);
    let drive = Drive::opened(cluster, command, None);
    for answer in drive.answers.values() {
        assert!(matches!(answer, ResponseBody::Opened(_)), "{name}: {answer:?}");
    }
    let mut drive = drive;
    drive.start();
    verify(curve, &key, message, &drive.finish());
}

pub fn expect_refused(cluster: &TestCluster, name: &str, operation: Operation, wanted: (RefusalCode, &str)) {
    let command = cluster.command(operation);
    let open = cluster.signed(&command);
    for node in [1, 2] {
        match cluster.ask(node, open.clone()) {
            ResponseBody::Refused(refusal) => {
                assert_eq!(refusal.code, wanted.0, "{name}: {}", refusal.detail);
                assert!(refusal.detail.contains(wanted.1), "{name}: {}", refusal.detail);
            }
            other => panic!("{name}: {other:?}"),
        }
        // Nothing is there to go on with.
        let start = RequestBody::Start { command_id: command.command_id, hellos: vec![] };
        assert_refused(&cluster.ask(node, start), UnknownSession);
    }
}

pub fn assert_no_sessions(cluster: &TestCluster) {
    for node in 1..=3 {
        match cluster.ask(node, RequestBody::Health) {
            ResponseBody::Health(health) => assert_eq!(health.live_sessions, 0),
            other => panic!("{other:?}"),
        }
    }
}
