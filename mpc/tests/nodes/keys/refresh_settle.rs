//! Goal: after a refresh nothing is left by which a host that was broken into before and another one later have the
//! key, also if an earlier refresh of the same epoch did not finish; and no number of those bars a key. Method: leave
//! refreshes unfinished, commit another one, acknowledge, settle, and see what the disks hold; nodes that were told
//! different things; forged acknowledgements; restarts.

use crate::keys::refresh::{committed_path, name_of, share};
use crate::keys::refresh_commit::prepared_files;
use crate::keys::repair::lose;
use crate::keys::repair_two::{repair, replace};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::handlers::node::Node;
use mpc_node::policy::Policy;
use mpc_node::wire::key_acknowledgement::Acknowledgement;
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::path::PathBuf;

/// A node changes over to the first one if it is shown it, so it must keep its share of it.
struct TwoRefreshes {
    unfinished: Vec<Confirmation>,
    committed: Vec<Confirmation>,
}

/// All nodes have committed the one, and have the other prepared.
fn with_one_left_over(cluster: &TestCluster, curve: Curve) -> TwoRefreshes {
    let mut both = [cluster.refresh(curve, 1), cluster.refresh(curve, 1)];
    both.sort_by_key(|all| all[0].statement.session_id);
    let [unfinished, committed] = both;
    (1..=3).for_each(|index| assert!(matches!(cluster.commit(index, &committed), ResponseBody::Committed(_))));
    TwoRefreshes { unfinished, committed }
}

fn acknowledge(cluster: &TestCluster, index: u8, curve: Curve) -> Acknowledgement {
    match cluster.ask(index, RequestBody::Acknowledge { wallet_id: WALLET, curve }) {
        ResponseBody::Acknowledged(acknowledgement) => acknowledgement,
        other => panic!("{other:?}"),
    }
}

fn acknowledge_all(cluster: &TestCluster, curve: Curve) -> Vec<Acknowledgement> {
    (1..=3).map(|index| acknowledge(cluster, index, curve)).collect()
}

fn settle(cluster: &TestCluster, index: u8, acknowledgements: &[Acknowledgement]) -> ResponseBody {
    cluster.ask(index, RequestBody::Settle { acknowledgements: acknowledgements.to_vec() })
}

#[track_caller]
fn assert_settled(cluster: &TestCluster, index: u8, acknowledgements: &[Acknowledgement]) {
    let settled = ResponseBody::Settled(acknowledgements[0].statement.clone());
    assert_eq!(settle(cluster, index, acknowledgements), settled);
    assert_eq!(settle(cluster, index, acknowledgements), settled, "it may be repeated");
}

#[test]
fn a_refresh_heals_after_one_that_did_not_finish() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let TwoRefreshes { unfinished, committed } = with_one_left_over(&cluster, curve);
        let mut watched = vec![];
        for index in 1..=3u8 {
            let (held, left, signs) = cluster.held(index, curve);
            assert_eq!((&held, signs), (&committed, true));
            assert_eq!(left, unfinished[usize::from(index) - 1..][..1], "the state of the key names what is left");
            let [path] = &prepared_files(&cluster, index)[..] else { panic!("one is left") };
            let second_name = cluster.directory.join(format!("left-{index}"));
            std::fs::hard_link(path, &second_name).unwrap();
            watched.push(second_name);
        }
        let acknowledgements = acknowledge_all(&cluster, curve);
        for index in 1..=3 {
            assert_settled(&cluster, index, &acknowledgements);
            assert!(matches!(cluster.key_state(index, curve), ResponseBody::KeyState(KeyState::Committed(_))));
            cluster.restart(index);
            assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]);
            assert_refused(&cluster.commit(index, &unfinished), UnknownWallet);
        }
        for second_name in watched {
            assert!(std::fs::read(second_name).unwrap().iter().all(|byte| *byte == 0), "overwritten");
        }
        cluster.every_quorum_signs(curve);
        cluster.refresh_and_commit(curve, 2);
        cluster.every_quorum_signs(curve);
    }
}

#[test]
fn each_refresh_is_acknowledged_anew() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    for epoch in 1..=2 {
        cluster.refresh_and_commit(curve, epoch);
        let acknowledgements = acknowledge_all(&cluster, curve);
        (1..=3).for_each(|index| assert_settled(&cluster, index, &acknowledgements));
    }
}

/// One node was told to change over after it had acknowledged; the others have erased what it changed over to.
#[test]
fn who_changed_over_meanwhile_comes_back_to_what_all_acknowledged() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let TwoRefreshes { unfinished, committed } = with_one_left_over(&cluster, curve);
    let acknowledgements = acknowledge_all(&cluster, curve);
    assert!(matches!(cluster.commit(2, &unfinished), ResponseBody::Committed(_)));
    for restarted in [false, true] {
        if restarted {
            cluster.restart(2);
        }
        assert_eq!(acknowledge(&cluster, 2, curve), acknowledgements[1], "it acknowledges no other share");
        let (held, left, _) = cluster.held(2, curve);
        assert_eq!((held, &left[..]), (unfinished.clone(), &committed[1..2]));
    }
    for index in 1..=3 {
        assert_settled(&cluster, index, &acknowledgements);
        assert_eq!(cluster.held(index, curve), (committed.clone(), vec![], true));
        assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]);
    }
    cluster.every_quorum_signs(curve);
}

/// Found by the model in `audit/model`: one node has settled, another has changed over before it was told to settle,
/// and the third one's word, without which nobody settles, is gone with its machine. The certificate of what the second
/// one has acknowledged brings it back, also when the cluster has another machine by then.
#[test]
fn who_changed_over_comes_back_when_the_word_of_another_node_is_gone() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let TwoRefreshes { unfinished, committed } = with_one_left_over(&cluster, curve);
        let acknowledgements = acknowledge_all(&cluster, curve);
        assert_settled(&cluster, 1, &acknowledgements);
        assert!(matches!(cluster.commit(2, &unfinished), ResponseBody::Committed(_)));
        replace(&mut cluster, &[3]);
        assert_refused(&cluster.commit(1, &unfinished), UnknownWallet);
        assert_refused(&settle(&cluster, 2, &acknowledgements), RosterMismatch);

        // As often as anybody likes, and neither share is forgotten on the way.
        for certificate in [&committed, &unfinished, &committed] {
            assert!(matches!(cluster.commit(2, certificate), ResponseBody::Committed(_)));
            let (held, left, signs) = cluster.held(2, curve);
            assert_eq!((&held, left.len(), signs), (certificate, 1, true));
            cluster.restart(2);
            assert_eq!(cluster.held(2, curve), (held, left, signs));
        }
        Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
        repair(&cluster, curve, 3, &[1, 2, 3]);
        cluster.refresh_and_commit(curve, 2);
        (1..=3).for_each(|index| assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]));
        cluster.every_quorum_signs(curve);
    }
}

/// A share that was never acknowledged here does not come back: the smaller session id wins.
#[test]
fn only_what_was_acknowledged_comes_back() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let TwoRefreshes { unfinished, committed } = with_one_left_over(&cluster, curve);
    acknowledge(&cluster, 1, curve);
    (1..=2).for_each(|index| assert!(matches!(cluster.commit(index, &unfinished), ResponseBody::Committed(_))));
    assert!(matches!(cluster.commit(1, &committed), ResponseBody::Committed(_)));
    assert_refused(&cluster.commit(2, &committed), WalletExists);
    assert!(matches!(cluster.commit(1, &unfinished), ResponseBody::Committed(_)));
}

/// Nodes that have acknowledged different shares never settle in this epoch. The next one does away with both.
#[test]
fn what_was_acknowledged_differently_is_over_with_the_next_epoch() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let TwoRefreshes { unfinished, .. } = with_one_left_over(&cluster, curve);
    let first = acknowledge(&cluster, 1, curve);
    (1..=3).for_each(|index| assert!(matches!(cluster.commit(index, &unfinished), ResponseBody::Committed(_))));
    let split = acknowledge_all(&cluster, curve);
    assert_eq!(split[0], first);
    assert_refused_by(&settle(&cluster, 1, &split), Unauthorized, 2);
    cluster.every_quorum_signs(curve);
    cluster.refresh_and_commit(curve, 2);
    (1..=3).for_each(|index| assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]));
    cluster.every_quorum_signs(curve);
}

#[test]
fn acknowledgements_that_are_forged_or_not_of_all_erase_nothing() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    let TwoRefreshes { unfinished, committed } = with_one_left_over(&cluster, curve);
    let good = acknowledge_all(&cluster, curve);
    let changed = |change: fn(&mut Acknowledgement)| {
        let mut changed = good.clone();
        change(&mut changed[2]);
        settle(&cluster, 1, &changed)
    };
    assert_refused_by(&changed(|one| one.signature[0] ^= 1), Unauthorized, 3);
    assert_refused_by(&changed(|one| one.statement.session_id[0] ^= 1), Unauthorized, 3);
    assert_refused(&changed(|one| one.node = 2), InvalidRequest);
    assert_refused(&settle(&cluster, 1, &good[..2]), InvalidRequest);
    assert_refused(&settle(&cluster, 1, &[]), InvalidRequest);
    // A confirmation is no acknowledgement: all have confirmed what did not finish, too.
    let as_acknowledgement = |confirmation: &Confirmation| {
        let Confirmation { node, statement, signature } = confirmation.clone();
        Acknowledgement { node, statement, signature }
    };
    for confirmations in [&unfinished, &committed] {
        let not_said: Vec<_> = confirmations.iter().map(as_acknowledgement).collect();
        assert_refused_by(&settle(&cluster, 1, &not_said), Unauthorized, 1);
    }
    assert_eq!(prepared_files(&cluster, 1).len(), 1);
    assert_settled(&cluster, 1, &good);
}

#[test]
fn only_a_share_that_signs_is_acknowledged() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    lose(&mut cluster, 3, curve);
    let body = RequestBody::Acknowledge { wallet_id: WALLET, curve };
    assert_refused(&cluster.ask(3, body.clone()), UnknownWallet);
    cluster.repair(curve, 3);
    assert_refused(&cluster.ask(3, body), NeedsRefresh);
    assert!(!committed_path(&cluster, 3, curve).exists());
}

/// Neither does a full epoch bar the key, nor is a share forgotten that another node may have committed.
#[test]
fn an_epoch_that_is_full_of_unfinished_refreshes_is_passed_over() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    (0..32).for_each(|_| drop(cluster.refresh(curve, 1)));
    for index in 1..=3 {
        let refused = cluster.ask(index, cluster.signed(&cluster.command(refreshing(curve, 1))));
        assert_refused(&refused, Busy);
        assert_eq!(prepared_files(&cluster, index).len(), 32);
    }
    cluster.refresh_and_commit(curve, 2);
    for index in 1..=3 {
        assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]);
        assert_eq!(share(&cluster, index, curve).statement.epoch, 2);
    }
    cluster.every_quorum_signs(curve);
}

/// Found by the model: the commit of an earlier epoch would leave what is prepared of a later one, and with it what a
/// machine knows that had a part in it.
#[test]
fn no_refresh_goes_below_an_epoch_of_which_a_share_is_prepared() {
    let curve = Curve::Ed25519;
    let cluster = TestCluster::with_keys();
    drop(cluster.refresh(curve, 3));
    for (index, epoch) in (1..=3).flat_map(|index| [(index, 1), (index, 2)]) {
        let refused = cluster.ask(index, cluster.signed(&cluster.command(refreshing(curve, epoch))));
        assert_refused(&refused, WrongEpoch);
    }
    cluster.refresh_and_commit(curve, 4);
    (1..=3).for_each(|index| assert_eq!(prepared_files(&cluster, index), [] as [PathBuf; 0]));
    cluster.every_quorum_signs(curve);
}

/// A node that crashed behind the rename of a commit is asked for its state before it has erased what that superseded.
#[test]
fn what_a_crash_left_of_an_earlier_epoch_is_shown_until_it_is_erased() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let unfinished = cluster.refresh(curve, 1);
    let [path] = &prepared_files(&cluster, 1)[..] else { panic!("one is prepared") };
    let session_id = hex::encode(unfinished[0].statement.session_id);
    let name = format!("{}.{}.{session_id}.key", hex::encode(WALLET), name_of(curve));
    // The crash came before the share was erased, and so before its data key was.
    let left = [path.clone(), path.with_file_name(name)].map(|path| (path.clone(), std::fs::read(path).unwrap()));
    cluster.refresh_and_commit(curve, 2);
    cluster.stop(1);
    left.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    let policy = Policy::parse(PERMISSIVE).unwrap();
    let (directory, file, store_key) = (cluster.node_directory(1), cluster.cluster_file(), cluster.store_key(1));
    cluster.nodes[0] = Some(Node::open(&directory, 1, file, &store_key, cluster.limits, policy).unwrap());
    cluster.carry_marks();
    assert_eq!(cluster.held(1, curve).1, unfinished[..1]);

    let acknowledgements = acknowledge_all(&cluster, curve);
    assert_settled(&cluster, 1, &acknowledgements);
    assert_eq!(prepared_files(&cluster, 1), [] as [PathBuf; 0]);
    assert!(matches!(cluster.key_state(1, curve), ResponseBody::KeyState(KeyState::Committed(_))));
}
