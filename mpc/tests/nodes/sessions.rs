//! Goal: sessions are bounded in number and age. Method: short deadlines, many opens.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::limits::Limits;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::time::Duration;

#[test]
fn a_session_past_its_deadline_is_gone() {
    let session_deadline = Duration::from_millis(300);
    let cluster = TestCluster::with_keys_and_limits(Limits { session_deadline, ..Limits::default() });
    let mut drive = Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2]));
    std::thread::sleep(session_deadline);
    drive.step();
    assert_refused(&drive.answers[&1], UnknownSession);
    // Its command stays used.
    assert_refused(&cluster.ask(1, cluster.signed(&drive.command)), CommandUsed);
}

#[test]
fn live_sessions_are_capped() {
    let limits = Limits { live_sessions: 5, ..Limits::default() };
    let cluster = TestCluster::with_keys_and_limits(limits);
    let open = || cluster.ask(1, cluster.signed(&cluster.command(generation(id(), Curve::Ed25519))));
    for _ in 0..5 {
        assert!(matches!(open(), ResponseBody::Opened(_)));
    }
    assert_refused(&open(), Busy);
}

#[test]
fn unknown_sessions_are_refused() {
    let cluster = TestCluster::with_keys();
    let command_id = id();
    assert_refused(&cluster.ask(1, RequestBody::Start { command_id, hellos: vec![] }), UnknownSession);
    assert_refused(&cluster.ask(1, RequestBody::Continue { command_id, round: 2, inbound: vec![] }), UnknownSession);
}

#[test]
fn a_finished_result_is_forgotten_after_its_time() {
    let results_kept = Duration::from_millis(200);
    let cluster = TestCluster::with_keys_and_limits(Limits { results_kept, ..Limits::default() });
    let command = cluster.command(raw(Curve::Ed25519, &[1, 2]));
    Drive::with(&cluster, command.clone(), None).finish();
    assert!(matches!(cluster.ask(1, cluster.signed(&command)), ResponseBody::Finished(_)));
    std::thread::sleep(results_kept);
    assert_refused(&cluster.ask(1, cluster.signed(&command)), CommandUsed);
}
