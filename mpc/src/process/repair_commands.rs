//! `mpc-node sign-enrolment`: the offline half of a repair. Reads the cluster file and a list of keys, and prints the
//! commands that the orchestrator carries to the nodes. Where this runs, no network is needed.

use crate::clock::now_ms;
use crate::cluster::Cluster;
use crate::crypto::random;
use crate::limits::REPAIR_AHEAD_MS;
use crate::wire::command::{Command, Operation, PROTOCOL_VERSION, REPAIR_LABEL};
use crate::wire::{encode, Curve, Id};
use ed25519_dalek::{Signer, SigningKey};
use serde::Deserialize;
use serde_json::{json, Value};

/// As the orchestrator lists it: a UUID, `secp256k1` or `ed25519`, hex.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedKey {
    wallet_id: String,
    curve: String,
    epoch: u32,
    public_key: String,
}

/// One command for each key: the share of `target` from the `helpers`, or from the first of the others.
pub fn sign_repairs(
    enrolment_key: &SigningKey,
    cluster: &Cluster,
    target: u8,
    helpers: Option<Vec<u8>>,
    keys: &str,
) -> Result<Value, String> {
    if cluster.enrolment_public_key != Some(enrolment_key.verifying_key()) {
        return Err("cluster.json names another enrolment key, or none".into());
    }
    let identity = cluster.nodes.get(&target).ok_or("--target is not a node of cluster.json")?;
    let others = cluster.nodes.keys().copied().filter(|index| *index != target);
    let helpers = helpers.unwrap_or_else(|| others.clone().take(usize::from(cluster.threshold)).collect());
    let known = helpers.iter().all(|helper| others.clone().any(|other| other == *helper));
    let mut nodes = [helpers.as_slice(), &[target]].concat();
    nodes.sort_unstable();
    nodes.dedup();
    if !known || nodes.len() != usize::from(cluster.threshold) + 1 {
        return Err(format!("a share is repaired by {} other nodes", cluster.threshold));
    }
    let keys: Vec<ListedKey> = serde_json::from_str(keys).map_err(|e| format!("the list of keys is not valid: {e}"))?;
    let expires_at_ms = now_ms() + REPAIR_AHEAD_MS - 60_000;
    let mut commands = vec![];
    for key in keys {
        let (wallet_id, curve, public_key) = key.parsed()?;
        let operation =
            Operation::Repair { wallet_id, curve, epoch: key.epoch, public_key, target, nodes: nodes.clone() };
        let (version, roster, command_id) = (PROTOCOL_VERSION, cluster.roster, random::bytes());
        let command = encode(&Command { version, roster, command_id, expires_at_ms, operation });
        let signature = enrolment_key.sign(&[REPAIR_LABEL, &command].concat());
        commands.push(json!({"wallet_id": key.wallet_id, "curve": key.curve, "epoch": key.epoch,
            "command": hex::encode(&command), "signature": hex::encode(signature.to_bytes())}));
    }
    Ok(json!({"target": target, "target_identity_public_key": hex::encode(identity.to_bytes()), "nodes": nodes,
        "expires_at_ms": expires_at_ms, "commands": commands}))
}

impl ListedKey {
    fn parsed(&self) -> Result<(Id, Curve, Vec<u8>), String> {
        let failed = |what: &str| format!("the key of wallet {:?} has no valid {what}", self.wallet_id);
        let wallet_id = hex::decode(self.wallet_id.replace('-', "")).ok().and_then(|bytes| bytes.try_into().ok());
        let (curve, length) = match self.curve.as_str() {
            "secp256k1" => (Curve::Secp256k1, 33),
            "ed25519" => (Curve::Ed25519, 32),
            _ => return Err(failed("curve")),
        };
        let public_key = hex::decode(&self.public_key).ok().filter(|bytes| bytes.len() == length);
        Ok((wallet_id.ok_or_else(|| failed("id"))?, curve, public_key.ok_or_else(|| failed("public key"))?))
    }
}
