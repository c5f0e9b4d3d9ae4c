//! What no single command shows: many small ones, a command changed after it was read, an operation of two contents,
//! and the second key that has to sign.

use super::{assert_no_sessions, expect_refused, hostile, Case, Random};
use crate::samples::bitcoin;
use crate::samples::evm::Transaction;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use ed25519_dalek::{Signer, SigningKey};
use mpc_node::guards::approver::approval_signing_bytes;
use mpc_node::wire::command::{Command, Operation, Payload};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;

const HOUR_MS: u64 = 3_600_000;

/// Without a fee.
fn paying(amount: u128) -> Payload {
    Payload::EvmTransaction(Transaction { price: 0, ..Transaction::plain(1, [0xd1; 20], amount) }.eip_1559())
}

fn pay(amount: u128) -> Operation {
    signing(Curve::Secp256k1, &[1, 2], &[], paying(amount))
}

/// Windows follow the clock of the machine: what an hour's end fell into is done again.
fn within_an_hour(test: impl Fn()) {
    loop {
        let hour = now_ms() / HOUR_MS;
        let passed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&test));
        match passed {
            Ok(()) => return,
            Err(failure) if now_ms() / HOUR_MS == hour => std::panic::resume_unwind(failure),
            Err(_) => {}
        }
    }
}

#[test]
fn many_small_ones_stop_at_the_limit_of_a_day_and_a_restart_does_not_help() {
    within_an_hour(|| {
        let mut cluster = TestCluster::with_policy(r#"{"evm": {"any_chain": {"daily_max": "100"}}}"#);
        for _ in 0..3 {
            Drive::honest(&cluster, pay(30)).finish();
        }
        expect_refused(&cluster, "more than is left", pay(11), (Busy, "today"));
        (1..=3).for_each(|index| cluster.restart(index));
        expect_refused(&cluster, "after a restart", pay(11), (Busy, "today"));
        Drive::honest(&cluster, pay(10)).finish();
        expect_refused(&cluster, "nothing is left", pay(1), (Busy, "today"));
        expect_refused(&cluster, "more than any day allows", pay(101), (PolicyRefused, "today"));
        // Node 3 has seen none of it and would go on; node 1 does not.
        let other = signing(Curve::Secp256k1, &[1, 3], &[], paying(1));
        let answers = Drive::opened(&cluster, cluster.command(other), None).answers;
        assert_refused(&answers[&1], Busy);
        Drive::honest(&cluster, pay(0)).finish();
    });
}

#[test]
fn a_retry_is_counted_once_and_so_are_the_inputs_of_one_transaction() {
    within_an_hour(|| {
        let policy = r#"{"evm": {"any_chain": {"daily_max": "100"}}, "bitcoin": {"daily_max": "100"}}"#;
        let cluster = TestCluster::with_policy(policy);
        let operation = pay(70);
        for attempt in 1..=3 {
            let mut again = operation.clone();
            let Operation::Sign { attempt: number, .. } = &mut again else { unreachable!() };
            *number = attempt;
            Drive::honest(&cluster, again).finish();
        }
        expect_refused(&cluster, "another one", pay(31), (Busy, "today"));
        Drive::honest(&cluster, pay(30)).finish();

        let own = super::keys(&cluster).bitcoin_script;
        let coin = bitcoin::coin;
        let coins = vec![coin(60, &own), coin(60, &own)];
        let outputs = [coin(70, &[0x51]), coin(40, &own)];
        let sign = |index, coins: &[mpc_node::chains::bitcoin::Coin], outputs: &[mpc_node::chains::bitcoin::Coin]| {
            let input = bitcoin::input(index, coins.to_vec(), outputs);
            signing(Curve::Secp256k1, &[1, 2], &super::PATH, Payload::BitcoinInput(input))
        };
        Drive::honest(&cluster, sign(0, &coins, &outputs)).finish();
        // Another story of the coins: the fee would be hidden in what the digest of this input does not cover.
        let mut lie = coins.clone();
        lie[0].amount = 59;
        let mut other = sign(1, &lie, &outputs);
        if let Operation::Sign { payload: Payload::BitcoinInput(input), .. } = &mut other {
            input.transaction = bitcoin::spending(&coins, &outputs);
        }
        expect_refused(&cluster, "other coins", other, (MessageConflict, "another message"));
        Drive::honest(&cluster, sign(1, &coins, &outputs)).finish();
        let more = [coin(16, &[0x51]), coin(95, &own)];
        expect_refused(&cluster, "another transaction", sign(0, &coins, &more), (Busy, "today"));
    });
}

#[test]
fn racing_commands_do_not_pass_a_limit_together() {
    within_an_hour(|| {
        let cluster = TestCluster::with_policy(r#"{"evm": {"any_chain": {"daily_max": "100"}}}"#);
        let mut opened: Vec<_> = (0..3).map(|_| Drive::opened(&cluster, cluster.command(pay(60)), None)).collect();
        opened.iter_mut().for_each(Drive::start);
        let refused = opened.iter().filter(|drive| matches!(drive.answers[&1], ResponseBody::Refused(_))).count();
        assert_eq!(refused, 2);
    });
}

#[test]
fn rates_are_kept() {
    within_an_hour(|| {
        let cluster = TestCluster::with_policy(r#"{"rates": {"per_hour": 4, "wallet_per_hour": 3}}"#);
        for _ in 0..3 {
            Drive::honest(&cluster, pay(1)).finish();
        }
        expect_refused(&cluster, "the wallet's rate", pay(1), (Busy, "for this wallet for now"));
        let cluster = TestCluster::with_policy(r#"{"rates": {"per_hour": 2}}"#);
        for _ in 0..2 {
            Drive::honest(&cluster, pay(1)).finish();
        }
        expect_refused(&cluster, "the rate", pay(1), (Busy, "at the rate"));
        // A key test can authorise nothing and is not counted.
        Drive::honest(&cluster, signing(Curve::Secp256k1, &[1, 2], &[], Payload::KeyTest)).finish();
    });
}

#[test]
fn two_contents_under_one_command_or_one_operation_are_not_signed() {
    let cluster = TestCluster::with_policy("{}");
    for amount in 1..=20 {
        // One node reads this amount, the other one that.
        let command = cluster.command(pay(amount));
        let mut other = command.clone();
        let Operation::Sign { payload, .. } = &mut other.operation else { unreachable!() };
        *payload = paying(amount + 1);
        let hello = |node, command: &Command| match cluster.ask(node, cluster.signed(command)) {
            ResponseBody::Opened(hello) => hello,
            answer => panic!("{answer:?}"),
        };
        let hellos = vec![hello(1, &command), hello(2, &other)];
        for node in [1, 2] {
            let start = RequestBody::Start { command_id: command.command_id, hellos: hellos.clone() };
            assert_refused(&cluster.ask(node, start), Unauthorized);
        }
        let operation = pay(amount);
        Drive::honest(&cluster, operation.clone()).finish();
        let mut replayed = operation;
        let Operation::Sign { payload, .. } = &mut replayed else { unreachable!() };
        *payload = paying(amount + 1);
        expect_refused(&cluster, "a replayed operation", replayed, (MessageConflict, "another message"));
    }
    assert_no_sessions(&cluster);
}

#[test]
fn without_the_second_key_nothing_is_signed() {
    let approver = SigningKey::from_bytes(&[0x0a; 32]);
    let thief = SigningKey::from_bytes(&[0x0b; 32]);
    let policy = format!(r#"{{"approver_public_key": "{}"}}"#, hex::encode(approver.verifying_key().as_bytes()));
    let cluster = TestCluster::with_policy(&policy);
    let open = |command: &Command, approval: [u8; 64]| match cluster.signed(command) {
        RequestBody::Open { command, signature } => RequestBody::OpenApproved { command, signature, approval },
        _ => unreachable!(),
    };
    let approval = |key: &SigningKey, command: &Command| key.sign(&approval_signing_bytes(&encode(command))).to_bytes();
    let earlier = cluster.command(pay(1));
    let earlier_approval = approval(&approver, &earlier);
    for amount in 2..=20 {
        let command = cluster.command(pay(amount));
        assert_refused(&cluster.ask(1, cluster.signed(&command)), PolicyRefused);
        let unlabelled = approver.sign(&encode(&command)).to_bytes();
        let own = cluster.command_key.sign(&approval_signing_bytes(&encode(&command))).to_bytes();
        for wrong in [approval(&thief, &command), earlier_approval, unlabelled, own, [0; 64]] {
            assert_refused(&cluster.ask(1, open(&command, wrong)), PolicyRefused);
        }
    }
    assert_no_sessions(&cluster);
    // With it they sign, and the rules hold nevertheless.
    let mut drive = Drive::opened(&cluster, earlier.clone(), None);
    let approved = open(&earlier, earlier_approval);
    drive.answers = [1, 2].map(|node| (node, cluster.ask(node, approved.clone()))).into();
    drive.start();
    drive.finish();
    let Case { payload, .. } = hostile("a raw digest", Payload::RawDigest(Random(1).bytes()), "");
    let raw = cluster.command(signing(Curve::Secp256k1, &[1, 2], &[], payload));
    assert_refused(&cluster.ask(1, open(&raw, approval(&approver, &raw))), PolicyRefused);
    // A key that nothing can be done with yet needs none.
    Drive::honest(&cluster, signing(Curve::Secp256k1, &[1, 2], &[], Payload::KeyTest)).finish();
}
