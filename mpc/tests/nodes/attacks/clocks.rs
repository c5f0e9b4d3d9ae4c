//! Goal: a clock that is wrong costs signatures and never safety: nothing expired is taken, what was used stays used,
//! what was counted stays counted, whichever way the clock goes. Method: nodes that read a clock which the test sets.

use super::session::health;
use crate::samples::evm::Transaction;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::clock::Clock;
use mpc_node::limits::Limits;
use mpc_node::wire::command::{Command, Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::{self, *};
use mpc_node::wire::*;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// By how much each test's clock is wrong.
static OFF: [AtomicI64; 7] = [const { AtomicI64::new(0) }; 7];

fn clock<const TEST: usize>() -> Limits {
    Limits { clock: Clock(|| now_ms().wrapping_add_signed(OFF[TEST].load(Relaxed))), ..Limits::default() }
}

fn set<const TEST: usize>(off: i64) {
    OFF[TEST].store(off, Relaxed);
}

const CURVE: Curve = Curve::Ed25519;

/// As an orchestrator signs it whose clock is off by so much.
fn command_at(cluster: &TestCluster, off: i64, operation: Operation) -> Command {
    let expires_at_ms = now_ms().wrapping_add_signed(off) + 60_000;
    Command { expires_at_ms, ..cluster.command(operation) }
}

#[track_caller]
fn refuses(cluster: &TestCluster, command: &Command, code: RefusalCode) {
    for index in command.operation.participants() {
        assert_refused(&cluster.ask(*index, cluster.signed(command)), code);
        assert_eq!(health(cluster, *index).live_sessions, 0);
    }
}

#[test]
fn a_node_whose_clock_is_off_by_more_than_a_minute_waits_for_it() {
    let mut cluster = TestCluster::with_keys();
    cluster.limits = clock::<0>();
    cluster.restart(1);
    for off in [-50 * SECOND, 50 * SECOND] {
        set::<0>(off);
        Drive::honest(&cluster, raw(CURVE, &[1, 2])).finish();
    }
    for off in [-DAY, -HOUR, -5 * MINUTE, -65 * SECOND, 65 * SECOND, 5 * MINUTE, HOUR, DAY, i64::MIN / 4] {
        set::<0>(off);
        let command = cluster.command(raw(CURVE, &[1, 2]));
        assert_refused(&cluster.ask(1, cluster.signed(&command)), Expired);
        // The others go on meanwhile.
        Drive::honest(&cluster, raw(CURVE, &[2, 3])).finish();
        set::<0>(0);
        Drive::honest(&cluster, raw(CURVE, &[1, 2])).finish();
    }
}

#[test]
fn a_clock_that_jumps_during_a_session_neither_breaks_nor_prolongs_it() {
    let session_deadline = Duration::from_secs(4);
    let mut cluster = TestCluster::with_keys_and_limits(Limits { session_deadline, ..clock::<1>() });
    for off in [-DAY, -5 * MINUTE, 5 * MINUTE, DAY] {
        // Between the command and its first round: it is expired then, or of a time that has not come.
        let mut drive = Drive::opened(&cluster, cluster.command(raw(CURVE, &[1, 2])), None);
        set::<1>(off);
        drive.start();
        drive.answers.values().for_each(|answer| assert_refused(answer, Expired));
        set::<1>(0);
        // Later the rounds alone count.
        let mut drive = Drive::honest(&cluster, raw(CURVE, &[1, 2]));
        set::<1>(off);
        drive.step();
        set::<1>(-off);
        assert!(matches!(drive.finish()[0], Outcome::Signature { .. }));
        set::<1>(0);
    }
    let mut drive = Drive::honest(&cluster, raw(CURVE, &[1, 2]));
    set::<1>(-DAY);
    std::thread::sleep(session_deadline);
    drive.step();
    assert_refused(&drive.answers[&1], UnknownSession);
    set::<1>(0);
    drop(drive);
    cluster.restart(1);
    Drive::honest(&cluster, raw(CURVE, &[1, 2])).finish();
}

#[test]
fn what_expired_does_not_come_back_when_the_clock_is_set_back() {
    let mut cluster = TestCluster::with_keys_and_limits(clock::<2>());
    // Three commands of now: one used, one withheld, one whose session never began.
    let used = cluster.command(raw(CURVE, &[1, 2]));
    Drive::with(&cluster, used.clone(), None).finish();
    let withheld = cluster.command(raw(CURVE, &[1, 2]));
    let refresh = cluster.command(refreshing(CURVE, 1));
    for hours in [1, 24, 24 * 400] {
        // Later another one is used, and the clock goes back to when they were fresh.
        set::<2>(hours * HOUR);
        Drive::with(&cluster, command_at(&cluster, hours * HOUR, raw(CURVE, &[1, 2])), None).finish();
        for restarted in [false, true] {
            if restarted {
                (1..=3).for_each(|index| cluster.restart(index));
            }
            set::<2>(0);
            for index in [1, 2] {
                assert_refused(&cluster.ask(index, cluster.signed(&withheld)), Expired);
                assert_refused(&cluster.ask(index, cluster.signed(&refresh)), Expired);
                match cluster.ask(index, cluster.signed(&used)) {
                    ResponseBody::Finished(_) if !restarted => {}
                    answer => assert_refused(&answer, Expired),
                }
            }
            set::<2>(hours * HOUR);
            // Where time goes on, so do they.
            Drive::with(&cluster, command_at(&cluster, hours * HOUR, raw(CURVE, &[1, 2])), None).finish();
        }
    }
}

/// No other command has to come for it: time goes on by itself.
#[test]
fn time_goes_on_while_the_clock_is_set_back() {
    let cluster = TestCluster::with_keys_and_limits(clock::<3>());
    Drive::honest(&cluster, raw(CURVE, &[1, 2])).finish();
    // That one was signed a minute ago at the earliest. Another one that expires soon after that moment is withheld.
    let withheld = command_at(&cluster, -2 * MINUTE + 2 * SECOND, raw(CURVE, &[1, 2]));
    set::<3>(-90 * SECOND);
    assert!(matches!(cluster.ask(1, cluster.signed(&withheld)), ResponseBody::Opened(_)), "what the clock alone says");
    std::thread::sleep(Duration::from_millis(2200));
    assert_refused(&cluster.ask(2, cluster.signed(&withheld)), Expired);
}

#[test]
fn a_clock_that_was_set_forward_for_a_moment_forgets_and_refuses_nothing() {
    let daily = r#"{"evm": {"any_chain": {"daily_max": "100"}}}"#;
    let mut cluster = TestCluster::with_policy(daily);
    cluster.limits = clock::<4>();
    (1..=3).for_each(|index| cluster.restart(index));
    let pay = |amount| {
        let transaction = Transaction { price: 0, ..Transaction::plain(1, [0xd1; 20], amount) }.eip_1559();
        signing(Curve::Secp256k1, &[1, 2], &[], Payload::EvmTransaction(transaction))
    };
    // Not around midnight, when the day is another one by itself.
    while now_ms() % 86_400_000 > 86_400_000 - 30_000 {
        std::thread::sleep(Duration::from_secs(1));
    }
    let used = cluster.command(pay(60));
    Drive::with(&cluster, used.clone(), None).finish();
    for off in [3 * DAY, 4000 * DAY] {
        set::<4>(off);
        // Started and asked on the wrong day.
        (1..=3).for_each(|index| cluster.restart(index));
        refuses(&cluster, &cluster.command(pay(1)), Expired);
        set::<4>(0);
        assert_refused(&cluster.ask(1, cluster.signed(&used)), CommandUsed);
        refuses(&cluster, &cluster.command(pay(60)), Busy);
    }
    Drive::honest(&cluster, pay(40)).finish();
}

#[test]
fn hours_and_rates_are_those_of_the_nodes_clock_and_are_not_had_twice() {
    // Node time is set to 10:00 of a day to come.
    let at_ten = |now: u64| (now / 86_400_000 + 2) * 86_400_000 + 10 * 3_600_000;
    let off = (at_ten(now_ms()) - now_ms()) as i64;
    let policy = r#"{"raw_digests": true, "hours": [{"from": "09:00", "to": "11:00"}], "rates": {"per_minute": 2}}"#;
    let mut cluster = TestCluster::with_policy(policy);
    cluster.limits = clock::<5>();
    (1..=3).for_each(|index| cluster.restart(index));
    let sign = |off: i64| command_at(&cluster, off, raw(CURVE, &[1, 2]));
    for wrong in [off - 2 * HOUR, off + 2 * HOUR] {
        set::<5>(wrong);
        refuses(&cluster, &sign(wrong), Busy);
    }
    // The minute from 10:00, then the next, then back: what was counted in the first is counted there.
    for minute in [0, MINUTE] {
        set::<5>(off + minute);
        Drive::with(&cluster, sign(off + minute), None).finish();
        Drive::with(&cluster, sign(off + minute), None).finish();
        refuses(&cluster, &sign(off + minute), Busy);
    }
    set::<5>(off);
    refuses(&cluster, &sign(off), Busy);
    // Further back, into hours that were over before, with commands of then: they are expired.
    set::<5>(off - DAY);
    refuses(&cluster, &sign(off - DAY), Expired);
}

/// What the audit chain was does not depend on the clock; commands to keep it do.
#[test]
fn checkpoints_go_forward_whatever_the_clock_says() {
    use crate::checkpoints::checkpoint;
    let cluster = TestCluster::with_keys_and_limits(clock::<6>());
    let keep = |off: i64, seq: u64| {
        let command = cluster.command(checkpoint(seq, seq as u8));
        let expires_at_ms = now_ms().wrapping_add_signed(off) + 60_000;
        cluster.ask(1, cluster.signed_checkpoint(&Command { expires_at_ms, ..command }))
    };
    assert_eq!(keep(0, 5), ResponseBody::CheckpointKept(checkpoint(5, 5)));
    for off in [DAY, -DAY] {
        set::<6>(off);
        assert_refused(&keep(0, 6), Expired);
        assert_refused(&keep(off, 4), CheckpointConflict);
    }
    set::<6>(0);
    assert_eq!(keep(0, 6), ResponseBody::CheckpointKept(checkpoint(6, 6)));
}
