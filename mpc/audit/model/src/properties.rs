//! What has to hold in every state.

use crate::recovery::{leads_to_a_quorum, share_of_one_session_is_left};
use crate::rules::{Adversary, Model};
use crate::state::{has, State, Thief, SESSIONS, THRESHOLD};
use crate::steps::{has_room, is_certified, Step};
use stateright::Property;

/// Nodes that have settled on a share of one epoch and roster have settled on the same one.
pub const ONE_KEY: &str = "never two settled shares in one epoch";
/// Once a node has settled, it has no other share of that epoch or of an earlier one, and never gets one again.
pub const NOTHING_LEFT: &str = "nothing is left of the epoch behind the acknowledgement of all";
/// Who was in one machine, left, and comes into another after a refresh that counted, has no two shares of a session.
pub const HEALED: &str = "a refresh that counts has healed";
pub const QUORUM: &str = "a quorum signs, or named steps lead to one";
/// As many machines as sign keep the share of one session that is the key at one of them.
pub const NOT_LOST: &str = "no key is lost";
pub const NOT_BARRED: &str = "unfinished refreshes bar no key";

fn one_key(_: &Model, state: &State) -> bool {
    let settled = |node: usize| state.nodes[node].settled;
    let same_epoch = |a: u8, b: u8| {
        let (a, b) = (state.session(a), state.session(b));
        (a.epoch, a.roster) == (b.epoch, b.roster)
    };
    state.honest().all(|a| {
        state.honest().all(|b| match (settled(a), settled(b)) {
            (Some(one), Some(other)) => one == other || !same_epoch(one, other),
            _ => true,
        })
    })
}

fn nothing_left(_: &Model, state: &State) -> bool {
    state.honest().all(|node| {
        let Some(settled) = state.nodes[node].settled else { return true };
        let epoch = state.session(settled).epoch;
        let is_other = |session: usize| session != usize::from(settled) && state.sessions[session].epoch <= epoch;
        !(0..SESSIONS).any(|session| is_other(session) && has(state.on_disk(node), session))
    })
}

fn healed(_: &Model, state: &State) -> bool {
    let has_the_key = || state.sessions.iter().any(|session| session.stolen.count_ones() as usize >= THRESHOLD);
    !(state.thief == Thief::Back { healed: true } && has_the_key())
}

fn quorum(model: &Model, state: &State) -> bool {
    !share_of_one_session_is_left(model, state) || leads_to_a_quorum(model, state)
}

fn not_lost(model: &Model, state: &State) -> bool {
    share_of_one_session_is_left(model, state)
}

/// A further refresh may be begun when all nodes have the same share, or one that is prepared may be committed.
fn not_barred(model: &Model, state: &State) -> bool {
    let Some(first) = state.honest().next().and_then(|node| state.nodes[node].held) else { return true };
    let alike = |node: usize| state.nodes[node].held.is_some_and(|held| held.session == first.session);
    if !state.honest().all(alike) {
        return true;
    }
    let epoch = state.session(first.session).epoch;
    let room = |ahead: u8| state.honest().all(|node| has_room(model, state, &state.nodes[node], epoch + ahead));
    let commits = |session: u8| is_certified(state, session) && state.session(session).epoch > epoch;
    (1..=model.rules.epochs_ahead).any(room) || (1..SESSIONS as u8).any(commits)
}

impl stateright::Model for Model {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![self.begin()]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        self.steps(state, steps);
    }

    fn next_state(&self, state: &State, step: Step) -> Option<State> {
        self.taken(state, step)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let agreed = [Property::always(ONE_KEY, one_key), Property::always(NOTHING_LEFT, nothing_left)];
        let looked_for = match self.adversary {
            Adversary::Thief => vec![Property::always(HEALED, healed)],
            Adversary::Loss | Adversary::BadNode => vec![
                Property::always(QUORUM, quorum),
                Property::always(NOT_LOST, not_lost),
                Property::always(NOT_BARRED, not_barred),
            ],
        };
        agreed.into_iter().chain(looked_for).collect()
    }
}
