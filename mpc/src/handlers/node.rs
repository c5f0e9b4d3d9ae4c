//! One node, whole: its keys, its disk, its policy and its live sessions. No sockets, so that tests drive it directly.

use super::result_cache::ResultCache;
use super::sessions::Sessions;
use crate::cluster::Cluster;
use crate::crypto::seal::Seal;
use crate::guards::bans::Bans;
use crate::guards::rollback::RollbackDetection;
use crate::limits::Limits;
use crate::policy::Policy;
use crate::storage::identity::read_identity;
use crate::storage::journal::{Journal, Record};
use crate::storage::replacement;
use crate::storage::shares::vault::Vault;
use crate::wire::progress_attestation::ProgressAttestation;
use crate::wire::{Health, RequestBody};
use ed25519_dalek::SigningKey;
use std::path::Path;

pub struct Node {
    pub(crate) index: u8,
    pub(crate) identity: SigningKey,
    pub(crate) cluster: Cluster,
    pub(crate) vault: Vault,
    pub(crate) journal: Journal,
    pub(crate) bans: Bans,
    pub(crate) rollback: RollbackDetection,
    pub(crate) sessions: Sessions,
    pub(crate) results: ResultCache,
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
}

/// A key keeps the threshold and the number of nodes that it was made for: a refresh makes new shares of that size.
fn check_sizes(vault: &Vault, cluster: &Cluster) -> Result<(), String> {
    let (threshold, nodes) = (cluster.threshold, cluster.nodes.len());
    let Some((other_threshold, other_nodes)) = vault.sizes().into_iter().find(|size| *size != (threshold, nodes))
    else {
        return Ok(());
    };
    Err(format!(
        "cluster.json lets {threshold} of {nodes} nodes sign, and keys here are of {other_threshold} of {other_nodes}: \
         give it the threshold and the number of nodes that it had, and use a second cluster for another size"
    ))
}

impl Node {
    /// `directory` was made by `provision::init_node`; one process at a time may open it.
    pub fn open(
        directory: &Path,
        index: u8,
        cluster: Cluster,
        store_key: &[u8; 32],
        limits: Limits,
        policy: Policy,
    ) -> Result<Self, String> {
        replacement::finish(directory)?;
        let identity = read_identity(directory, &Seal::new(store_key))?;
        match cluster.nodes.get(&index) {
            None => return Err(format!("cluster.json has no node {index}")),
            Some(expected) if *expected != identity.verifying_key() => {
                return Err(format!("cluster.json gives node {index} another identity key than identity.key"));
            }
            Some(_) => {}
        }
        policy.check_approver(&cluster)?;
        let vault = Vault::open(directory.join("shares"), Seal::new(store_key), index)?;
        check_sizes(&vault, &cluster)?;
        let journal_path = directory.join("journal.redb");
        // A lost journal would lift bans and forget used commands. An empty file is one that was lost.
        let lost = std::fs::metadata(&journal_path).map_or(true, |data| data.len() == 0);
        if vault.held_keys() > 0 && lost {
            return Err(
                "the journal is missing or empty although shares exist: restore it, or replace this node".into()
            );
        }
        let journal = Journal::open(&journal_path)?;
        let (roster, nodes) = (cluster.roster, cluster.nodes.clone());
        journal.write(Record::Roster { roster, nodes }).map_err(|refused| refused.detail.to_string())?;
        let bans = Bans::load(&journal).map_err(|refused| refused.detail.to_string())?;
        let rollback = RollbackDetection::load(&journal).map_err(|refused| refused.detail.to_string())?;
        let (sessions, results) = (Sessions::new(limits), ResultCache::new(limits.results_kept));
        Ok(Self { index, identity, cluster, vault, journal, bans, rollback, sessions, results, limits, policy })
    }

    /// Whether the work of this request is to make shares: slow, so the server keeps it apart from signing.
    pub fn makes_share(&self, body: &RequestBody) -> bool {
        match body {
            RequestBody::Start { command_id, .. } | RequestBody::Continue { command_id, .. } => {
                self.sessions.makes_share(*command_id)
            }
            _ => false,
        }
    }

    /// Ends what a crash cut short. To be called once after the start, beside the requests: it may read many shares.
    pub fn settle(&self) {
        self.vault.settle_all(&self.cluster.roster);
    }

    /// Drops sessions past their deadline, and writes bans that the disk did not take. To be called now and then: an
    /// idle node must not keep nonces.
    pub fn sweep(&self) {
        self.sessions.sweep();
        self.bans.write_pending(&self.journal);
    }

    /// Everything, or some wallet or chain.
    pub fn is_paused(&self) -> bool {
        self.policy.paused.is_any()
    }

    pub fn health(&self) -> Health {
        Health {
            version: env!("CARGO_PKG_VERSION").to_string(),
            node: self.index,
            roster: self.cluster.roster,
            live_sessions: self.sessions.live() as u32,
            keys: self.vault.held_keys(),
            bans: self.bans.list(),
            policy: self.policy.sha256,
            mark: ProgressAttestation::sign(&self.identity, self.journal.progress()),
            marks: self.rollback.list(),
            set_back: self.rollback.is_rolled_back(),
        }
    }
}
