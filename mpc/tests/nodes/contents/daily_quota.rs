//! Goal: who holds the command key alone cannot make a node write without end. Method: limits of a few, a restart, and
//! what no policy counts.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::limits::{DailyQuota, Limits};
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::Busy;
use mpc_node::wire::*;

const CURVE: Curve = Curve::Ed25519;

#[track_caller]
fn assert_busy(cluster: &TestCluster, operations: &[Operation]) {
    for operation in operations {
        for index in 1..=2 {
            assert_refused(&cluster.ask(index, cluster.signed(&cluster.command(operation.clone()))), Busy);
        }
    }
}

#[test]
fn key_tests_generations_and_refreshes_are_counted_by_the_day() {
    // Two keys were generated with the fixture.
    let daily = DailyQuota { generations: 3, refreshes: 1, key_tests: 2 };
    let mut cluster = TestCluster::with_keys_and_limits(Limits { daily, ..Limits::default() });
    let key_test = || signing(CURVE, &[1, 2], &[], Payload::KeyTest);
    let mut again = key_test();
    Drive::honest(&cluster, again.clone()).finish();
    let Operation::Sign { attempt, .. } = &mut again else { unreachable!() };
    *attempt = 2;
    Drive::honest(&cluster, again.clone()).finish();
    assert_busy(&cluster, &[again, key_test()]);
    cluster.generate(id(), CURVE);
    cluster.refresh(CURVE, 1);
    for restarted in [false, true] {
        if restarted {
            (1..=3).for_each(|index| cluster.restart(index));
        }
        assert_busy(&cluster, &[generation(id(), CURVE), key_test(), refreshing(CURVE, 1)]);
        Drive::honest(&cluster, raw(CURVE, &[1, 2])).finish();
    }
}

#[test]
fn a_node_holds_so_many_keys_and_no_more() {
    let cluster = TestCluster::with_keys_and_limits(Limits { keys_max: 3, ..Limits::default() });
    cluster.generate_and_commit(id(), CURVE);
    assert_busy(&cluster, &[generation(id(), CURVE)]);
    cluster.refresh_and_commit(CURVE, 1);
}
