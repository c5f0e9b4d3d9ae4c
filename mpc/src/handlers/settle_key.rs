//! `Acknowledge` and `Settle`: when every node has said that one and the same share is its share of the key, all others
//! of the epoch go. Until then those stay that other nodes may have committed, and who breaks into this node and into
//! one that took part in such a refresh may have the key by them.

use super::node::Node;
use crate::storage::journal::{Acknowledged, Record};
use crate::storage::shares::vault::{NEEDS_REFRESH, UNKNOWN_WALLET, WRONG_EPOCH};
use crate::wire::key_acknowledgement::Acknowledgement;
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Curve, Id, ResponseBody};

const OTHER_ROSTER: Refused =
    Refused::new(RefusalCode::RosterMismatch, "The acknowledgements are of another roster or threshold.");

/// Of the share as it is; of the one that was acknowledged before, if that is another one of this epoch.
pub fn acknowledge(node: &Node, wallet_id: Id, curve: Curve) -> Result<ResponseBody, Refused> {
    // A journal that is found to be an old one may lack an acknowledgement.
    node.rollback.check()?;
    let statement = node.vault.undisturbed(|| acknowledged_share(node, wallet_id, curve))?;
    Ok(ResponseBody::Acknowledged(Acknowledgement::sign(&node.identity, node.index, statement)))
}

fn acknowledged_share(node: &Node, wallet_id: Id, curve: Curve) -> Result<KeyStatement, Refused> {
    let current = node.vault.share(wallet_id, curve)?.ok_or(UNKNOWN_WALLET)?;
    if !current.signs || current.statement.roster != node.cluster.roster {
        return Err(NEEDS_REFRESH);
    }
    let share = Acknowledged::from(&current.statement);
    match node.journal.acknowledged(wallet_id, curve)? {
        Some(known) if known == share => Ok(current.statement.clone()),
        Some(known) if known.rules_out(&share) => {
            let kept = node.vault.prepared_from(wallet_id, curve, known.epoch);
            let kept = kept.into_iter().find(|kept| Acknowledged::from(&kept.statement) == known);
            Ok(kept.ok_or(WRONG_EPOCH)?.statement.clone())
        }
        _ => {
            node.journal.write(Record::Acknowledged { wallet_id, curve, share })?;
            Ok(current.statement.clone())
        }
    }
}

/// Trusts only the acknowledgements' signatures, so anybody may carry them, any number of times.
pub fn settle(node: &Node, acknowledgements: &[Acknowledgement]) -> Result<ResponseBody, Refused> {
    let statement = check(node, acknowledgements)?;
    let present = &node.cluster.roster;
    let current = node.vault.share(statement.wallet_id, statement.curve)?;
    node.vault.settle_on(statement, present)?;
    if current.is_some_and(|current| current.statement != *statement) {
        node.sessions.end_key(&statement.public_key);
    }
    Ok(ResponseBody::Settled(statement.clone()))
}

/// Of every node of the present roster, ascending, genuine, and all of one statement.
fn check<'a>(node: &Node, acknowledgements: &'a [Acknowledgement]) -> Result<&'a KeyStatement, Refused> {
    let none = Refused::invalid("There are no acknowledgements.");
    let statement = &acknowledgements.first().ok_or(none)?.statement;
    if (statement.roster, statement.threshold) != (node.cluster.roster, node.cluster.threshold) {
        return Err(OTHER_ROSTER);
    }
    if !acknowledgements.iter().map(|one| one.node).eq(node.cluster.nodes.keys().copied()) {
        return Err(Refused::invalid("The acknowledgements are not those of every node, ascending."));
    }
    for (one, identity) in acknowledgements.iter().zip(node.cluster.nodes.values()) {
        if one.statement != *statement {
            let detail = "An acknowledgement is of another share.";
            return Err(Refused::by_peer(RefusalCode::Unauthorized, one.node, detail));
        }
        if !one.verifies(identity) {
            let detail = "An acknowledgement's signature does not verify.";
            return Err(Refused::by_peer(RefusalCode::Unauthorized, one.node, detail));
        }
    }
    Ok(statement)
}
