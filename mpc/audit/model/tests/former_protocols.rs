//! Goal: what was wrong with the protocols of before is found, so that a model in which everything holds says
//! something. Method: every former rule by itself, and the invariant that it broke.

use share_model::properties::*;
use share_model::rules::Adversary;
use share_model::{Bounds, Model, Rules};
use stateright::{Checker, HasDiscoveries, Model as _};

const ONE_EPOCH: Bounds = Bounds { refreshes: 2, epochs: 1, replacements: 0, late: false, repaired_helps: true };

/// Fails unless the invariant is broken, and tells by which steps.
#[track_caller]
fn assert_broken(rules: Rules, adversary: Adversary, bounds: Bounds, invariant: &'static str) {
    let model = Model { rules, adversary, bounds };
    let stop = HasDiscoveries::AnyOf([invariant].into());
    let checker = model.checker().finish_when(stop).spawn_bfs().join();
    let path = checker.discovery(invariant).unwrap_or_else(|| panic!("«{invariant}» was not found broken"));
    println!("{invariant}: broken by {:#?}", path.into_actions());
}

/// A share that was prepared "may still win", so it stayed, and with another machine's of before it was the key.
#[test]
fn a_share_that_may_still_win_stays_for_the_thief() {
    assert_broken(Rules::before_acknowledgements(), Adversary::Thief, ONE_EPOCH, HEALED);
}

#[test]
fn unfinished_refreshes_of_the_only_next_epoch_bar_the_key() {
    assert_broken(Rules::before_acknowledgements(), Adversary::Loss, ONE_EPOCH, NOT_BARRED);
}

#[test]
fn two_replaced_machines_cannot_be_repaired() {
    let bounds = Bounds { refreshes: 0, replacements: 2, ..ONE_EPOCH };
    let rules = Rules { believes_helpers: false, ..Rules::now() };
    assert_broken(rules, Adversary::Loss, bounds, QUORUM);
    assert_broken(Rules::before_acknowledgements(), Adversary::Loss, bounds, QUORUM);
}

/// New, found by this model: after decision 120 one node settles, another changes over, and the third is gone.
#[test]
fn who_changed_over_is_alone_when_another_node_is_gone() {
    let rules = Rules { comes_back: false, ..Rules::now() };
    assert_broken(rules, Adversary::BadNode, ONE_EPOCH, QUORUM);
    assert_broken(rules, Adversary::Loss, Bounds { replacements: 1, ..ONE_EPOCH }, QUORUM);
    assert_broken(Rules::with_acknowledgements(), Adversary::BadNode, ONE_EPOCH, QUORUM);
}

/// New, found by this model: a refresh that goes to an epoch below that of an unfinished one counted as healed.
#[test]
fn a_share_of_a_later_epoch_stays_for_the_thief() {
    let bounds = Bounds { epochs: 2, ..ONE_EPOCH };
    assert_broken(Rules::with_acknowledgements(), Adversary::Thief, bounds, HEALED);
}
