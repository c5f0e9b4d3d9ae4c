//! The public facts of the cluster, read from `cluster.json`: who the nodes are and who may command them.
//! Addresses are not here, and nothing here is secret.

use crate::crypto::signatures::pinned_key;
use crate::wire::encode;
use ed25519_dalek::VerifyingKey;
use rustls::pki_types::{pem::PemObject, CertificateDer};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub struct Cluster {
    pub threshold: u8,
    pub nodes: BTreeMap<u8, VerifyingKey>,
    pub command_public_key: VerifyingKey,
    /// Without it nothing is repaired.
    pub enrolment_public_key: Option<VerifyingKey>,
    pub orchestrator_certificate: CertificateDer<'static>,
    pub roster: [u8; 32],
}

#[derive(Deserialize)]
struct ClusterFile {
    threshold: u8,
    nodes: Vec<NodeEntry>,
    orchestrator: OrchestratorEntry,
    enrolment_public_key: Option<String>,
}

#[derive(Deserialize)]
struct NodeEntry {
    index: u8,
    identity_public_key: String,
}

#[derive(Deserialize)]
struct OrchestratorEntry {
    command_public_key: String,
    tls_certificate: String,
}

impl Cluster {
    pub fn parse(json: &str) -> Result<Self, String> {
        let file: ClusterFile = serde_json::from_str(json).map_err(|e| format!("cluster.json is not valid: {e}"))?;
        let mut nodes = BTreeMap::new();
        for (position, node) in file.nodes.iter().enumerate() {
            // DKLs23 evaluates its polynomials at 1..=n, so the indexes must be exactly those.
            if usize::from(node.index) != position + 1 {
                return Err("cluster.json must list its nodes as 1, 2, 3, … in this order".into());
            }
            nodes.insert(node.index, public_key(&node.identity_public_key)?);
        }
        if file.threshold < 2 || usize::from(file.threshold) > nodes.len() {
            return Err("cluster.json has a threshold below 2 or above the number of nodes".into());
        }
        if nodes.values().map(|key| key.to_bytes()).collect::<std::collections::BTreeSet<_>>().len() != nodes.len() {
            return Err("cluster.json gives two nodes the same identity key".into());
        }
        let orchestrator_certificate = CertificateDer::from_pem_slice(file.orchestrator.tls_certificate.as_bytes())
            .map_err(|_| "cluster.json has no valid orchestrator certificate".to_string())?;
        let command_public_key = public_key(&file.orchestrator.command_public_key)?;
        let enrolment_public_key = file.enrolment_public_key.as_deref().map(public_key).transpose()?;
        // The orchestrator's key must not name who gets a share: the enrolment key is offline for that.
        if enrolment_public_key == Some(command_public_key) {
            return Err("cluster.json gives enrolment the command key: it must have its own, offline".into());
        }
        Ok(Self {
            threshold: file.threshold,
            roster: roster(file.threshold, &nodes),
            nodes,
            command_public_key,
            enrolment_public_key,
            orchestrator_certificate,
        })
    }
}

/// SHA-256 of Borsh("countersign/v1/roster", threshold, [(index, identity public key)] ascending).
pub fn roster(threshold: u8, nodes: &BTreeMap<u8, VerifyingKey>) -> [u8; 32] {
    let entries: Vec<(u8, [u8; 32])> = nodes.iter().map(|(index, key)| (*index, key.to_bytes())).collect();
    Sha256::digest(encode(&("countersign/v1/roster", threshold, entries))).into()
}

fn public_key(text: &str) -> Result<VerifyingKey, String> {
    let bytes: [u8; 32] = hex::decode(text)
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or("cluster.json has a public key that is not 32 bytes of hex")?;
    pinned_key(&bytes).ok_or("cluster.json has a public key that is not a point of the prime order".into())
}
