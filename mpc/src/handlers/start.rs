//! `Start`: verifies all hellos, journals the session, begins the protocol. From the fsync on, the command is used.

use super::node::Node;
use super::open::bindings;
use super::round;
use super::sessions::{Facts, Link, Session, Stage};
use crate::crypto::channel::Channel;
use crate::crypto::random;
use crate::guards::authorize::{ahead_ms, check_expiry};
use crate::protocol::{Context, Fault, Protocol, Step};
use crate::storage::journal::Record;
use crate::wire::command::Operation;
use crate::wire::hello::Agreement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Curve, Hello, Id, ResponseBody};
use std::collections::BTreeMap;
use x25519_dalek::StaticSecret;

pub fn start(node: &Node, command_id: Id, hellos: &[Hello]) -> Result<ResponseBody, Refused> {
    let (ticket, session) = node.sessions.take(command_id)?;
    let Session { facts, stage } = *session;
    let answer = match stage {
        Stage::Opened { hello, ephemeral_secret } => link(node, &facts, &hello, &ephemeral_secret, hellos)
            .and_then(|link| round::settle(node, &facts, begin(&facts, &link.context)).map(|step| (link, step)))
            .and_then(|(link, step)| round::deliver(node, ticket, facts, link, step)),
        Stage::Running { .. } => Err(Refused::aborted("The session had started already.")),
    };
    if answer.is_err() {
        node.sessions.end(ticket);
    }
    answer
}

/// The checked hellos' session id and channels, with the session journaled.
fn link(
    node: &Node,
    facts: &Facts,
    own: &Hello,
    ephemeral_secret: &StaticSecret,
    hellos: &[Hello],
) -> Result<Link, Refused> {
    let Facts { command, agreement, .. } = facts;
    check_expiry(command, node.limits.clock.now_ms())?;
    check_still_current(node, facts)?;
    let participants = command.operation.participants().to_vec();
    check_hellos(node, agreement, &participants, own, hellos)?;
    let session_id = agreement.session_id(hellos);
    let mut channels = BTreeMap::new();
    for hello in hellos.iter().filter(|hello| hello.node != node.index) {
        let channel = Channel::agree(ephemeral_secret, hello.ephemeral_public_key, session_id, node.index, hello.node);
        let weak =
            Refused::by_peer(RefusalCode::Unauthorized, hello.node, "A hello's ephemeral key is of small order.");
        channels.insert(hello.node, channel.ok_or(weak)?);
    }
    let (bindings, charges) = (bindings(&command.operation), facts.charges.clone());
    let command_id = match &command.operation {
        // It can hand its target the same share only, so it may be tried until it succeeds: each session is used once.
        Operation::Repair { .. } => random::bytes(),
        _ => command.command_id,
    };
    let expires_at_ms = command.expires_at_ms;
    let signed_after_ms = expires_at_ms.saturating_sub(ahead_ms(&command.operation));
    let begin = Record::Begin { command_id, expires_at_ms, signed_after_ms, session_id, bindings, charges };
    node.journal.write(begin)?;
    let context = Context { me: node.index, participants, threshold: node.cluster.threshold, session_id };
    Ok(Link { context, channels, round: 1 })
}

/// A commit ends the sessions of the share that it replaces; one that opened at that very moment ends here.
fn check_still_current(node: &Node, facts: &Facts) -> Result<(), Refused> {
    let Some(share) = &facts.share else { return Ok(()) };
    let current = node.vault.share(share.statement.wallet_id, share.statement.curve)?;
    match current.is_some_and(|current| current.statement == share.statement) {
        true => Ok(()),
        false => Err(Refused::aborted("The share was replaced since this session opened.")),
    }
}

fn check_hellos(
    node: &Node,
    agreement: &Agreement,
    participants: &[u8],
    own: &Hello,
    hellos: &[Hello],
) -> Result<(), Refused> {
    if !hellos.iter().map(|hello| hello.node).eq(participants.iter().copied()) {
        return Err(Refused::invalid("The hellos are not those of every participant, ascending."));
    }
    for hello in hellos {
        let genuine = match node.cluster.nodes.get(&hello.node) {
            // Our own is compared, not verified: an older hello of ours has a key that is gone.
            Some(_) if hello.node == node.index => hello == own,
            Some(identity) => agreement.accepts(hello, identity),
            None => false,
        };
        if !genuine {
            let detail = "A hello does not verify for this command, key and version.";
            return Err(Refused::by_peer(RefusalCode::Unauthorized, hello.node, detail));
        }
    }
    Ok(())
}

fn begin(facts: &Facts, context: &Context) -> Result<Step, Fault> {
    match (&facts.command.operation, &facts.share) {
        (Operation::Sign { path, payload, wallet_id, curve, operation_id, .. }, Some(share)) => {
            let message = payload.message(*wallet_id, *curve, *operation_id).map_err(Fault::Abort)?;
            let key = share.derive(path).ok_or(Fault::Abort("The path derives no valid key."))?;
            Protocol::sign(context.clone(), key, message)
        }
        (Operation::Sign { .. }, None) => Err(Fault::Abort("A signing session has no share.")),
        (Operation::GenerateKey { curve, .. } | Operation::GenerateWorkspaceKey { curve, .. }, _) => match curve {
            Curve::Secp256k1 => Protocol::generate_secp256k1(context.clone()),
            Curve::Ed25519 => Protocol::generate_ed25519(context.clone()),
        },
        (Operation::Refresh { .. }, Some(share)) => Protocol::refresh(context.clone(), &share.material),
        (Operation::Refresh { .. }, None) => Err(Fault::Abort("A refresh has no share.")),
        (Operation::Repair { target, .. }, share) => Protocol::repair(context.clone(), *target, share.as_deref()),
    }
}
