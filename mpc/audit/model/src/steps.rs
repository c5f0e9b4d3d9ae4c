//! The steps: what a node does when it is asked, by the names of the functions that do it, and what may befall it.
//! Requests come in any order, any number of times, or never: whatever was said once can be carried again.

use crate::rules::{Adversary, Model};
use crate::state::{has, members, Held, Node, Session, Set, State, Thief, ALL, GENERATION, NODES, SESSIONS};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A refresh up to its last round. `prepared`: who ends it at once; with `Bounds::late` nobody does.
    Refresh {
        session: u8,
        epoch: u8,
        prepared: Set,
    },
    /// The last round at one node: `prepare` of handlers/round.rs.
    Prepare {
        node: u8,
        session: u8,
    },
    /// `commit` of handlers/commit_key.rs. With `crash` the machine stops behind the rename, before anything is erased.
    Commit {
        node: u8,
        session: u8,
        crash: bool,
    },
    /// `acknowledge` of handlers/settle_key.rs.
    Acknowledge {
        node: u8,
    },
    /// `settle` of handlers/settle_key.rs. With `crash` the machine stops behind the rename.
    Settle {
        node: u8,
        session: u8,
        crash: bool,
    },
    /// `settle_all` of storage/shares/settlement.rs, after a start.
    Start {
        node: u8,
    },
    /// The machine is lost, and another one is named in its place in `cluster.json`.
    Replace {
        node: u8,
    },
    /// A node ends and is started again when its `cluster.json` is another one.
    Adopt {
        node: u8,
    },
    /// A session of protocol/repair.rs to its end: `share_for` and `take` of handlers/repair.rs.
    Repair {
        target: u8,
        helpers: Set,
    },
    ThiefLeaves,
    /// The coordinator counts the key as refreshed.
    CountAsRefreshed,
    ThiefEnters {
        node: u8,
    },
}

/// `KeyStatement::supersedes` of wire/key_statement.rs: whether `new` takes the place of `current`.
pub fn supersedes(state: &State, new: u8, current: u8, present: u8) -> bool {
    let (n, c) = (state.session(new), state.session(current));
    let rank = |session: &Session, number: u8| (session.roster != present, number);
    let goes_back = c.roster == present && n.roster != present;
    let wins = n.epoch == c.epoch && n.epoch > 0 && rank(n, new) < rank(c, current);
    !goes_back && (n.epoch > c.epoch || wins)
}

/// Whether the node has acknowledged this share, and has another one of its epoch and roster: no other one can be
/// settled on, so it may come back. `is_acknowledged` of handlers/commit_key.rs, `Share::can_give_way_to`.
pub fn comes_back(model: &Model, state: &State, node: &Node, session: u8) -> bool {
    let Some(held) = node.held.filter(|held| held.signs && held.session != session) else { return false };
    let (s, c) = (state.session(session), state.session(held.session));
    model.rules.comes_back && (s.epoch, s.roster) == (c.epoch, c.roster) && node.acknowledged == Some(session)
}

/// `may_be_needed` of storage/shares/settlement.rs.
fn may_be_needed(model: &Model, state: &State, node: &Node, prepared: u8, current: u8) -> bool {
    let (p, c) = (state.session(prepared), state.session(current));
    if p.epoch != c.epoch {
        return p.epoch > c.epoch;
    }
    let was_the_key = model.rules.acknowledges
        && has(node.was_the_key, prepared.into())
        && p.roster == c.roster
        && prepared != current;
    p.epoch > 0 && (supersedes(state, prepared, current, node.roster) || was_the_key)
}

/// `Vault::settle_locked`.
fn settle_locked(model: &Model, state: &State, node: &mut Node) {
    let Some(held) = node.held else { return };
    let is_needed = |session: &usize| may_be_needed(model, state, node, *session as u8, held.session);
    let gone: Set = members(node.prepared).filter(|session| !is_needed(session)).map(|session| 1 << session).sum();
    node.prepared &= !gone;
    node.was_the_key &= !gone;
}

/// `Vault::check_refresh`: whether a share of that epoch and the present roster may be prepared.
pub fn has_room(model: &Model, state: &State, node: &Node, epoch: u8) -> bool {
    let Some(held) = node.held else { return false };
    let present = state.session(held.session).epoch;
    if epoch <= present || epoch > present + model.rules.epochs_ahead {
        return false;
    }
    let prepared = || members(node.prepared).map(|session| &state.sessions[session]);
    if model.rules.not_below_prepared && prepared().any(|other| other.epoch > epoch) {
        return false;
    }
    let counts = |other: &&Session| other.epoch == epoch && other.roster == node.roster;
    prepared().filter(counts).count() < usize::from(model.rules.refreshed_kept)
}

/// Whether the confirmations of all nodes are there: the last node's, if it is bad, whenever it likes.
pub fn is_certified(state: &State, session: u8) -> bool {
    state.session(session).begun && state.session(session).confirmed == ALL
}

/// Whether an honest coordinator carries its certificate.
fn is_carried(state: &State, session: u8) -> bool {
    let holds = |node: &Node| node.held.is_some_and(|held| held.session == session);
    state.session(session).roster == state.newest_roster() || state.nodes.iter().any(holds)
}

fn prepare(model: &Model, state: &mut State, at: usize, session: u8) -> Option<()> {
    let node = &state.nodes[at];
    let epoch = state.session(session).epoch;
    // The roster of a live session is the node's own: a node that adopts another one is started again.
    has_room(model, state, node, epoch).then_some(())?;
    state.nodes[at].prepared |= 1 << session;
    state.sessions[usize::from(session)].confirmed |= 1 << at;
    Some(())
}

/// `commit` and `already` of handlers/commit_key.rs, `Vault::commit` and `Vault::put`.
pub fn commit(model: &Model, state: &mut State, at: usize, session: u8, crash: bool) -> Option<()> {
    is_certified(state, session).then_some(())?;
    let mut node = state.nodes[at];
    let s = *state.session(session);
    if let Some(held) = node.held {
        if held.session == session {
            // The same again: what a crash left is erased. A repaired share stays one that does not sign.
            settle_locked(model, state, &mut node);
            state.nodes[at] = node;
            return Some(());
        }
        let returns = comes_back(model, state, &node, session);
        (supersedes(state, session, held.session, node.roster) || returns).then_some(())?;
    }
    has(node.prepared, session.into()).then_some(())?;
    if let Some(held) = node.held.filter(|held| held.signs && state.session(held.session).epoch == s.epoch) {
        let is_acknowledged = model.rules.acknowledges && node.acknowledged == Some(held.session);
        // Who comes back keeps what wins: others may have it alone.
        let wins = model.rules.comes_back && supersedes(state, held.session, session, node.roster);
        if is_acknowledged || wins {
            node.prepared |= 1 << held.session;
            node.was_the_key |= 1 << held.session;
        }
    }
    node.held = Some(Held { session, signs: true });
    if crash {
        node.live = 0;
    } else {
        settle_locked(model, state, &mut node);
    }
    state.nodes[at] = node;
    Some(())
}

/// `acknowledged_share` of handlers/settle_key.rs, and `AcknowledgementTable::keep`.
pub fn acknowledge(state: &mut State, at: usize) -> Option<()> {
    let node = state.nodes[at];
    let held = node.held.filter(|held| held.signs)?;
    let current = *state.session(held.session);
    // Of a generation there is nothing that it could rule out.
    (current.roster == node.roster && current.epoch > 0).then_some(())?;
    let said = match node.acknowledged {
        Some(known) if known == held.session => known,
        Some(known) if (state.session(known).epoch, state.session(known).roster) == (current.epoch, current.roster) => {
            has(node.prepared, known.into()).then_some(known)?
        }
        Some(known) if state.session(known).epoch > current.epoch => return None,
        _ => held.session,
    };
    state.nodes[at].acknowledged = Some(said);
    state.sessions[usize::from(said)].acknowledged |= 1 << at;
    Some(())
}

/// `settle` of handlers/settle_key.rs and `Vault::settle_on`.
pub fn settle(model: &Model, state: &mut State, at: usize, session: u8, crash: bool) -> Option<()> {
    let s = *state.session(session);
    let mut node = state.nodes[at];
    (s.begun && s.roster == node.roster && s.acknowledged == ALL).then_some(())?;
    let held = node.held?;
    (held.signs && state.session(held.session).epoch <= s.epoch).then_some(())?;
    if held.session != session {
        (has(node.prepared, session.into()) && has(node.was_the_key, session.into())).then_some(())?;
        node.held = Some(Held { session, signs: true });
        if crash {
            node.live = 0;
            state.nodes[at] = node;
            return Some(());
        }
        settle_locked(model, state, &mut node);
    } else {
        (!crash).then_some(())?;
    }
    let gone: Set =
        members(node.prepared).filter(|other| state.sessions[*other].epoch <= s.epoch).map(|other| 1 << other).sum();
    node.prepared &= !gone;
    node.was_the_key &= !gone;
    node.settled = Some(session);
    state.nodes[at] = node;
    Some(())
}

/// A new machine has nothing of the one before. Its place in the newest roster is another identity.
pub fn replace(state: &mut State, at: usize) {
    let mut roster = state.rosters[state.rosters.len() - 1];
    roster[at] += 1;
    state.rosters.push(roster);
    state.nodes[at] = Node { roster: state.newest_roster(), ..Node::default() };
    if state.bad == Some(at) {
        state.bad = None;
    }
    if state.thief == Thief::In(at) {
        state.thief = Thief::Left { from: at, healed: false };
    }
}

pub fn adopt(state: &mut State, at: usize) -> Option<()> {
    let newest = state.newest_roster();
    let node = &mut state.nodes[at];
    (node.roster != newest).then_some(())?;
    node.roster = newest;
    node.live = 0;
    Some(())
}

/// `share_for` (helpers and target), `release` of protocol/repair.rs (helpers hold the same), and `take`.
pub fn repair(model: &Model, state: &mut State, target: usize, helpers: Set) -> Option<()> {
    let roster = state.newest_roster();
    let mut session = None;
    for helper in members(helpers) {
        let held = state.nodes[helper].held?;
        (model.bounds.repaired_helps || held.signs).then_some(())?;
        (state.nodes[helper].roster == roster && session.is_none_or(|s| s == held.session)).then_some(())?;
        session = Some(held.session);
    }
    let session = session?;
    let s = *state.session(session);
    let mut node = state.nodes[target];
    (node.roster == roster).then_some(())?;
    if let Some(held) = node.held {
        let epoch = state.session(held.session).epoch;
        (epoch <= s.epoch && !(held.signs && epoch == s.epoch)).then_some(())?;
    }
    let is_earlier = s.roster != roster;
    let verifies = |other: usize| other == target || state.is_same_machine(other, s.roster);
    ((model.rules.believes_helpers && is_earlier) || (0..NODES).all(verifies)).then_some(())?;
    node.held = Some(Held { session, signs: false });
    settle_locked(model, state, &mut node);
    state.nodes[target] = node;
    Some(())
}

/// What the coordinator has to see before it counts a key as refreshed: `refreshKey` of
/// activities/mpc/client/key-refresh.ts.
fn counts_as_refreshed(model: &Model, state: &State) -> Option<u8> {
    let held = state.nodes[0].held?;
    let epoch = state.session(held.session).epoch;
    let is_left = |node: &Node, other: usize| {
        let other_epoch = state.sessions[other].epoch;
        let is_seen = model.rules.shows_all || other_epoch == epoch;
        model.rules.acknowledges && is_seen && has(node.prepared, other)
    };
    let is_clean = |node: &Node| node.held == Some(held) && !(0..SESSIONS).any(|other| is_left(node, other));
    (held.signs && state.nodes.iter().all(is_clean)).then_some(held.session)
}

fn steal(state: &mut State, at: usize) {
    let sessions = state.on_disk(at) | state.nodes[at].live;
    members(sessions).for_each(|session| state.sessions[session].stolen |= 1 << at);
}

impl Model {
    pub fn begin(&self) -> State {
        let mut sessions = [Session::default(); SESSIONS];
        sessions[usize::from(GENERATION)] = Session { begun: true, confirmed: ALL, ..Session::default() };
        let node = Node { held: Some(Held { session: GENERATION, signs: true }), ..Node::default() };
        let (thief, bad) = match self.adversary {
            Adversary::Loss => (Thief::Nowhere, None),
            Adversary::BadNode => (Thief::Nowhere, Some(NODES - 1)),
            Adversary::Thief => (Thief::In(NODES - 1), None),
        };
        let mut state = State { nodes: [node; NODES], sessions, rosters: vec![[0; NODES]], thief, bad };
        if let Thief::In(at) = thief {
            steal(&mut state, at);
        }
        state
    }

    /// Every step that might be taken; those that nobody can take are left out by `taken`.
    pub fn steps(&self, state: &State, steps: &mut Vec<Step>) {
        let sessions = || (1..=self.bounds.refreshes).filter(|session| state.session(*session).begun);
        for session in (1..=self.bounds.refreshes).filter(|session| !state.session(*session).begun) {
            for epoch in 1..=self.bounds.epochs {
                let some = if self.bounds.late { 0..=0 } else { 1..=ALL };
                let of_honest = |set: &Set| members(*set).all(|node| state.is_honest(node));
                steps.extend(some.filter(of_honest).map(|prepared| Step::Refresh { session, epoch, prepared }));
            }
        }
        for at in state.honest() {
            let node = at as u8;
            for session in sessions() {
                steps.push(Step::Prepare { node, session });
                for crash in [false, true] {
                    steps.push(Step::Commit { node, session, crash });
                    if self.rules.acknowledges {
                        steps.push(Step::Settle { node, session, crash });
                    }
                }
            }
            steps.extend([Step::Acknowledge { node }, Step::Start { node }, Step::Adopt { node }]);
            if state.rosters.len() <= usize::from(self.bounds.replacements) {
                steps.push(Step::Replace { node });
            }
            if state.rosters.len() > 1 {
                steps.push(Step::Repair { target: node, helpers: ALL & !(1 << at) });
            }
        }
        if let Some(bad) = state.bad.filter(|_| state.rosters.len() <= usize::from(self.bounds.replacements)) {
            steps.push(Step::Replace { node: bad as u8 });
        }
        match state.thief {
            Thief::In(_) => steps.push(Step::ThiefLeaves),
            Thief::Left { from, healed } => {
                steps.extend((!healed).then_some(Step::CountAsRefreshed));
                let others = state.honest().filter(|node| *node != from);
                steps.extend(others.map(|node| Step::ThiefEnters { node: node as u8 }));
            }
            Thief::Nowhere | Thief::Back { .. } => {}
        }
    }

    pub fn taken(&self, last: &State, step: Step) -> Option<State> {
        let mut state = last.clone();
        match step {
            Step::Refresh { session, epoch, prepared } => self.refresh(&mut state, session, epoch, prepared)?,
            Step::Prepare { node, session } => {
                let at = usize::from(node);
                has(state.nodes[at].live, session.into()).then_some(())?;
                prepare(self, &mut state, at, session)?;
                state.nodes[at].live &= !(1 << session);
            }
            Step::Commit { node, session, crash } => {
                (self.adversary != Adversary::Loss || is_carried(&state, session)).then_some(())?;
                commit(self, &mut state, node.into(), session, crash)?;
            }
            Step::Acknowledge { node } if self.rules.acknowledges => acknowledge(&mut state, node.into())?,
            Step::Acknowledge { .. } => return None,
            Step::Settle { node, session, crash } => settle(self, &mut state, node.into(), session, crash)?,
            Step::Start { node } => {
                let mut settled = state.nodes[usize::from(node)];
                settle_locked(self, &state, &mut settled);
                state.nodes[usize::from(node)] = settled;
            }
            Step::Replace { node } => {
                replace(&mut state, node.into());
                crate::recovery::share_of_one_session_is_left(self, &state).then_some(())?;
            }
            Step::Adopt { node } => adopt(&mut state, node.into())?,
            Step::Repair { target, helpers } => repair(self, &mut state, target.into(), helpers)?,
            Step::ThiefLeaves => {
                let Thief::In(from) = state.thief else { return None };
                steal(&mut state, from);
                state.thief = Thief::Left { from, healed: false };
            }
            Step::CountAsRefreshed => {
                let Thief::Left { from, .. } = state.thief else { return None };
                let session = counts_as_refreshed(self, &state)?;
                // The refresh has to be one of after he left, or nobody expects that it heals.
                (state.session(session).stolen == 0).then_some(())?;
                state.thief = Thief::Left { from, healed: true };
            }
            Step::ThiefEnters { node } => {
                let Thief::Left { healed, .. } = state.thief else { return None };
                steal(&mut state, node.into());
                state.thief = Thief::Back { healed };
            }
        }
        if let Thief::In(at) = state.thief {
            steal(&mut state, at);
        }
        (state != *last).then_some(state)
    }

    /// `greet` of handlers/open.rs at every node, and all rounds but the last. Nodes that have different shares make no
    /// new one: the hellos differ by the epoch, and what all compute of public points by the session.
    fn refresh(&self, state: &mut State, session: u8, epoch: u8, prepared: Set) -> Option<()> {
        let roster = state.newest_roster();
        let honest: Vec<usize> = state.honest().collect();
        let base = state.nodes[honest[0]].held?.session;
        for at in &honest {
            let node = &state.nodes[*at];
            (node.held?.session == base && node.roster == roster).then_some(())?;
            has_room(self, state, node, epoch).then_some(())?;
        }
        let stolen = if let Thief::In(at) = state.thief { 1 << at } else { 0 };
        // What a bad node confirms and acknowledges counts as said whenever somebody needs it.
        let said = state.bad.map_or(0, |bad| 1 << bad);
        state.sessions[usize::from(session)] =
            Session { begun: true, epoch, roster, confirmed: said, acknowledged: said, stolen };
        if self.bounds.late {
            honest.iter().for_each(|at| state.nodes[*at].live |= 1 << session);
            return Some(());
        }
        honest.into_iter().filter(|at| has(prepared, *at)).try_for_each(|at| prepare(self, state, at, session))
    }
}
