//! `Open`: checks a command and greets the other participants. Journals nothing: a session that is only open has
//! done no cryptography of the protocols.

use super::node::Node;
use super::repair;
use super::sessions::{Facts, Session, Stage};
use crate::guards::approver::check_approval;
use crate::guards::authorize::{
    authenticate, authenticate_repair, check_confirmed, check_content, check_expiry, check_signer,
};
use crate::guards::bans::Use;
use crate::guards::daily_quota;
use crate::keys::share::Share;
use crate::policy::{short_hash, transaction_subject};
use crate::storage::journal::COMMAND_USED;
use crate::storage::shares::vault::{NEEDS_REFRESH, UNKNOWN_WALLET, WALLET_EXISTS};
use crate::wire::command::{Command, Operation, Payload};
use crate::wire::hello::Agreement;
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{encode, Id, ResponseBody};
use sha2::{Digest, Sha256};
use std::sync::Arc;

const KEYS_FULL: Refused = Refused::new(RefusalCode::Busy, "This node holds as many keys as it may.");

/// Under the command key. `approval`: the second signature, where the node's policy asks for one.
pub fn open(
    node: &Node,
    bytes: Vec<u8>,
    signature: &[u8; 64],
    approval: Option<&[u8; 64]>,
) -> Result<ResponseBody, Refused> {
    let command: Command = authenticate(&node.cluster, &bytes, signature)?;
    if let Operation::Repair { .. } = command.operation {
        return Err(Refused::new(RefusalCode::Unauthorized, "The command key commands no repairs."));
    }
    check_approval(&node.policy, &command, &bytes, approval)?;
    greet(node, command, bytes)
}

/// Under the enrolment key.
pub fn open_repair(node: &Node, bytes: Vec<u8>, signature: &[u8; 64]) -> Result<ResponseBody, Refused> {
    let command = authenticate_repair(&node.cluster, &bytes, signature)?;
    greet(node, command, bytes)
}

fn greet(node: &Node, command: Command, bytes: Vec<u8>) -> Result<ResponseBody, Refused> {
    // Before the expiry: the result of a command outlives it.
    if let Some(answer) = seen(node, &command, Sha256::digest(&bytes).into())? {
        return Ok(answer);
    }
    node.rollback.check()?;
    let now_ms = node.limits.clock.now_ms();
    check_expiry(&command, now_ms)?;
    check_content(&node.cluster, node.index, &command.operation)?;
    node.journal.check_unused(command.command_id, command.expires_at_ms)?;
    let share = share_for(node, &command.operation)?;
    let mut charges = node.policy.check(&command.operation, share.as_ref().map(|share| &share.statement), now_ms)?;
    charges.extend(daily_quota::charge(&command.operation, &node.limits.daily, now_ms));
    node.journal.check_charges(&charges)?;
    let (root_public_key, epoch) = match (&command.operation, &share) {
        // The target of a repair learns of its key by the command.
        (Operation::Repair { public_key, epoch, .. }, _) => (public_key.clone(), *epoch),
        (_, Some(share)) => (share.statement.public_key.clone(), share.statement.epoch),
        (_, None) => (vec![], 0),
    };
    let agreement = Agreement { command: bytes, root_public_key, epoch };
    let (hello, ephemeral_secret) = agreement.greet(&node.identity, node.index);
    let stage = Stage::Opened { hello: hello.clone(), ephemeral_secret };
    let facts = Facts { command, agreement, share, charges };
    node.sessions.insert(Session { facts, stage }, node.index)?;
    Ok(ResponseBody::Opened(hello))
}

/// The answer to a repeat of the same command; the same id under other bytes is refused.
fn seen(node: &Node, command: &Command, digest: [u8; 32]) -> Result<Option<ResponseBody>, Refused> {
    if let Some((finished, outcome)) = node.results.get(command.command_id) {
        return if finished == digest { Ok(Some(ResponseBody::Finished(outcome))) } else { Err(COMMAND_USED) };
    }
    match node.sessions.command_digest(command.command_id) {
        Some(live) if live == digest => Ok(Some(ResponseBody::InProgress)),
        Some(_) => Err(COMMAND_USED),
        None => Ok(None),
    }
}

/// The root share to work with, or `None` for who is to get one.
fn share_for(node: &Node, operation: &Operation) -> Result<Option<Arc<Share>>, Refused> {
    let (wallet_id, curve) = (operation.wallet_id(), operation.curve());
    if operation.is_generation() {
        return match node.vault.holds(wallet_id, curve)? {
            true => Err(WALLET_EXISTS),
            false if node.vault.held_keys() >= node.limits.keys_max => Err(KEYS_FULL),
            false => Ok(None),
        };
    }
    let share = match operation {
        Operation::Repair { .. } => repair::share_for(node, operation)?,
        _ => Some(node.vault.share(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?),
    };
    let Some(share) = share else { return Ok(None) };
    match operation {
        Operation::GenerateKey { .. } | Operation::GenerateWorkspaceKey { .. } | Operation::Repair { .. } => {}
        Operation::Sign { signers, .. } => {
            if !share.signs {
                return Err(NEEDS_REFRESH);
            }
            check_confirmed(&node.cluster, &share, signers)?;
            check_signer(operation, &share.statement)?;
            node.journal.check_bindings(&bindings(operation))?;
        }
        Operation::Refresh { epoch, .. } => {
            node.vault.check_refresh(&share.statement, *epoch, &node.cluster.roster)?;
        }
    }
    let KeyStatement { public_key: root_public_key, epoch, .. } = &share.statement;
    let (peers, signing) = (operation.participants(), operation.is_signing());
    node.bans.check(&node.cluster.nodes, &Use { root_public_key, epoch: *epoch, peers, signing })?;
    Ok(Some(share))
}

/// What is bound for ever, once it is signed: the operation id to wallet, curve, path and payload, but not to attempt
/// and signers; and a Bitcoin transaction to what is said of its coins. Were that another story for each input, every
/// one of them could hide a fee in the others.
pub fn bindings(operation: &Operation) -> Vec<(Id, [u8; 32])> {
    let Operation::Sign { operation_id, wallet_id, curve, path, payload, .. } = operation else { return vec![] };
    let hash = |bytes: Vec<u8>| -> [u8; 32] { Sha256::digest(bytes).into() };
    let mut bindings =
        vec![(*operation_id, hash(encode(&("countersign/v1/message", wallet_id, *curve, path, payload))))];
    if let Payload::BitcoinInput(input) = payload {
        let coins = hash(encode(&("countersign/v1/coins", &input.coins)));
        bindings.push((short_hash(&("countersign/v1/transaction", &input.transaction)), coins));
        bindings.push((transaction_subject(wallet_id, &input.transaction), coins));
    }
    bindings
}
