//! The node's own policy: what it signs, whatever the orchestrator commands. It reads the content, never a bare digest,
//! and refuses with a fixed sentence. Without a policy file everything that gives power away is refused, and plain
//! transfers, and messages pass without limits. Changes no state: what is counted is charged in `journal`.

use super::charges::{Charge, Charging};
use super::evm::{self, Own};
use super::file::Policy;
use super::messages::is_blind_message;
use super::refusals::refused;
use super::{bitcoin, solana, typed_data};
use crate::cluster::Cluster;
use crate::wire::command::{Operation, Payload};
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::Curve;

impl Policy {
    /// Its second signature must be another's than the one that it is second to, and no node's.
    pub fn check_approver(&self, cluster: &Cluster) -> Result<(), String> {
        let Some(approver) = self.approver_public_key else { return Ok(()) };
        let others = [Some(cluster.command_public_key), cluster.enrolment_public_key];
        if others.contains(&Some(approver)) || cluster.nodes.values().any(|identity| *identity == approver) {
            return Err("the policy's approver has a key of cluster.json: it must have its own".into());
        }
        Ok(())
    }

    /// What the operation will be counted as, or why it is refused. A key test can authorise nothing, and a generation
    /// makes a key that nothing pays to yet: both pass, and are counted in `daily`. `root` is the wallet's key.
    pub fn check(
        &self,
        operation: &Operation,
        root: Option<&KeyStatement>,
        now_ms: u64,
    ) -> Result<Vec<Charge>, Refused> {
        let Operation::Sign { operation_id, wallet_id, curve, path, payload, .. } = operation else {
            return Ok(vec![]);
        };
        if *payload == Payload::KeyTest {
            return Ok(vec![]);
        }
        let workspace_id = root.and_then(|root| root.workspace_id);
        self.paused.check(wallet_id, workspace_id, *curve, payload)?;
        if !self.wallets.as_ref().is_none_or(|wallets| wallets.cover(wallet_id, workspace_id)) {
            return Err(refused("The policy of this node does not cover this wallet."));
        }
        let curve_allowed = match curve {
            Curve::Secp256k1 => self.curves.secp256k1,
            Curve::Ed25519 => self.curves.ed25519,
        };
        if !curve_allowed {
            return Err(refused("The policy of this node refuses this curve."));
        }
        if !self.hours.as_ref().is_none_or(|windows| windows.iter().any(|window| window.covers(now_ms))) {
            return Err(Refused::new(RefusalCode::Busy, "The policy of this node signs at other hours."));
        }
        let mut charging = Charging::new(*operation_id, *wallet_id, now_ms);
        charging.rates(&self.rates);
        self.check_payload(payload, &Own { root, path }, &mut charging)?;
        Ok(charging.charges)
    }

    fn check_payload(&self, payload: &Payload, own: &Own, charging: &mut Charging) -> Result<(), Refused> {
        match payload {
            Payload::KeyTest => Ok(()),
            Payload::RawDigest(_) if self.raw_digests => Ok(()),
            Payload::RawDigest(_) => Err(refused("The policy of this node refuses raw digests.")),
            Payload::EvmMessage(_) | Payload::SolanaMessage(_) if !self.messages => {
                Err(refused("The policy of this node refuses messages."))
            }
            Payload::EvmMessage(_) | Payload::SolanaMessage(_) if is_blind_message(payload) && !self.raw_digests => {
                Err(refused("The policy of this node refuses a message that is a digest and nothing else."))
            }
            Payload::EvmMessage(_) | Payload::SolanaMessage(_) => Ok(()),
            Payload::EvmTransaction(bytes) => evm::check_transaction(&self.evm, bytes, own, charging),
            Payload::EvmTypedData(data) => typed_data::check(self, data, own, charging),
            Payload::SolanaTransaction(message) => solana::check(&self.solana, message, charging),
            Payload::BitcoinInput(input) => bitcoin::check(&self.bitcoin, input, charging),
        }
    }
}
