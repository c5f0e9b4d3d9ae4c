//! Reads payloads from standard input, one a line as the hex of their borsh encoding, and writes one line of JSON for
//! each: what the policy sees of it, and why the policy of production would refuse it. Holds no keys and signs nothing.

use mpc_node::policy::{seen, Policy};
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::{decode, Curve};
use serde_json::json;
use std::io::{stdin, stdout, BufRead, BufWriter, Write};

fn main() {
    let policy = Policy::default();
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let bytes = hex::decode(line.expect("a line of text")).expect("hex");
        let view = match decode::<Payload>(&bytes) {
            Some(payload) => view(&policy, payload),
            None => json!({"refused": "The payload could not be decoded."}),
        };
        writeln!(out, "{view}").expect("standard output takes it");
    }
}

fn view(policy: &Policy, payload: Payload) -> serde_json::Value {
    let curve = match payload {
        Payload::SolanaTransaction(_) | Payload::SolanaMessage(_) => Curve::Ed25519,
        _ => Curve::Secp256k1,
    };
    let seen = seen(&payload);
    let operation = Operation::Sign {
        operation_id: [1; 16],
        attempt: 1,
        wallet_id: [2; 16],
        curve,
        path: vec![],
        signers: vec![1, 2],
        payload,
    };
    let refused = policy.check(&operation, None, 0).err().map(|refused| refused.detail);
    json!({"seen": seen, "refused": refused})
}
