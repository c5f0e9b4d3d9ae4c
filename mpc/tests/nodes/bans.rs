//! Goal: a peer that fails DKLs23's consistency check once is never signed with again under that key: one try, not
//! 257. Method: a rogue with a genuine share corrupts its oblivious-transfer messages.

use crate::backup::{backed_up, later, restored, wipe};
use crate::removed::{replace_node_3, start_replacement};
use crate::rolled_back::{put_back, snapshot};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use dkls23::protocols::signing::{TransmitPhase1to2, TransmitPhase2to3};
use k256::Secp256k1;
use mpc_node::keys::canonical::{from_bytes, to_bytes};
use mpc_node::limits::{BANS_A_HEALTH_ANSWER, FRAME_BYTES};
use mpc_node::storage::journal::{Journal, Record};
use mpc_node::wire::command::{Command, Payload};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Barrier;

pub const SECP: Curve = Curve::Secp256k1;

/// Used in the receiver's phase 2: the check of the OT extension.
pub fn corrupt_extension(round: u8, _: u8, message: &mut Vec<u8>) {
    if round == 1 {
        let mut decoded: TransmitPhase1to2 = from_bytes(message).unwrap();
        // Every row: a single one would go unseen half of the time.
        decoded.mul_transmit.u.iter_mut().for_each(|row| row[0] ^= 1);
        *message = to_bytes(&decoded).to_vec();
    }
}

/// Used in the receiver's phase 3: the check of the multiplication.
fn corrupt_multiplication(round: u8, _: u8, message: &mut Vec<u8>) {
    if round == 2 {
        let mut decoded: TransmitPhase2to3<Secp256k1> = from_bytes(message).unwrap();
        decoded.mul_transmit.vector_of_tau[0][0] += k256::Scalar::ONE;
        *message = to_bytes(&decoded).to_vec();
    }
}

pub fn command(cluster: &TestCluster, path: &[u32]) -> Command {
    cluster.command(signing(SECP, &[1, 3], path, Payload::RawDigest([1; 32])))
}

pub fn attack<'c>(
    cluster: &'c TestCluster,
    path: &[u32],
    tamper: impl FnMut(u8, u8, &mut Vec<u8>) + 'c,
) -> BTreeMap<u8, ResponseBody> {
    let rogue = Rogue::boxed(cluster, 3, Some(SECP), tamper);
    Drive::with(cluster, command(cluster, path), Some(rogue)).verdicts()
}

fn bans(cluster: &TestCluster, index: u8) -> Vec<Ban> {
    match cluster.ask(index, RequestBody::Health) {
        ResponseBody::Health(health) => health.bans,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rogue_that_changes_nothing_signs() {
    let cluster = TestCluster::with_keys();
    let verdicts = attack(&cluster, &[5], |_, _, _| {});
    assert!(matches!(verdicts[&1], ResponseBody::Round { outcome: Some(_), .. }), "the harness itself works");
}

#[test]
fn kos_flip_bans() {
    for corrupt in [corrupt_extension, corrupt_multiplication] {
        let mut cluster = TestCluster::with_keys();
        // On a child key: the ban is the root key's, whose OT state all children share.
        let verdicts = attack(&cluster, &[1, 2], corrupt);
        assert_refused(&verdicts[&1], Banned);
        for restarted in [false, true] {
            if restarted {
                cluster.restart(1);
            }
            let listed = bans(&cluster, 1);
            assert_eq!(listed.len(), 1);
            assert_eq!((listed[0].peer, listed[0].generation), (3, 0));
            assert_eq!(listed[0].root_public_key, cluster.confirmations(SECP)[0].statement.public_key);
            for path in [&[][..], &[1, 2], &[9]] {
                let operation = signing(SECP, &[1, 3], path, Payload::RawDigest([2; 32]));
                let answer = cluster.ask(1, cluster.signed(&cluster.command(operation)));
                assert_refused(&answer, Banned);
            }
        }
        // The others go on, and so does the pair with keys of another curve.
        Drive::honest(&cluster, raw(SECP, &[1, 2])).finish();
        Drive::honest(&cluster, raw(SECP, &[2, 3])).finish();
        Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 3])).finish();
    }
}

/// New OT state alone does not do: who cheated once would begin anew with every refresh.
#[test]
fn a_ban_ends_with_the_machine_it_is_of() {
    let mut cluster = TestCluster::with_keys();
    assert_refused(&attack(&cluster, &[], corrupt_extension)[&1], Banned);
    let refresh = cluster.signed(&cluster.command(refreshing(SECP, 1)));
    assert_refused_by(&cluster.ask(1, refresh), Banned, 3);
    let repair = cluster.opening(&cluster.command(cluster.repairing(SECP, 3)));
    assert_refused_by(&cluster.ask(1, repair), Banned, 3);
    cluster.stop(3);
    replace_node_3(&mut cluster);
    start_replacement(&mut cluster);
    cluster.repair(SECP, 3);
    cluster.refresh_and_commit(SECP, 1);
    for restarted in [false, true] {
        if restarted {
            cluster.restart(1);
        }
        cluster.every_quorum_signs(SECP);
        assert_eq!(bans(&cluster, 1).len(), 1, "it is told of still");
    }
}

#[test]
fn a_ban_ends_the_pairs_other_sessions() {
    let cluster = TestCluster::with_keys();
    let mut same_pair = Drive::honest(&cluster, raw(SECP, &[1, 3]));
    let mut other_pair = Drive::honest(&cluster, raw(SECP, &[1, 2]));
    let opened_only = Drive::opened(&cluster, cluster.command(raw(SECP, &[1, 3])), None);
    assert_refused(&attack(&cluster, &[], corrupt_extension)[&1], Banned);
    same_pair.step();
    assert_refused(&same_pair.answers[&1], UnknownSession);
    let body = RequestBody::Start { command_id: opened_only.command.command_id, hellos: opened_only.hellos() };
    assert_refused(&cluster.ask(1, body), UnknownSession);
    other_pair.step();
    other_pair.finish();
}

#[test]
fn at_most_sixteen_tries_of_a_pair_are_under_way() {
    let cluster = TestCluster::with_keys();
    for path in 0..16 {
        let operation = signing(SECP, &[1, 3], &[path], Payload::KeyTest);
        assert!(matches!(cluster.ask(1, cluster.signed(&cluster.command(operation))), ResponseBody::Opened(_)));
    }
    let one_more = cluster.command(raw(SECP, &[1, 3]));
    assert_refused(&cluster.ask(1, cluster.signed(&one_more)), Busy);
    let other_pair = cluster.command(raw(SECP, &[1, 2]));
    assert!(matches!(cluster.ask(1, cluster.signed(&other_pair)), ResponseBody::Opened(_)));
}

/// Forty attackers at once: no more than sixteen get as far as a try, and after the first ban none does.
#[test]
fn ban_races_16_sessions() {
    let cluster = TestCluster::with_keys();
    let (tries, all_open) = (AtomicUsize::new(0), Barrier::new(40));
    let attack = || {
        let (_, mut rogue) = Rogue::boxed(&cluster, 3, Some(SECP), corrupt_extension);
        let command = command(&cluster, &[]);
        let (open, command_id) = (cluster.signed(&command), command.command_id);
        let (ours, theirs) = (cluster.ask(1, open.clone()), rogue.handle(open));
        // All are open before the first can earn the ban, or the later ones were not even opened.
        all_open.wait();
        let (ours, theirs) = match (ours, theirs) {
            (ResponseBody::Opened(ours), ResponseBody::Opened(theirs)) => (ours, theirs),
            (refused, _) => return assert_refused(&refused, Busy),
        };
        tries.fetch_add(1, Ordering::Relaxed);
        let start = RequestBody::Start { command_id, hellos: vec![ours, theirs] };
        let ResponseBody::Round { outbound, .. } = rogue.handle(start.clone()) else { unreachable!() };
        let inbound = vec![Envelope { peer: 3, sealed: outbound[0].sealed.clone() }];
        let verdict = match cluster.ask(1, start) {
            ResponseBody::Round { .. } => cluster.ask(1, RequestBody::Continue { command_id, round: 2, inbound }),
            refused => refused,
        };
        match verdict {
            ResponseBody::Refused(refusal) => assert!([Banned, UnknownSession].contains(&refusal.code)),
            other => panic!("{other:?}"),
        }
    };
    std::thread::scope(|scope| (0..40).for_each(|_| drop(scope.spawn(attack))));
    assert_eq!(tries.into_inner(), 16);
    assert_eq!(bans(&cluster, 1).len(), 1);
    assert_refused_by(&cluster.ask(1, cluster.signed(&command(&cluster, &[4]))), Banned, 3);
}

/// Restarted, or taken back to a backup of before the ban: for no child key is there a second try at that OT state.
#[test]
fn ban_survives_restart_rollback_hd_child() {
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 1);
    assert_refused_by(&attack(&cluster, &[7, 1], corrupt_extension)[&1], Banned, 3);
    let no_try = |cluster: &TestCluster, code| {
        for path in [&[][..], &[7, 1], &[7], &[9]] {
            assert_refused(&cluster.ask(1, cluster.signed(&command(cluster, path))), code);
        }
    };
    no_try(&cluster, Banned);
    cluster.restart(1);
    no_try(&cluster, Banned);
    wipe(&mut cluster, 1);
    restored(&mut cluster, 1, &backup);
    later(&mut cluster, 1);
    // The backup knows of no ban: so nothing is tried before all OT state is new.
    assert_eq!(bans(&cluster, 1), []);
    no_try(&cluster, NeedsRefresh);
    cluster.restart(1);
    no_try(&cluster, NeedsRefresh);
    cluster.refresh_and_commit(SECP, 1);
    cluster.every_quorum_signs(SECP);
    // The whole disk is put back to before the next ban, which nobody told node 1 to distrust. Its partner keeps
    // silent.
    let before = snapshot(&mut cluster, 1);
    assert_refused_by(&attack(&cluster, &[3], corrupt_extension)[&1], Banned, 3);
    cluster.carry_marks();
    cluster.stop(3);
    put_back(&mut cluster, 1, &before);
    assert_eq!(bans(&cluster, 1), []);
    no_try(&cluster, SetBack);
    cluster.restart(1);
    no_try(&cluster, SetBack);
}

#[test]
fn an_undecodable_message_bans_nobody() {
    let cluster = TestCluster::with_keys();
    let verdicts = attack(&cluster, &[], |round, _, message| {
        if round == 1 {
            message.push(0);
        }
    });
    assert_refused(&verdicts[&1], SessionAborted);
    assert_eq!(bans(&cluster, 1), vec![]);
}

/// More than a frame holds, nearly, and more than a client reads: all are in force, the newest are told of.
#[test]
fn many_bans_do_not_make_a_node_mute() {
    let mut cluster = TestCluster::with_keys();
    let root_public_key = cluster.confirmations(SECP)[0].statement.public_key.clone();
    cluster.stop(1);
    let journal = Journal::open(&cluster.node_directory(1).join("journal.redb")).unwrap();
    let ban = |at: u64| match at {
        0 => Ban { root_public_key: root_public_key.clone(), peer: 3, generation: 0, at_ms: 0 },
        // Keys in no order of time.
        _ => Ban {
            root_public_key: [[2; 17], [at as u8 ^ 0x5a; 17]].concat()[1..].to_vec(),
            peer: 2,
            generation: at as u32,
            at_ms: at,
        },
    };
    std::thread::scope(|scope| {
        for first in 0..250 {
            let (journal, ban) = (&journal, &ban);
            scope.spawn(move || {
                for at in (first..5_000).step_by(250) {
                    journal.write(Record::Ban { ban: ban(at), identity: [7; 32] }).unwrap();
                }
            });
        }
    });
    drop(journal);
    cluster.restart(1);
    let told: Vec<u64> = bans(&cluster, 1).iter().map(|ban| ban.at_ms).collect();
    assert!(told.iter().copied().eq((5_000 - BANS_A_HEALTH_ANSWER as u64..5_000).rev()), "the {} newest", told.len());
    let answer = encode(&cluster.ask(1, RequestBody::Health));
    assert!(answer.len() < FRAME_BYTES / 4, "{} bytes", answer.len());
    assert_refused_by(&cluster.ask(1, cluster.signed(&command(&cluster, &[]))), Banned, 3);
}
