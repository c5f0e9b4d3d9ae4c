//! `Open`: checks a command and greets the other participants. Journals nothing: a session that is only open has
//! done no cryptography of the protocols.

use crate::authorize::{authenticate, check_content, check_expiry, check_signer};
use crate::clock::now_ms;
use crate::command::{Command, Operation, Payload};
use crate::countersigned::check_approval;
use crate::hello::Agreement;
use crate::journal::COMMAND_USED;
use crate::node::Node;
use crate::policy::{short_hash, transaction_subject};
use crate::refusal::Refused;
use crate::sessions::{Facts, Session, Stage};
use crate::vault::{Share, UNKNOWN_WALLET, WALLET_EXISTS};
use crate::wire::{encode, Id, ResponseBody};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// `approval`: the second signature, where the node's policy asks for one.
pub fn open(
    node: &Node,
    bytes: Vec<u8>,
    signature: &[u8; 64],
    approval: Option<&[u8; 64]>,
) -> Result<ResponseBody, Refused> {
    let command: Command = authenticate(&node.cluster, &bytes, signature)?;
    check_approval(&node.policy, &command, &bytes, approval)?;
    // Before the expiry: the result of a command outlives it.
    if let Some(answer) = seen(node, &command, Sha256::digest(&bytes).into())? {
        return Ok(answer);
    }
    check_expiry(&command, now_ms())?;
    check_content(&node.cluster, node.index, &command.operation)?;
    node.journal.check_unused(command.command_id, command.expires_at_ms)?;
    let share = share_for(node, &command.operation)?;
    let charges = node.policy.check(&command.operation, share.as_ref().map(|share| &share.statement), now_ms())?;
    node.journal.check_charges(&charges)?;
    let (root_public_key, epoch) = match &share {
        Some(share) => (share.statement.public_key.clone(), share.statement.epoch),
        None => (vec![], 0),
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
    if let Some((finished, outcome)) = node.finished.get(command.command_id) {
        return if finished == digest { Ok(Some(ResponseBody::Finished(outcome))) } else { Err(COMMAND_USED) };
    }
    match node.sessions.command_digest(command.command_id) {
        Some(live) if live == digest => Ok(Some(ResponseBody::InProgress)),
        Some(_) => Err(COMMAND_USED),
        None => Ok(None),
    }
}

/// The root share to sign with, or `None` for a generation that may go on.
fn share_for(node: &Node, operation: &Operation) -> Result<Option<Arc<Share>>, Refused> {
    let (wallet_id, curve) = (operation.wallet_id(), operation.curve());
    let Operation::Sign { signers, .. } = operation else {
        return if node.vault.is_committed(wallet_id, curve)? { Err(WALLET_EXISTS) } else { Ok(None) };
    };
    let share = node.vault.committed(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?;
    check_signer(operation, &share.statement)?;
    node.journal.check_bindings(&bindings(operation))?;
    node.bans.check(&share.statement.public_key, signers)?;
    Ok(Some(share))
}

/// What is bound for ever, once it is signed: the operation id to wallet, curve, path and payload, but not to attempt and
/// signers; and a Bitcoin transaction to what is said of its coins. Were that another story for each input, every one of
/// them could hide a fee in the others.
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
