//! Goal: whoever crashes when in a refresh, some quorum signs at every moment and all nodes come to one epoch. Method:
//! stop between all steps, and between the commits.

use crate::attacks::session::takes_all_the_time;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;

/// Some honest quorum signs, with the old epoch or the new one.
#[track_caller]
fn some_quorum_signs(cluster: &TestCluster, curve: Curve) {
    let signs = |signers: &&[u8; 2]| cluster.epoch(signers[0], curve) == cluster.epoch(signers[1], curve);
    let signers = QUORUMS.iter().find(signs).expect("of three nodes at two epochs, two are at one");
    Drive::honest(cluster, raw(curve, signers)).finish();
}

/// Before the commit: every node, stopped after every round.
#[test]
fn refresh_crash_each_step_ed25519() {
    (1..=3).for_each(|crashed| crash_each_step(Curve::Ed25519, crashed));
}

fn crash_each_step(curve: Curve, crashed: u8) {
    let mut cluster = TestCluster::with_keys();
    for step in 1..=last_round(curve) {
        // Each step ends in another refresh, whatever became of its own.
        let epoch = u32::from(step) - 1;
        let mut drive = Drive::honest(&cluster, refreshing(curve, epoch + 1));
        drive.step_until(step);
        drop(drive);
        cluster.restart(crashed);
        some_quorum_signs(&cluster, curve);
        // All have prepared in the last round alone: only then is there something to commit.
        let converged = cluster.converge(curve);
        assert_eq!(converged, epoch + u32::from(step == last_round(curve)), "step {step}");
        if converged == epoch {
            cluster.refresh_and_commit(curve, epoch + 1);
        }
        cluster.every_quorum_signs(curve);
    }
}

/// A refresh takes a second here, so one session a step serves the crashes of all three nodes, one after the other, and
/// the shares are new once, in the end. `MPC_ATTACKS=all` has each node crash alone, too, and refreshes after each
/// crash.
#[test]
fn refresh_crash_each_step_secp256k1() {
    let curve = Curve::Secp256k1;
    if takes_all_the_time() {
        (1..=3).for_each(|crashed| crash_each_step(curve, crashed));
    }
    let mut cluster = TestCluster::with_keys();
    for step in 0..=last_round(curve) {
        let command_id = Drive::left_at(&cluster, cluster.command(refreshing(curve, 1)), step);
        for crashed in 1..=3 {
            cluster.restart(crashed);
            let next = RequestBody::Continue { command_id, round: step + 1, inbound: vec![] };
            assert_refused(&cluster.ask(crashed, next), UnknownSession);
            let (committed, prepared, signs) = cluster.held(crashed, curve);
            assert_eq!((committed[0].statement.epoch, signs), (0, true));
            assert_eq!(prepared.len(), usize::from(step == last_round(curve)), "step {step}");
            cluster.every_quorum_signs(curve);
            let again = Drive::opened(&cluster, cluster.command(refreshing(curve, 1)), None);
            assert_eq!(again.hellos().len(), 3, "no orphan bars the refresh");
        }
        // All have prepared in the last round alone: only then is there something to commit.
        assert_eq!(cluster.converge(curve), u32::from(step == last_round(curve)), "step {step}");
    }
    cluster.every_quorum_signs(curve);
    cluster.refresh_and_commit(curve, 2);
    cluster.every_quorum_signs(curve);
}

/// During the commit: some nodes have it, then all crash.
#[test]
fn a_crash_between_the_commits_converges() {
    for curve in CURVES {
        let mut refreshed = TestCluster::with_keys();
        let confirmations = refreshed.refresh(curve, 1);
        for reached in [&[][..], &[1], &[2], &[1, 3]] {
            crash_between_the_commits(refreshed.copied(), curve, &confirmations, reached);
        }
    }
}

fn crash_between_the_commits(mut cluster: TestCluster, curve: Curve, confirmations: &[Confirmation], reached: &[u8]) {
    for index in reached {
        let committed = ResponseBody::Committed(confirmations[0].statement.clone());
        assert_eq!(cluster.commit(*index, confirmations), committed);
        assert_eq!(cluster.commit(*index, confirmations), committed, "a commit may be repeated");
    }
    (1..=3).for_each(|index| cluster.restart(index));
    for index in 1..=3 {
        let (committed, prepared, signs) = cluster.held(index, curve);
        let own = &confirmations[usize::from(index) - 1..][..1];
        match reached.contains(&index) {
            true => assert_eq!((&committed[..], prepared), (confirmations, vec![])),
            false => assert_eq!(prepared, own, "the prepared share is offered again"),
        }
        assert!(signs);
    }
    some_quorum_signs(&cluster, curve);
    assert_eq!(cluster.converge(curve), 1);
    cluster.every_quorum_signs(curve);
    assert_refused(&cluster.ask(1, cluster.signed(&cluster.command(refreshing(curve, 1)))), WrongEpoch);
}
