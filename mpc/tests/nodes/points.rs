//! Goal: no point that leaks or binds nothing (identity, small order, mixed order) and no number that was cut to fit
//! gets past a decoder. Method: put one into each place that takes one: files, hellos, every round that carries points.

use crate::keys::refresh::assert_no_bans;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::EdwardsPoint;
use dkls23::protocols::signing::TransmitPhase2to3;
use frost_ed25519::keys::dkg::round1::Package;
use frost_ed25519::round1::SigningCommitments;
use k256::{AffinePoint, Secp256k1};
use mpc_node::cluster::Cluster;
use mpc_node::keys::canonical::{from_bytes, to_bytes};
use mpc_node::policy::Policy;
use mpc_node::wire::command::Operation;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use serde_json::json;

/// Identity, every small order in its canonical form, each of them spelt with the other sign, and mixed orders.
fn bad_points() -> Vec<[u8; 32]> {
    let encoded = |point: &EdwardsPoint| point.compress().to_bytes();
    let small: Vec<_> = EIGHT_TORSION.iter().map(encoded).collect();
    let mixed = EIGHT_TORSION[1..].iter().map(|torsion| encoded(&(ED25519_BASEPOINT_POINT + torsion)));
    let flipped = small.iter().map(|bytes| {
        let mut bytes = *bytes;
        bytes[31] ^= 0x80;
        bytes
    });
    flipped.chain(mixed).chain(small.clone()).collect()
}

#[test]
fn small_order_mixed_identity_points_in_files() {
    let cluster = TestCluster::new();
    let text = std::fs::read_to_string(cluster.directory.join("cluster.json")).unwrap();
    let good: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(Cluster::parse(&text).is_ok());
    let policy = |key: &[u8]| Policy::parse(&json!({"approver_public_key": hex::encode(key)}).to_string());
    assert!(policy(cluster.command_key.verifying_key().as_bytes()).is_ok());
    for point in bad_points() {
        let key = json!(hex::encode(point));
        let mut files = vec![good.clone(), good.clone(), good.clone()];
        files[0]["nodes"][1]["identity_public_key"] = key.clone();
        files[1]["orchestrator"]["command_public_key"] = key.clone();
        files[2]["enrolment_public_key"] = key.clone();
        for file in files {
            assert!(Cluster::parse(&file.to_string()).err().unwrap().contains("prime order"), "{key}");
        }
        assert!(policy(&point).is_err(), "{key}");
    }
}

fn replace(message: &mut [u8], from: &[u8], to: &[u8]) {
    let at = message.windows(from.len()).position(|window| window == from).expect("the message holds the point");
    message[at..at + to.len()].copy_from_slice(to);
}

/// Where the points are in what node 3 says in this round on ed25519.
fn points_of(operation: &Operation, round: u8, message: &[u8]) -> Vec<Vec<u8>> {
    match (operation, round) {
        (Operation::Sign { .. }, 1) => {
            let commitments = SigningCommitments::deserialize(message).unwrap();
            [commitments.hiding().serialize(), commitments.binding().serialize()].map(Result::unwrap).into()
        }
        (Operation::GenerateKey { .. } | Operation::Refresh { .. }, 1) => {
            Package::deserialize(message).unwrap().commitment().serialize().unwrap()
        }
        _ => vec![],
    }
}

#[test]
fn small_order_mixed_identity_points_of_frost() {
    let cluster = TestCluster::with_keys();
    let curve = Curve::Ed25519;
    for operation in [raw(curve, &[1, 3]), generation(id(), curve), refreshing(curve, 1)] {
        let signs_on = (!matches!(operation, Operation::GenerateKey { .. })).then_some(curve);
        for at in 0..2 {
            for point in bad_points() {
                let rogue = Rogue::boxed(&cluster, 3, signs_on, |round, _, message| {
                    // A refresh has one commitment less.
                    if let Some(good) = points_of(&operation, round, message).iter().cycle().nth(at) {
                        replace(message, good, &point);
                    }
                });
                let verdicts = Drive::with(&cluster, cluster.command(operation.clone()), Some(rogue)).verdicts();
                assert_refused_by(&verdicts[&1], SessionAborted, 3);
            }
        }
    }
    assert_eq!(cluster.held(1, curve).1, [], "nothing is prepared");
    Drive::honest(&cluster, raw(curve, &[1, 3])).finish();
}

/// On secp256k1 there is one bad point, the identity. Where a consistency check is what finds it, it earns a ban.
#[test]
fn small_order_mixed_identity_points_of_dkls() {
    let curve = Curve::Secp256k1;
    type Spoil = fn(&mut TransmitPhase2to3<Secp256k1>);
    let spoils: [Spoil; 4] = [
        |message| message.gamma_u = AffinePoint::IDENTITY,
        |message| message.gamma_v = AffinePoint::IDENTITY,
        |message| message.public_share = AffinePoint::IDENTITY,
        |message| message.instance_point = AffinePoint::IDENTITY,
    ];
    for spoil in spoils {
        let cluster = TestCluster::with_keys();
        let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
            if round == 2 {
                let mut decoded: TransmitPhase2to3<Secp256k1> = from_bytes(message).unwrap();
                spoil(&mut decoded);
                *message = to_bytes(&decoded).to_vec();
            }
        });
        match &Drive::with(&cluster, cluster.command(raw(curve, &[1, 3])), Some(rogue)).verdicts()[&1] {
            ResponseBody::Refused(refusal) => assert!([SessionAborted, Banned].contains(&refusal.code)),
            other => panic!("{other:?}"),
        }
    }
    // In the last round but one of a refresh: the public point of the new share.
    let cluster = TestCluster::with_keys();
    let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
        if round == 5 {
            message.truncate(32);
            message.extend(&*to_bytes(&AffinePoint::IDENTITY));
        }
    });
    let verdicts = Drive::with(&cluster, cluster.command(refreshing(curve, 1)), Some(rogue)).verdicts();
    assert_refused(&verdicts[&1], SessionAborted);
    assert_eq!(cluster.held(1, curve).1, [], "nothing is prepared");
    for key in [vec![0; 33], [vec![2], vec![0; 32]].concat(), [vec![4], vec![1; 32]].concat(), vec![0]] {
        assert!(mpc_node::keys::derive_secp256k1::derive(&key, &[1; 32], &[1]).is_none());
    }
}

/// 258 would be 2, and 2^32 + 1 would be 1, if they were cut.
#[test]
fn int_truncation() {
    // 258 as a varint where an index (u8) is expected: 0x82 0x02.
    assert!(from_bytes::<u8>(&[0x82, 0x02]).is_none());
    // 2^32 and 2^32 + 1 where a u32 is expected, and 1 spelled with a needless byte.
    for bytes in [&[0x80, 0x80, 0x80, 0x80, 0x10][..], &[0x81, 0x80, 0x80, 0x80, 0x10], &[0x81, 0x00], &[0x01, 0x00]] {
        assert!(from_bytes::<u32>(bytes).is_none(), "{bytes:?}");
    }
    assert_eq!(from_bytes::<u32>(&[0x82, 0x02]), Some(258));

    let cluster = TestCluster::with_keys();
    let text = std::fs::read_to_string(cluster.directory.join("cluster.json")).unwrap();
    for wide in ["258", "4294967298"] {
        for narrow in [r#""threshold":2"#, r#""index":2"#] {
            let (name, _) = narrow.split_once(':').unwrap();
            let changed = text.replace(narrow, &format!("{name}:{wide}"));
            assert!(changed != text && Cluster::parse(&changed).is_err(), "{changed}");
        }
    }
    let key =
        mpc_node::process::provision::read_signing_key(&cluster.directory.join("enrolment/enrolment.key")).unwrap();
    let listed = |epoch: u64| {
        let wallet_id = hex::encode(WALLET);
        json!([{"wallet_id": wallet_id, "curve": "ed25519", "epoch": epoch, "public_key": "00".repeat(32)}]).to_string()
    };
    let sign =
        |list: &str| mpc_node::process::repair_commands::sign_repairs(&key, &cluster.cluster_file(), 2, None, list);
    assert!(sign(&listed(0)).is_ok());
    assert!(sign(&listed(1 << 32)).is_err());
    for limit in ["per_minute", "per_hour"] {
        assert!(Policy::parse(&json!({"rates": {limit: 1u64 << 32}}).to_string()).is_err(), "{limit}");
    }
    // The sender's index inside a peer's message, 3 spelt as 259, and the whole message's one byte longer for it.
    let curve = Curve::Secp256k1;
    for victim in [1, 2] {
        let rogue = Rogue::boxed(&cluster, 3, Some(curve), |round, _, message| {
            if round == victim {
                assert_eq!(message[0], 3, "the parties come first");
                message.splice(0..1, [0x83, 0x02]);
            }
        });
        let verdicts = Drive::with(&cluster, cluster.command(raw(curve, &[1, 3])), Some(rogue)).verdicts();
        assert_refused_by(&verdicts[&1], SessionAborted, 3);
    }
    // A round that is 2 in its low byte has no place on the wire; an index that is 258 neither.
    let encoded = encode(&Request { id: 1, body: RequestBody::KeyState { wallet_id: WALLET, curve } });
    assert!(decode::<Request>(&[encoded.as_slice(), &[0]].concat()).is_none());
    assert_no_bans(&cluster);
}
