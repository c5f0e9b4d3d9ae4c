//! `Continue`: one round of a live session. The state is taken out first; any error ends the session. What must be on
//! disk (a ban, a prepared key) is there before the answer is returned. That a message counts as signed is on disk
//! since before round 1 (start.rs), so that the round in which a share leaves writes nothing.

use super::node::Node;
use super::repair;
use super::sessions::{Facts, Link, Session, Stage, Ticket};
use crate::guards::bans::Use;
use crate::keys::children::Children;
use crate::keys::key_material::KeyMaterial;
use crate::keys::share::Share;
use crate::limits::{GENERATE_ENVELOPE_BYTES, SIGN_ENVELOPE_BYTES};
use crate::protocol::{Fault, Messages, Next, Step};
use crate::wire::command::Operation;
use crate::wire::key_statement::{Confirmation, KeyStatement};
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Ban, Envelope, Id, Outcome, ResponseBody};

pub fn advance(node: &Node, command_id: Id, round: u8, inbound: &[Envelope]) -> Result<ResponseBody, Refused> {
    let (ticket, session) = node.sessions.take(command_id)?;
    let Session { facts, stage } = *session;
    let answer = match stage {
        Stage::Running { mut link, protocol } => receive(node, &facts, &mut link, round, inbound)
            .and_then(|messages| settle(node, &facts, protocol.advance(&link.context, &messages)))
            .and_then(|step| deliver(node, ticket, facts, link, step)),
        Stage::Opened { .. } => Err(Refused::aborted("The session has not started.")),
    };
    if answer.is_err() {
        node.sessions.end(ticket);
    }
    answer
}

/// Checks the envelopes' order and size and opens them. The bans are checked here, before the state is used.
fn receive(node: &Node, facts: &Facts, link: &mut Link, round: u8, inbound: &[Envelope]) -> Result<Messages, Refused> {
    if link.round.checked_add(1) != Some(round) {
        return Err(Refused::aborted("The round is not the next one."));
    }
    if !inbound.iter().map(|envelope| envelope.peer).eq(link.context.peers()) {
        return Err(Refused::aborted("The envelopes are not those of every other participant, ascending."));
    }
    let signing = facts.command.operation.is_signing();
    let cap = if signing { SIGN_ENVELOPE_BYTES } else { GENERATE_ENVELOPE_BYTES };
    check_bans(node, facts)?;
    let mut messages = Messages::new();
    for Envelope { peer, sealed } in inbound {
        if sealed.len() > cap {
            return Err(Refused::by_peer(RefusalCode::SessionAborted, *peer, "An envelope is too long."));
        }
        let unopened = Refused::by_peer(RefusalCode::SessionAborted, *peer, "An envelope could not be opened.");
        let channel = link.channels.get_mut(peer).ok_or(unopened)?;
        messages.insert(*peer, channel.open(link.round, sealed).ok_or(unopened)?);
    }
    link.round = round;
    Ok(messages)
}

/// Turns a fault into its refusal; a ban takes effect and is on disk when this returns.
pub fn settle(node: &Node, facts: &Facts, step: Result<Step, Fault>) -> Result<Step, Refused> {
    step.or_else(|fault| match fault {
        Fault::Abort(detail) => Err(Refused::aborted(detail)),
        Fault::AbortBy(peer, detail) => Err(Refused::by_peer(RefusalCode::SessionAborted, peer, detail)),
        Fault::Ban(peer) => {
            let (root_public_key, generation) = (facts.agreement.root_public_key.clone(), facts.agreement.epoch);
            let at_ms = node.limits.clock.now_ms();
            let ban = Ban { root_public_key: root_public_key.clone(), peer, generation, at_ms };
            let end_sessions = || node.sessions.end_pair(&root_public_key, peer);
            let identity = node.cluster.nodes.get(&peer).ok_or(Refused::internal("A ban is of nobody."))?.to_bytes();
            node.bans.impose(ban, identity, &node.journal, end_sessions)?;
            Err(Refused::banned(peer))
        }
    })
}

/// Seals the step's messages, and parks or ends the session; a key is prepared on disk first.
pub fn deliver(node: &Node, ticket: Ticket, facts: Facts, mut link: Link, step: Step) -> Result<ResponseBody, Refused> {
    // Again: a session of the same pair may have caused a ban while this round was being computed.
    check_bans(node, &facts)?;
    let mut outbound = vec![];
    for (peer, message) in &step.outbound {
        let channel = link.channels.get_mut(peer).ok_or(Refused::internal("A message has no channel."))?;
        outbound.push(Envelope { peer: *peer, sealed: channel.seal(link.round, message) });
    }
    let outcome = match step.next {
        Next::Continue(protocol) => {
            node.sessions.park(ticket, Box::new(Session { facts, stage: Stage::Running { link, protocol } }))?;
            return Ok(ResponseBody::Round { outbound, outcome: None });
        }
        Next::Signature { bytes, recovery_id } => Outcome::Signature { bytes, recovery_id },
        Next::Repaired(Some(share)) => Outcome::Repaired(repair::take(node, &facts, *share)?),
        Next::Repaired(None) => {
            let helped = facts.share.as_ref().ok_or(Refused::internal("A helper has no share."))?;
            Outcome::Repaired(helped.statement.clone())
        }
        Next::Key { material, transcript } => Outcome::Key(prepare(node, &facts, &link, *material, transcript)?),
    };
    // A repair may be tried again, also after a helper is done with it.
    if !matches!(outcome, Outcome::Repaired(_)) {
        node.results.put(facts.command.command_id, facts.agreement.command_digest(), outcome.clone());
    }
    node.sessions.end(ticket);
    Ok(ResponseBody::Round { outbound, outcome: Some(outcome) })
}

/// The first step of a key or of its new share: it is on disk as prepared before we state anything about it.
fn prepare(
    node: &Node,
    facts: &Facts,
    link: &Link,
    material: KeyMaterial,
    transcript: [u8; 32],
) -> Result<Confirmation, Refused> {
    let operation = &facts.command.operation;
    let epoch = match operation {
        Operation::Refresh { epoch, .. } => *epoch,
        _ => facts.agreement.epoch,
    };
    let statement = KeyStatement {
        wallet_id: operation.wallet_id(),
        curve: operation.curve(),
        epoch,
        session_id: link.context.session_id,
        roster: node.cluster.roster,
        threshold: node.cluster.threshold,
        public_key: material.public_key().ok_or(Refused::internal("The key has no public key."))?,
        chain_code: material.chain_code(),
        transcript,
        workspace_id: match operation {
            Operation::GenerateWorkspaceKey { workspace_id, .. } => Some(*workspace_id),
            // A refresh takes it over from the share that it replaces.
            _ => facts.share.as_ref().and_then(|old| old.statement.workspace_id),
        },
    };
    if facts.share.as_ref().is_some_and(|old| !statement.supersedes(&old.statement, &node.cluster.roster)) {
        return Err(Refused::aborted("The refresh would have changed the key."));
    }
    let confirmation = Confirmation::sign(&node.identity, node.index, statement.clone());
    let confirmations = vec![confirmation.clone()];
    node.vault.prepare(&Share { statement, confirmations, material, signs: false, children: Children::default() })?;
    Ok(confirmation)
}

fn check_bans(node: &Node, facts: &Facts) -> Result<(), Refused> {
    // A journal that is found to be an old one may lack the very ban.
    node.rollback.check()?;
    if facts.share.is_none() {
        return Ok(());
    }
    let (agreement, operation) = (&facts.agreement, &facts.command.operation);
    let (root_public_key, epoch) = (agreement.root_public_key.as_slice(), agreement.epoch);
    let (peers, signing) = (operation.participants(), operation.is_signing());
    node.bans.check(&node.cluster.nodes, &Use { root_public_key, epoch, peers, signing })
}
