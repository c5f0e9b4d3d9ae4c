//! `Commit` and `KeyState`: a prepared share becomes the key when every node has confirmed the same statement. Trusts
//! only the confirmations' signatures, so anybody may carry them, any number of times, and in any order.

use super::node::Node;
use crate::storage::journal::Acknowledged;
use crate::storage::shares::vault::{UNKNOWN_WALLET, WALLET_EXISTS};
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Curve, Id, KeyState, ResponseBody};

pub fn key_state(node: &Node, wallet_id: Id, curve: Curve) -> Result<ResponseBody, Refused> {
    let state = match node.vault.share(wallet_id, curve)? {
        Some(share) => {
            // Also of earlier epochs: what a crash left of one may be there until it is erased.
            let others = node.vault.prepared_from(wallet_id, curve, 0);
            let own = |confirmation: &Confirmation| confirmation.node == node.index;
            let prepared: Vec<_> = others.into_iter().flat_map(|share| share.confirmations).filter(own).collect();
            let committed = share.confirmations.clone();
            match share.signs && prepared.is_empty() {
                true => KeyState::Committed(committed),
                false => KeyState::Unsettled { committed, prepared, signs: share.signs },
            }
        }
        None if node.vault.has_prepared(wallet_id, curve) => KeyState::Prepared,
        None => KeyState::Absent,
    };
    Ok(ResponseBody::KeyState(state))
}

pub fn commit(node: &Node, confirmations: Vec<Confirmation>) -> Result<ResponseBody, Refused> {
    let statement = check(node, &confirmations)?.clone();
    if let Some(answer) = already(node, &statement)? {
        return Ok(answer);
    }
    let share = node.vault.prepared(&statement)?.ok_or(UNKNOWN_WALLET)?;
    if share.statement != statement {
        return Err(Refused::new(RefusalCode::Unauthorized, "The statement is not that of the prepared share."));
    }
    let committed = node.vault.commit(share, confirmations, &node.cluster.roster, |one| is_acknowledged(node, one));
    // Sessions with the share that is no more, also if what it left could not be erased; of a new key there are none.
    node.sessions.end_key(&statement.public_key);
    match committed {
        Ok(()) => Ok(ResponseBody::Committed(statement)),
        // Two commits at once: the other one won, with the same statement or not.
        Err(refused) if refused == WALLET_EXISTS => already(node, &statement)?.ok_or(WALLET_EXISTS),
        Err(refused) => Err(refused),
    }
}

/// The answer if the statement changes nothing: the same again, or a refusal for another key or an older share of it.
fn already(node: &Node, statement: &KeyStatement) -> Result<Option<ResponseBody>, Refused> {
    match node.vault.share(statement.wallet_id, statement.curve)? {
        None => Ok(None),
        Some(share) if share.statement == *statement => {
            node.vault.settle(statement.wallet_id, statement.curve, &node.cluster.roster)?;
            Ok(Some(ResponseBody::Committed(statement.clone())))
        }
        Some(share) if statement.supersedes(&share.statement, &node.cluster.roster) => Ok(None),
        Some(share) if share.can_give_way_to(statement) && is_acknowledged(node, statement)? => Ok(None),
        Some(_) => Err(WALLET_EXISTS),
    }
}

/// Whether this node has acknowledged it. No other share of its epoch and roster can be settled on, so a node that has
/// changed over to another one may always come back: the rest may have settled, and its own word be all that is left.
fn is_acknowledged(node: &Node, statement: &KeyStatement) -> Result<bool, Refused> {
    let known = node.journal.acknowledged(statement.wallet_id, statement.curve)?;
    Ok(known == Some(Acknowledged::from(statement)))
}

/// Of every node, ascending, genuine, and all of one statement, which is about a roster that this node has run with:
/// one that took part in a session may commit it after a machine was replaced, or its share would be lost.
fn check<'c>(node: &Node, confirmations: &'c [Confirmation]) -> Result<&'c KeyStatement, Refused> {
    let statement = &confirmations.first().ok_or(Refused::invalid("There are no confirmations."))?.statement;
    let other = Refused::new(RefusalCode::RosterMismatch, "The key is of another roster or threshold.");
    let nodes = node.journal.roster(&statement.roster)?.ok_or(other)?;
    if statement.threshold != node.cluster.threshold {
        return Err(other);
    }
    if !confirmations.iter().map(|c| c.node).eq(nodes.keys().copied()) {
        return Err(Refused::invalid("The confirmations are not those of every node, ascending."));
    }
    for (confirmation, identity) in confirmations.iter().zip(nodes.values()) {
        if confirmation.statement != *statement {
            let detail = "A confirmation states another key.";
            return Err(Refused::by_peer(RefusalCode::Unauthorized, confirmation.node, detail));
        }
        if !confirmation.verifies(identity) {
            let detail = "A confirmation's signature does not verify.";
            return Err(Refused::by_peer(RefusalCode::Unauthorized, confirmation.node, detail));
        }
    }
    Ok(statement)
}
