//! Goal: a relay can delay and drop, nothing else. Method: interfere with sealed envelopes and hellos; the session
//! ends, nobody is banned, and the next session signs.

use crate::support::drive::{Drive, Mail};
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::wire::command::Operation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;

/// Node 1 refuses what `interfere` made of round `round`'s mail; afterwards a fresh session works.
fn aborts(cluster: &TestCluster, curve: Curve, round: u8, interfere: impl FnOnce(&mut Mail)) {
    let mut drive = Drive::honest(cluster, raw(curve, &[1, 2]));
    drive.step_until(round);
    drive.step_with(interfere);
    assert_refused(&drive.answers[&1], SessionAborted);
    let command_id = drive.command.command_id;
    let dead = cluster.ask(1, RequestBody::Continue { command_id, round: round + 2, inbound: vec![] });
    assert_refused(&dead, UnknownSession);
}

fn no_bans(cluster: &TestCluster) {
    match cluster.ask(1, RequestBody::Health) {
        ResponseBody::Health(health) => assert_eq!(health.bans, vec![]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_envelope_ends_the_session_and_bans_nobody() {
    let cluster = TestCluster::with_keys();
    for (curve, rounds) in [(Curve::Secp256k1, 3), (Curve::Ed25519, 2)] {
        for round in 1..=rounds {
            aborts(&cluster, curve, round, |mail| mail.get_mut(&1).unwrap()[0].sealed[5] ^= 1);
            aborts(&cluster, curve, round, |mail| mail.get_mut(&1).unwrap()[0].sealed.push(0));
            aborts(&cluster, curve, round, |mail| mail.get_mut(&1).unwrap()[0].sealed.clear());
            aborts(&cluster, curve, round, |mail| drop(mail.remove(&1)));
        }
        Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
    }
    no_bans(&cluster);
}

#[test]
fn envelopes_of_another_sender_round_session_or_direction_are_refused() {
    let cluster = TestCluster::with_keys();
    for curve in CURVES {
        // Another sender's name on it.
        aborts(&cluster, curve, 1, |mail| mail.get_mut(&1).unwrap()[0].peer = 3);
        aborts(&cluster, curve, 1, |mail| mail.get_mut(&1).unwrap()[0].peer = 1);
        // Twice the same.
        aborts(&cluster, curve, 1, |mail| {
            let mail = mail.get_mut(&1).unwrap();
            mail.push(mail[0].clone());
        });
        // Reflected: node 1's own message back to it.
        aborts(&cluster, curve, 1, |mail| {
            let own = mail[&2][0].sealed.clone();
            mail.get_mut(&1).unwrap()[0].sealed = own;
        });
        // Replayed from the round before.
        let mut drive = Drive::honest(&cluster, raw(curve, &[1, 2]));
        let old = drive.mail();
        drive.step();
        drive.step_with(|mail| *mail = old);
        assert_refused(&drive.answers[&1], SessionAborted);
        // Of another session of the same pair and message.
        let other = Drive::honest(&cluster, raw(curve, &[1, 2]));
        let foreign = other.mail();
        aborts(&cluster, curve, 1, |mail| *mail = foreign);
    }
    no_bans(&cluster);
}

#[test]
fn reordered_envelopes_are_refused() {
    let cluster = TestCluster::new();
    let mut drive = Drive::honest(&cluster, generation(WALLET, Curve::Ed25519));
    drive.step_with(|mail| mail.get_mut(&1).unwrap().reverse());
    assert_refused(&drive.answers[&1], SessionAborted);
}

#[test]
fn a_round_comes_once_and_in_order() {
    let cluster = TestCluster::with_keys();
    for (skip, round) in [("early", 3u8), ("late", 1), ("wrapped", 0), ("far", 255)] {
        let drive = Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2]));
        let inbound = drive.mail()[&1].clone();
        let body = RequestBody::Continue { command_id: drive.command.command_id, round, inbound };
        assert_refused(&cluster.ask(1, body), SessionAborted);
        println!("{skip}");
    }
    // Nonces sign once: the same round again finds no session state to use.
    let mut drive = Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2]));
    let inbound = drive.mail()[&1].clone();
    drive.step();
    let body = RequestBody::Continue { command_id: drive.command.command_id, round: 2, inbound };
    assert_refused(&cluster.ask(1, body.clone()), SessionAborted);
    assert_refused(&cluster.ask(1, body), UnknownSession);
}

#[test]
fn oversized_envelopes_are_refused() {
    let cluster = TestCluster::with_keys();
    aborts(&cluster, Curve::Secp256k1, 1, |mail| mail.get_mut(&1).unwrap()[0].sealed = vec![0; 96 * 1024 + 1]);
}

#[test]
fn forged_hellos_do_not_start_a_session() {
    let cluster = TestCluster::with_keys();
    let command = |_: u8| cluster.command(raw(Curve::Ed25519, &[1, 2]));
    let older = Drive::opened(&cluster, command(0), None).hellos();
    type Forge = Box<dyn Fn(&mut Vec<Hello>)>;
    let forgeries: Vec<Forge> = vec![
        Box::new(|hellos| hellos[1].nonce[0] ^= 1),
        Box::new(|hellos| hellos[1].ephemeral_public_key[0] ^= 1),
        Box::new(|hellos| hellos[1].signature[0] ^= 1),
        Box::new(move |hellos| hellos[1] = older[1].clone()),
    ];
    for forge in forgeries {
        let drive = Drive::opened(&cluster, command(0), None);
        let mut hellos = drive.hellos();
        forge(&mut hellos);
        let body = RequestBody::Start { command_id: drive.command.command_id, hellos };
        assert_refused(&cluster.ask(1, body), Unauthorized);
    }
    let drive = Drive::opened(&cluster, command(0), None);
    let mut hellos = drive.hellos();
    // Our own hello, changed: it must not be taken on trust.
    hellos[0].nonce[0] ^= 1;
    let body = RequestBody::Start { command_id: drive.command.command_id, hellos: hellos.clone() };
    assert_refused(&cluster.ask(1, body), Unauthorized);
    for wrong in [vec![hellos[1].clone(), hellos[0].clone()], vec![hellos[0].clone()], vec![]] {
        let drive = Drive::opened(&cluster, command(0), None);
        let body = RequestBody::Start { command_id: drive.command.command_id, hellos: wrong };
        assert_refused(&cluster.ask(1, body), InvalidRequest);
    }
}

/// Node 2 itself signs a hello with a point whose shared secret everybody knows: those of order 1, 2, 4 and 8, and the
/// other spellings of them that X25519 reads.
#[test]
fn small_order_mixed_identity_points_in_hellos() {
    use ed25519_dalek::Signer;
    let cluster = TestCluster::with_keys();
    let identity = cluster.identity(2);
    let root = cluster.confirmations(Curve::Ed25519)[0].statement.public_key.clone();
    let order_8 = [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ];
    let near_the_prime = |last| [&[last][..], &[0xff; 30], &[0x7f]].concat();
    let mut points = vec![vec![0; 32], [&[1][..], &[0; 31]].concat()];
    points.extend(order_8.map(|text| hex::decode(text).unwrap()));
    points.extend([0xec, 0xed, 0xee].map(near_the_prime));
    for point in points {
        for high_bit in [0, 0x80] {
            let mut point: [u8; 32] = point.clone().try_into().unwrap();
            point[31] |= high_bit;
            let drive = Drive::opened(&cluster, cluster.command(raw(Curve::Ed25519, &[1, 2])), None);
            let mut hellos = drive.hellos();
            hellos[1].ephemeral_public_key = point;
            let digest: [u8; 32] =
                sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(encode(&drive.command))).into();
            let (versions, nonce) = (mpc_node::wire::hello::CRATE_VERSIONS, hellos[1].nonce);
            let signed = encode(&(1u16, versions, digest, &root, 0u32, 2u8, nonce, point));
            hellos[1].signature = identity.sign(&[b"countersign/v1/hello".as_slice(), &signed].concat()).to_bytes();
            let answer = cluster.ask(1, RequestBody::Start { command_id: drive.command.command_id, hellos });
            assert_refused_by(&answer, Unauthorized, 2);
            let ResponseBody::Refused(refusal) = answer else { unreachable!() };
            assert!(refusal.detail.contains("small order"), "the signature itself was good: {}", refusal.detail);
        }
    }
}

/// What was said in one attempt is of no use in the next, by the relay's hand or by the sender's own, and neither ends
/// more than that attempt.
#[test]
fn cross_attempt_replay() {
    let cluster = TestCluster::with_keys();
    for (curve, rounds) in [(Curve::Secp256k1, 3), (Curve::Ed25519, 2)] {
        let operation = raw(curve, &[1, 3]);
        let numbers = std::cell::Cell::new(0);
        let attempt = || {
            let mut next = operation.clone();
            let Operation::Sign { attempt, .. } = &mut next else { unreachable!() };
            numbers.set(numbers.get() + 1);
            *attempt = numbers.get();
            next
        };
        for replayed in 1..=rounds {
            let mut earlier = Drive::honest(&cluster, attempt());
            earlier.step_until(replayed);
            let mail = earlier.mail();
            let mut drive = Drive::honest(&cluster, attempt());
            drive.step_until(replayed);
            drive.step_with(|sent| *sent = mail);
            assert_refused_by(&drive.answers[&1], SessionAborted, 3);
            drop((earlier, drive));
            // Genuinely sealed again.
            let mut said = BTreeMap::new();
            let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
                said.insert(round, message.clone());
            });
            let verdicts = Drive::with(&cluster, cluster.command(attempt()), Some(rogue)).verdicts();
            assert!(matches!(verdicts[&1], ResponseBody::Round { outcome: Some(_), .. }));
            let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
                if round == replayed {
                    *message = said[&round].clone();
                }
            });
            let verdicts = Drive::with(&cluster, cluster.command(attempt()), Some(rogue)).verdicts();
            assert_refused(&verdicts[&1], SessionAborted);
            no_bans(&cluster);
        }
        Drive::honest(&cluster, attempt()).finish();
    }
}
