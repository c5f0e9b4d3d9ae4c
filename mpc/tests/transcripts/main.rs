//! Goal: what nodes say to each other in each protocol, and what comes of it, cannot change unseen, and a program in
//! another language can check all of it (audit/verifier). Method: generation, signing, refresh and repair of two of
//! three nodes on both curves by the nodes' own steps, their randomness drawn from a seed that this test's program
//! alone has; compare with vectors/transcripts. `UPDATE_VECTORS=1` writes the files anew.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod randomness;
mod session;

use mpc_node::keys::children::Children;
use mpc_node::keys::key_material::{compressed, KeyMaterial};
use mpc_node::keys::share::Share;
use mpc_node::protocol::{Next, Protocol};
use mpc_node::wire::key_statement::KeyStatement;
use mpc_node::wire::Curve;
use serde_json::{json, Value};
use session::{run, Session};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const NODES: [u8; 3] = [1, 2, 3];
const THROWAWAY: &str = "Throw-away keys, made from a published seed for this file alone. Everybody has them whole.";

type Keys = BTreeMap<u8, KeyMaterial>;

struct Recording {
    curve: Curve,
    operations: Vec<Value>,
}

fn name(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

/// What a node has in the end, its secrets too.
fn key_facts(key: &KeyMaterial) -> Value {
    let (share, further) = match key {
        KeyMaterial::Secp256k1(party) => {
            let point = (k256::ProjectivePoint::GENERATOR * party.poly_point).to_affine();
            (
                party.poly_point.to_bytes().to_vec(),
                json!({"point": hex::encode(compressed(&point)),
                "party_session": hex::encode(&party.session_id)}),
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
    fn begin(curve: Curve) -> Self {
        Recording { curve, operations: vec![] }
    }

    fn label(&self, operation: &str) -> String {
        format!("{}/{operation}", name(self.curve))
    }

    fn keep(&mut self, kind: &str, operation: &str, session: &Session, nodes: &[u8], more: Value) {
        let mut kept = json!({"kind": kind, "name": operation, "session_id": hex::encode(session.id), "nodes": nodes,
            "rounds": session.rounds});
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
        self.keep(kind, kind, &session, &NODES, json!({ "results": results }));
        let key = |(node, next)| match next {
            Next::Key { material, .. } => (node, *material),
            _ => unreachable!("keys, as above"),
        };
        session.ended.into_iter().map(key).collect()
    }

    fn generate(&mut self) -> Keys {
        let session = run(&self.label("generate"), &NODES, |context| match self.curve {
            Curve::Secp256k1 => Protocol::generate_secp256k1(context),
            Curve::Ed25519 => Protocol::generate_ed25519(context),
        });
        self.keep_keys("generate", session)
    }

    fn refresh(&mut self, old: &Keys) -> Keys {
        let session = run(&self.label("refresh"), &NODES, |context| {
            let own = &old[&context.me];
            Protocol::refresh(context, own)
        });
        self.keep_keys("refresh", session)
    }

    fn sign(&mut self, operation: &str, keys: &Keys, signers: &[u8], path: &[u32]) {
        let message = Sha256::digest(self.label(operation)).to_vec();
        let session = run(&self.label(operation), signers, |context| {
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
        self.keep("sign", operation, &session, signers, more);
    }

    fn share(&self, key: &KeyMaterial) -> Share {
        let statement = KeyStatement {
            wallet_id: [0x11; 16],
            curve: self.curve,
            epoch: 1,
            session_id: [0x44; 32],
            roster: [0x77; 32],
            threshold: 2,
            public_key: key.public_key().unwrap(),
            chain_code: key.chain_code(),
            transcript: [0x66; 32],
            workspace_id: None,
        };
        let material = copy(self.curve, key);
        // Repair counts confirmations and leaves it to its caller to verify them.
        let confirmations = NODES
            .map(|node| {
                mpc_node::wire::key_statement::Confirmation::sign(
                    &ed25519_dalek::SigningKey::from_bytes(&[node; 32]),
                    node,
                    statement.clone(),
                )
            })
            .to_vec();
        Share { statement, confirmations, material, signs: true, children: Children::default() }
    }

    fn repair(&mut self, keys: &Keys, target: u8) {
        let session = run(&self.label("repair"), &NODES, |context| {
            let share = (context.me != target).then(|| self.share(&keys[&context.me]));
            Protocol::repair(context, target, share.as_ref())
        });
        let Some(Next::Repaired(Some(share))) = session.ended.get(&target) else { panic!("a repaired share") };
        let more = json!({"target": target, "results": {target.to_string(): key_facts(&share.material)}});
        self.keep("repair", "repair", &session, &NODES, more);
    }
}

fn transcript(curve: Curve) -> Value {
    let mut recording = Recording::begin(curve);
    let keys = recording.generate();
    recording.sign("sign with the root key", &keys, &[1, 3], &[]);
    recording.sign("sign with a child key", &keys, &[1, 2], &[0, 7]);
    let refreshed = recording.refresh(&keys);
    recording.sign("sign after the refresh", &refreshed, &[2, 3], &[]);
    recording.repair(&refreshed, 2);
    json!({"throwaway": THROWAWAY, "curve": name(curve), "threshold": 2, "operations": recording.operations})
}

fn compare(curve: Curve) {
    let file = format!("vectors/transcripts/{}.json", name(curve));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
    let text = serde_json::to_string_pretty(&transcript(curve)).unwrap() + "\n";
    if std::env::var("UPDATE_VECTORS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differs = text.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
    assert!(text == kept, "{file} is another one from line {differs:?} on");
}

#[test]
fn transcripts_of_secp256k1() {
    compare(Curve::Secp256k1);
}

#[test]
fn transcripts_of_ed25519() {
    compare(Curve::Ed25519);
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
