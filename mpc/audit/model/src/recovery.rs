//! Whether a signing quorum exists, or an honest coordinator and the operator's named steps lead to one: certificates
//! that nodes show are carried to the others, machines that are lost or bad are replaced, shares are repaired and
//! refreshed. Uses only what honest nodes have now: what a bad node has said once may be lost.

use crate::rules::Model;
use crate::state::{has, Set, State, ALL, NODES, SESSIONS, THRESHOLD};
use crate::steps::{acknowledge, adopt, commit, repair, replace, settle};
use std::collections::HashSet;

/// Two honest nodes that sign together: `share_for` and `check_confirmed` of the handlers' open.rs and authorize.rs.
pub fn quorum_signs(state: &State) -> bool {
    let signs = |node: usize, session: usize| {
        let held = state.nodes[node].held.filter(|held| held.signs && usize::from(held.session) == session);
        let roster = state.sessions[session].roster;
        let confirmed = roster == state.newest_roster() || state.is_same_machine(node, roster);
        held.is_some() && confirmed && state.nodes[node].roster == state.newest_roster()
    };
    (0..SESSIONS).any(|session| state.honest().filter(|node| signs(*node, session)).count() >= THRESHOLD)
}

/// Of one session that was committed somewhere as many machines as sign have the share on their disks: what the nodes
/// and their operators cannot be asked for without.
pub fn share_of_one_session_is_left(model: &Model, state: &State) -> bool {
    let holders = |session: usize| {
        let on_disk = |node: &usize| has(state.on_disk(*node), session);
        let helps = |node: &usize| {
            let held = state.nodes[*node].held.filter(|held| usize::from(held.session) == session);
            model.bounds.repaired_helps || held.is_none_or(|held| held.signs)
        };
        state.honest().filter(|node| on_disk(node) && helps(node)).count()
    };
    let is_held = |session: usize| {
        state.honest().any(|node| state.nodes[node].held.is_some_and(|held| usize::from(held.session) == session))
    };
    (0..SESSIONS).any(|session| is_held(session) && holders(session) >= THRESHOLD)
}

/// All nodes have the same share: a refresh of all of them leads to a quorum if it did not sign before.
fn all_may_refresh(model: &Model, state: &State) -> bool {
    let Some(held) = state.nodes[0].held else { return false };
    let epoch = state.session(held.session).epoch;
    let fits = |node: usize, ahead: u8| {
        let is_of_it = state.nodes[node].held.is_some_and(|other| other.session == held.session);
        is_of_it && crate::steps::has_room(model, state, &state.nodes[node], epoch + ahead)
    };
    let at_once = |ahead: u8| (0..NODES).all(|node| fits(node, ahead));
    state.bad.is_none() && (1..=model.rules.epochs_ahead).any(at_once)
}

pub fn leads_to_a_quorum(model: &Model, state: &State) -> bool {
    if quorum_signs(state) {
        return true;
    }
    let mut seen: HashSet<State> = HashSet::new();
    let mut first = state.clone();
    // What was acknowledged has to be said again.
    first.sessions.iter_mut().for_each(|session| session.acknowledged = 0);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        if quorum_signs(&state) || all_may_refresh(model, &state) {
            return true;
        }
        if seen.insert(state.clone()) {
            open.extend(next(model, &state));
        }
    }
    false
}

/// What an honest coordinator and an operator may do next.
fn next(model: &Model, state: &State) -> Vec<State> {
    let mut after = vec![];
    let mut attempt = |step: &dyn Fn(&mut State) -> Option<()>| {
        let mut next = state.clone();
        if step(&mut next).is_some() && next != *state {
            after.push(next);
        }
    };
    for at in state.honest() {
        attempt(&|next| adopt(next, at));
        for session in (1..SESSIONS as u8).filter(|session| is_shown(state, *session)) {
            attempt(&|next| commit(model, next, at, session, false));
            if model.rules.acknowledges && state.bad.is_none() {
                attempt(&|next| settle(model, next, at, session, false));
            }
        }
        if model.rules.acknowledges && state.bad.is_none() {
            attempt(&|next| acknowledge(next, at));
        }
        if state.rosters.len() > 1 {
            let helpers: Set = ALL & !(1 << at);
            attempt(&|next| repair(model, next, at, helpers));
        }
    }
    if let Some(bad) = state.bad {
        attempt(&|next| {
            replace(next, bad);
            Some(())
        });
    }
    after
}

/// Whether honest nodes show the confirmations of all: one that has committed it, or each of all machines its own.
fn is_shown(state: &State, session: u8) -> bool {
    let holds = |node: usize| state.nodes[node].held.is_some_and(|held| held.session == session);
    let roster = state.session(session).roster;
    let shows_own = |node: usize| {
        has(state.on_disk(node), session.into()) && state.is_same_machine(node, roster) && !is_bad(state, node)
    };
    state.honest().any(holds) || (0..NODES).all(shows_own)
}

fn is_bad(state: &State, node: usize) -> bool {
    state.bad == Some(node)
}
