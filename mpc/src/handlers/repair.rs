//! What a repair asks of a node beyond its protocol: who may help, who may be the target, and that what the helpers
//! tell is the key as its nodes confirmed it. The share is kept as one that does not sign before a complete refresh.

use super::node::Node;
use super::sessions::Facts;
use crate::keys::share::Share;
use crate::storage::shares::vault::{UNKNOWN_WALLET, WALLET_EXISTS, WRONG_EPOCH};
use crate::wire::command::Operation;
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::{RefusalCode, Refused};
use std::sync::Arc;

/// A helper's share, which may be a restored one: after the loss of several machines there may be no other. `None` at
/// the target, which has none of this epoch or one that does not sign.
pub fn share_for(node: &Node, operation: &Operation) -> Result<Option<Arc<Share>>, Refused> {
    let Operation::Repair { wallet_id, curve, epoch, public_key, target, .. } = operation else {
        return Err(Refused::internal("This is no repair."));
    };
    let share = node.vault.share(*wallet_id, *curve)?;
    if *target != node.index {
        let share = share.ok_or(UNKNOWN_WALLET)?;
        return match (share.statement.epoch, &share.statement.public_key) == (*epoch, public_key) {
            true => Ok(Some(share)),
            false => Err(WRONG_EPOCH),
        };
    }
    let Some(share) = share else { return Ok(None) };
    if share.statement.public_key != *public_key || share.statement.epoch > *epoch {
        return Err(WRONG_EPOCH);
    }
    match share.signs && share.statement.epoch == *epoch {
        true => Err(WALLET_EXISTS),
        false => Ok(None),
    }
}

/// At the target: the share is on disk when this returns.
pub fn take(node: &Node, facts: &Facts, share: Share) -> Result<KeyStatement, Refused> {
    let operation = &facts.command.operation;
    let statement = share.statement.clone();
    let KeyStatement { wallet_id, curve, epoch, public_key, .. } = &statement;
    let asked = (*wallet_id, *curve) == (operation.wallet_id(), operation.curve())
        && (*epoch, public_key) == (facts.agreement.epoch, &facts.agreement.root_public_key)
        && statement.threshold == node.cluster.threshold;
    let fits = share.material.belongs_to(node.index)
        && share.material.public_key().as_ref() == Some(public_key)
        && share.material.chain_code() == statement.chain_code;
    if !asked || !fits {
        return Err(Refused::aborted("The repaired share is not of the key that was asked for."));
    }
    check_confirmations(node, &share)?;
    node.vault.keep_unrefreshed(share, &node.cluster.roster)?;
    Ok(statement)
}

/// Of all nodes. What stands at our own index was signed by the machine that was here before, and nobody can check it.
/// So it is of every machine that was replaced since, when the key is of an earlier roster. Then the word of the
/// helpers counts, which came over authenticated channels and is the same from all of them: they are as many as sign.
fn check_confirmations(node: &Node, share: &Share) -> Result<(), Refused> {
    if !share.confirmations.iter().map(|c| c.node).eq(node.cluster.nodes.keys().copied()) {
        return Err(Refused::aborted("The helpers' confirmations are not those of every node."));
    }
    let is_earlier = share.statement.roster != node.cluster.roster;
    for (confirmation, identity) in share.confirmations.iter().zip(node.cluster.nodes.values()) {
        let genuine = is_earlier || confirmation.node == node.index || confirmation.verifies(identity);
        if !genuine || confirmation.statement != share.statement {
            let detail = "A confirmation that the helpers sent does not verify.";
            return Err(Refused::by_peer(RefusalCode::SessionAborted, confirmation.node, detail));
        }
    }
    Ok(())
}
