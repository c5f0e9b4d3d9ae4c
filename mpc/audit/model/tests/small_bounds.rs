//! Goal: in the protocol as it is every invariant holds, in every state that two or three refreshes, a crash at any
//! step, lost and repeated requests and one adversary lead to. Method: all states, by breadth; how many there are is
//! compared, so that no step gets lost. Larger bounds are looked at by hand: see README.md.

use share_model::rules::Adversary;
use share_model::{Bounds, Model, Rules};
use stateright::{Checker, Model as _};

const SMALL: Bounds = Bounds { refreshes: 2, epochs: 2, replacements: 0, late: false, repaired_helps: true };

/// `states`: how many there are, or the model looks at less than it is said to.
#[track_caller]
fn assert_holds(adversary: Adversary, bounds: Bounds, states: usize) {
    let model = Model { rules: Rules::now(), adversary, bounds };
    let checker = model.checker().threads(2).spawn_bfs().join();
    for (invariant, path) in checker.discoveries() {
        panic!("«{invariant}» is broken by {:#?}", path.into_actions());
    }
    assert!(checker.is_done());
    assert_eq!(checker.unique_state_count(), states);
}

#[test]
fn with_a_bad_node() {
    assert_holds(Adversary::BadNode, Bounds { refreshes: 3, ..SMALL }, 44_809);
}

#[test]
fn with_a_bad_node_that_is_replaced() {
    assert_holds(Adversary::BadNode, Bounds { replacements: 1, ..SMALL }, 64_268);
}

#[test]
fn with_a_bad_node_and_rounds_that_end_late() {
    assert_holds(Adversary::BadNode, Bounds { late: true, replacements: 1, ..SMALL }, 81_576);
}

#[test]
fn with_a_thief() {
    assert_holds(Adversary::Thief, Bounds { epochs: 1, ..SMALL }, 220_925);
}

#[test]
fn with_a_lost_machine_on_either_curve() {
    for repaired_helps in [true, false] {
        assert_holds(Adversary::Loss, Bounds { replacements: 1, epochs: 1, repaired_helps, ..SMALL }, 66_523);
    }
}
