//! Goal: what nodes say to each other in each protocol, and what comes of it, cannot change unseen, and a program in
//! another language can check all of it (audit/verifier). Method: generation, signing, refresh and repair of two of
//! three nodes on both curves by the nodes' own steps, their randomness drawn from a seed that this test's program
//! alone has; and of three of five. Compare with vectors/transcripts. `UPDATE_VECTORS=1` writes those files anew,
//! `WHOLE_TRANSCRIPTS=FOLDER` writes all messages whole and the secrets of the oblivious transfers, for the verifier.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod randomness;
mod session;

use dkls23::protocols::{Party, PartyIndex};
use dkls23::utilities::multiplication::MulReceiver;
use k256::Secp256k1;
use mpc_node::keys::children::Children;
use mpc_node::keys::key_material::{compressed, KeyMaterial};
use mpc_node::keys::share::Share;
use mpc_node::protocol::{Context, Fault, Next, Protocol, Step};
use mpc_node::wire::key_statement::{Confirmation, KeyStatement};
use mpc_node::wire::Curve;
use serde_json::{json, Value};
use session::{run, Session};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Of a longer message (those with oblivious transfers) the vectors have the beginning, the length and the hash.
const WHOLE_BYTES: usize = 6 * 1024;
const THROWAWAY: &str = "Throw-away keys, made from a published seed for this file alone. Everybody has them whole.";

type Keys = BTreeMap<u8, KeyMaterial>;

/// Who takes part: `nodes` have shares, each list of `signers` makes one signature, and `helpers` repair `target`.
struct Cluster {
    nodes: &'static [u8],
    threshold: u8,
    signers: [&'static [u8]; 3],
    target: u8,
    helpers: &'static [u8],
}

const TWO_OF_THREE: Cluster =
    Cluster { nodes: &[1, 2, 3], threshold: 2, signers: [&[1, 3], &[1, 2], &[2, 3]], target: 2, helpers: &[1, 3] };

const THREE_OF_FIVE: Cluster = Cluster {
    nodes: &[1, 2, 3, 4, 5],
    threshold: 3,
    signers: [&[1, 3, 4], &[2, 3, 5], &[1, 2, 5]],
    target: 4,
    helpers: &[1, 2, 5],
};

struct Recording {
    curve: Curve,
    cluster: &'static Cluster,
    operations: Vec<Value>,
}

fn name(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

/// What a node has of the base oblivious transfers with each other one: as the multiplication's receiver both seeds of
/// each, as its sender the bit and the seed that the bit names.
fn oblivious_transfers(party: &Party<Secp256k1>) -> Value {
    let of_peer = |(peer, receiver): (&PartyIndex, &MulReceiver<Secp256k1>)| {
        let sender = &party.mul_senders[peer].ote_sender;
        let bits: String = sender.correlation.iter().map(|bit| if *bit { '1' } else { '0' }).collect();
        let seeds = |list: &[[u8; 32]]| hex::encode(list.concat());
        let both = [&receiver.ote_receiver.seeds0, &receiver.ote_receiver.seeds1].map(|list| seeds(list));
        let facts = json!({"both_seeds": both, "bits": bits, "seeds": seeds(&sender.seeds)});
        (peer.as_u8().to_string(), facts)
    };
    Value::Object(party.mul_receivers.iter().map(of_peer).collect())
}

/// What a node has in the end, its secrets too.
fn key_facts(key: &KeyMaterial) -> Value {
    let (share, further) = match key {
        KeyMaterial::Secp256k1(party) => {
            let point = (k256::ProjectivePoint::GENERATOR * party.poly_point).to_affine();
            (
                party.poly_point.to_bytes().to_vec(),
                json!({"point": hex::encode(compressed(&point)),
                "party_session": hex::encode(&party.session_id), "oblivious_transfers": oblivious_transfers(party)}),
            )
        }
        KeyMaterial::Ed25519(key) => {
            let shares = key.public.verifying_shares().values();
            let points: Vec<String> = shares.map(|share| hex::encode(share.serialize().unwrap())).collect();
            (key.package.signing_share().serialize(), json!({ "verifying_shares": points }))
        }
    };
    let mut facts = json!({"share": hex::encode(share), "public_key": hex::encode(key.public_key().unwrap()),
        "chain_code": hex::encode(key.chain_code())});
    facts.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    facts
}

fn copy(curve: Curve, key: &KeyMaterial) -> KeyMaterial {
    KeyMaterial::from_bytes(curve, &key.to_bytes().unwrap()).unwrap()
}

impl Recording {
    fn label(&self, operation: &str) -> String {
        format!("{}/{operation}", file_name(self.curve, self.cluster))
    }

    fn keep(&mut self, kind: &str, session: &Session, nodes: &[u8], more: Value) {
        let mut kept = json!({"kind": kind, "label": session.label, "session_id": hex::encode(session.id),
            "nodes": nodes, "rounds": session.rounds});
        kept.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.operations.push(kept);
    }

    fn keep_keys(&mut self, kind: &str, session: Session) -> Keys {
        let mut results = serde_json::Map::new();
        for (node, next) in &session.ended {
            let Next::Key { material, transcript } = next else { panic!("a key") };
            let mut facts = key_facts(material);
            facts["transcript"] = json!(hex::encode(transcript));
            results.insert(node.to_string(), facts);
        }
        self.keep(kind, &session, self.cluster.nodes, json!({ "results": results }));
        let key = |(node, next)| match next {
            Next::Key { material, .. } => (node, *material),
            _ => unreachable!("keys, as above"),
        };
        session.ended.into_iter().map(key).collect()
    }

    fn run(&self, operation: &str, nodes: &[u8], begin: impl Fn(Context) -> Result<Step, Fault> + Sync) -> Session {
        run(self.label(operation), self.cluster.threshold, nodes, begin)
    }

    fn generate(&mut self) -> Keys {
        let session = self.run("generate", self.cluster.nodes, |context| match self.curve {
            Curve::Secp256k1 => Protocol::generate_secp256k1(context),
            Curve::Ed25519 => Protocol::generate_ed25519(context),
        });
        self.keep_keys("generate", session)
    }

    fn refresh(&mut self, old: &Keys) -> Keys {
        let session = self.run("refresh", self.cluster.nodes, |context| {
            let own = &old[&context.me];
            Protocol::refresh(context, own)
        });
        self.keep_keys("refresh", session)
    }

    fn sign(&mut self, operation: &str, keys: &Keys, signers: &[u8], path: &[u32]) {
        let message = Sha256::digest(self.label(operation)).to_vec();
        let session = self.run(operation, signers, |context| {
            let key = keys[&context.me].derive(path).unwrap();
            Protocol::sign(context, key, message.clone())
        });
        let mut results = serde_json::Map::new();
        for (node, next) in &session.ended {
            let Next::Signature { bytes, recovery_id } = next else { panic!("a signature") };
            let result = json!({"signature": hex::encode(bytes), "recovery_id": recovery_id});
            results.insert(node.to_string(), result);
        }
        let more = json!({"message": hex::encode(&message), "path": path, "results": results});
        self.keep("sign", &session, signers, more);
    }

    fn share(&self, key: &KeyMaterial) -> Share {
        let statement = KeyStatement {
            wallet_id: [0x11; 16],
            curve: self.curve,
            epoch: 1,
            session_id: [0x44; 32],
            roster: [0x77; 32],
            threshold: self.cluster.threshold,
            public_key: key.public_key().unwrap(),
            chain_code: key.chain_code(),
            transcript: [0x66; 32],
            workspace_id: None,
        };
        let material = copy(self.curve, key);
        // Repair counts confirmations and leaves it to its caller to verify them.
        let confirmation = |node: &u8| {
            let key = ed25519_dalek::SigningKey::from_bytes(&[*node; 32]);
            Confirmation::sign(&key, *node, statement.clone())
        };
        let confirmations = self.cluster.nodes.iter().map(confirmation).collect();
        Share { statement, confirmations, material, signs: true, children: Children::default() }
    }

    fn repair(&mut self, keys: &Keys) {
        let Cluster { target, helpers, .. } = *self.cluster;
        let mut nodes = [helpers, &[target]].concat();
        nodes.sort_unstable();
        let session = self.run("repair", &nodes, |context| {
            let share = (context.me != target).then(|| self.share(&keys[&context.me]));
            Protocol::repair(context, target, share.as_ref())
        });
        let Some(Next::Repaired(Some(share))) = session.ended.get(&target) else { panic!("a repaired share") };
        let more = json!({"target": target, "results": {target.to_string(): key_facts(&share.material)}});
        self.keep("repair", &session, &nodes, more);
    }
}

fn file_name(curve: Curve, cluster: &Cluster) -> String {
    match cluster.nodes.len() {
        3 => name(curve).to_owned(),
        nodes => format!("{}-{}-of-{nodes}", name(curve), cluster.threshold),
    }
}

fn transcript(curve: Curve, cluster: &'static Cluster) -> Value {
    let mut recording = Recording { curve, cluster, operations: vec![] };
    let [first, second, third] = cluster.signers;
    let keys = recording.generate();
    recording.sign("sign with the root key", &keys, first, &[]);
    recording.sign("sign with a child key", &keys, second, &[0, 7]);
    let refreshed = recording.refresh(&keys);
    recording.sign("sign after the refresh", &refreshed, third, &[]);
    recording.repair(&refreshed);
    json!({"throwaway": THROWAWAY, "curve": name(curve), "threshold": cluster.threshold,
        "operations": recording.operations})
}

/// As the vectors have it: long messages cut, and without the secrets of the oblivious transfers.
fn cut(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > 2 * WHOLE_BYTES => {
            let message = hex::decode(&text).expect("what is so long is a message");
            json!({"begins": &text[..2 * WHOLE_BYTES], "length": message.len(),
                "sha256": hex::encode(Sha256::digest(&message))})
        }
        Value::Array(items) => items.into_iter().map(cut).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| name != "oblivious_transfers");
            Value::Object(kept.map(|(name, value)| (name, cut(value))).collect())
        }
        other => other,
    }
}

/// Makes a transcript, and a file with all of it if one asks for it.
fn made(curve: Curve, cluster: &'static Cluster) -> Value {
    let whole = transcript(curve, cluster);
    if let Some(folder) = std::env::var_os("WHOLE_TRANSCRIPTS") {
        let file = std::path::Path::new(&folder).join(format!("{}.json", file_name(curve, cluster)));
        std::fs::write(file, whole.to_string()).unwrap();
    }
    whole
}

/// With what vectors/transcripts has under that name.
fn compare(file: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/transcripts").join(file);
    if std::env::var("UPDATE_VECTORS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differs = text.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
    assert!(text == kept, "{file} is another one from line {differs:?} on");
}

fn compare_two_of_three(curve: Curve) {
    let text = serde_json::to_string_pretty(&cut(made(curve, &TWO_OF_THREE))).unwrap() + "\n";
    compare(&format!("{}.json", name(curve)), &text);
}

/// Of their transcripts, which are ten times as long, the vectors have the hash.
fn compare_three_of_five(curve: Curve) {
    let whole = made(curve, &THREE_OF_FIVE).to_string();
    let file = file_name(curve, &THREE_OF_FIVE);
    compare(&format!("{file}.sha256"), &format!("{}  {file}.json\n", hex::encode(Sha256::digest(whole))));
}

#[test]
fn transcripts_of_secp256k1() {
    compare_two_of_three(Curve::Secp256k1);
}

#[test]
fn transcripts_of_ed25519() {
    compare_two_of_three(Curve::Ed25519);
}

#[test]
#[ignore = "takes most of a minute; the test of the verifier asks for it"]
fn transcripts_of_secp256k1_three_of_five() {
    compare_three_of_five(Curve::Secp256k1);
}

#[test]
fn transcripts_of_ed25519_three_of_five() {
    compare_three_of_five(Curve::Ed25519);
}

/// Outside of `seeded`, and in other threads while it runs, randomness is the system's.
#[test]
fn nothing_else_in_this_program_is_seeded() {
    use rand_core::{OsRng, RngCore};
    let draw = || OsRng.next_u64();
    assert_eq!(randomness::seeded("a", draw), randomness::seeded("a", draw));
    assert_ne!(randomness::seeded("a", draw), randomness::seeded("b", draw));
    assert_ne!(draw(), draw());
    randomness::seeded("a", || std::thread::scope(|scope| assert_ne!(scope.spawn(draw).join().unwrap(), draw())));
    assert_ne!(randomness::seeded("a", || std::thread::spawn(draw).join().unwrap()), randomness::seeded("a", draw));
}
