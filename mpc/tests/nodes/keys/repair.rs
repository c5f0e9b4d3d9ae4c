//! Goal: a node that lost its share, or a machine in its place, gets it again from the others by the word of the
//! enrolment key alone, nobody else gets it, and it does not sign before all shares are new. Method: lose, replace,
//! lie.

use crate::keys::refresh::{assert_behind, assert_no_bans, committed_path, data_key_path, share};
use crate::removed::{replace_node_3, start_replacement};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use ed25519_dalek::Signer;
use mpc_node::keys::key_material::KeyMaterial;
use mpc_node::process::provision;
use mpc_node::process::repair_commands::sign_repairs;
use mpc_node::wire::command::{Command, Operation, REPAIR_LABEL};
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use serde_json::json;

pub fn lose(cluster: &mut TestCluster, index: u8, curve: Curve) {
    cluster.stop(index);
    std::fs::remove_file(committed_path(cluster, index, curve)).unwrap();
    cluster.restart(index);
}

fn secret(cluster: &TestCluster, index: u8, curve: Curve) -> Vec<u8> {
    match &share(cluster, index, curve).material {
        KeyMaterial::Secp256k1(party) => party.poly_point.to_bytes().to_vec(),
        KeyMaterial::Ed25519(key) => key.package.signing_share().serialize(),
    }
}

#[test]
fn a_lost_share_comes_back_and_signs_after_a_refresh() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let lost = secret(&cluster, 2, curve);
        lose(&mut cluster, 2, curve);
        assert_eq!(cluster.key_state(2, curve), ResponseBody::KeyState(KeyState::Absent));
        cluster.repair(curve, 2);
        assert_eq!(secret(&cluster, 2, curve), lost, "it is the very share that was lost");
        for restarted in [false, true] {
            if restarted {
                cluster.restart(2);
            }
            let (committed, prepared, signs) = cluster.held(2, curve);
            assert_eq!((committed, prepared.len(), signs), (cluster.confirmations(curve), 0, false));
            assert_refused(&cluster.ask(2, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), NeedsRefresh);
            let generate = cluster.signed(&cluster.command(generation(WALLET, curve)));
            assert_refused(&cluster.ask(2, generate), WalletExists);
        }
        Drive::honest(&cluster, raw(curve, &[1, 3])).finish();
        cluster.refresh_and_commit(curve, 1);
        let ResponseBody::KeyState(KeyState::Committed(_)) = cluster.key_state(2, curve) else { panic!() };
        cluster.every_quorum_signs(curve);
        let left = std::fs::read_dir(cluster.node_directory(2).join("shares")).unwrap();
        let unrefreshed = |name: &str| name.ends_with(".unrefreshed");
        assert!(!left.into_iter().any(|entry| unrefreshed(&entry.unwrap().file_name().to_string_lossy())));
        assert_no_bans(&cluster);
    }
}

#[test]
fn a_replaced_machine_signs_after_repair_and_refresh() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        cluster.stop(3);
        replace_node_3(&mut cluster);
        start_replacement(&mut cluster);
        // The others go on among themselves; a refresh needs the new one's share.
        Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
        assert_refused(&cluster.ask(3, cluster.signed(&cluster.command(refreshing(curve, 1)))), UnknownWallet);
        cluster.repair(curve, 3);
        for (node, code) in [(1, NeedsRefresh), (3, NeedsRefresh)] {
            assert_refused(&cluster.ask(node, cluster.signed(&cluster.command(raw(curve, &[1, 3])))), code);
        }
        let statement = cluster.refresh_and_commit(curve, 1)[0].statement.clone();
        assert_eq!(statement.roster, cluster.cluster_file().roster);
        cluster.every_quorum_signs(curve);
        (1..=3).for_each(|index| cluster.restart(index));
        cluster.every_quorum_signs(curve);
    }
}

fn signed_by(key: &ed25519_dalek::SigningKey, label: &[u8], command: &Command) -> (Vec<u8>, [u8; 64]) {
    let command = encode(command);
    let signature = key.sign(&[label, &command].concat()).to_bytes();
    (command, signature)
}

#[test]
fn repair_wrong_target_or_identity() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    // Of a node that has its share: whoever says so.
    assert_refused(&cluster.ask(3, cluster.opening(&cluster.command(cluster.repairing(curve, 3)))), WalletExists);
    lose(&mut cluster, 3, curve);
    let command = cluster.command(cluster.repairing(curve, 3));
    let enrolment_key = provision::read_signing_key(&cluster.directory.join("enrolment/enrolment.key")).unwrap();
    // Neither key does the other's work, nor its own under the other's label.
    let (bytes, signature) = signed_by(&cluster.command_key, REPAIR_LABEL, &command);
    assert_refused(&cluster.ask(1, RequestBody::OpenEnrolment { command: bytes, signature }), Unauthorized);
    for key in [&cluster.command_key, &enrolment_key] {
        let (bytes, signature) = signed_by(key, b"countersign/v1/command", &command);
        assert_refused(&cluster.ask(1, RequestBody::Open { command: bytes.clone(), signature }), Unauthorized);
        assert_refused(&cluster.ask(1, RequestBody::OpenEnrolment { command: bytes, signature }), Unauthorized);
    }
    let (bytes, signature) = signed_by(&enrolment_key, REPAIR_LABEL, &cluster.command(raw(curve, &[1, 2])));
    assert_refused(&cluster.ask(1, RequestBody::OpenEnrolment { command: bytes, signature }), Unauthorized);
    let other_roster = Command { roster: [9; 32], ..command.clone() };
    assert_refused(&cluster.ask(1, cluster.opening(&other_roster)), RosterMismatch);
    let late = Command { expires_at_ms: now_ms() + 8 * 86_400_000, ..command.clone() };
    assert_refused(&cluster.ask(1, cluster.opening(&late)), Expired);
    // Targets and helpers that do not fit, another epoch, another key.
    type Change = dyn Fn(&mut u32, &mut Vec<u8>, &mut u8, &mut Vec<u8>);
    let changed = |change: &Change| {
        let mut operation = command.operation.clone();
        let Operation::Repair { epoch, public_key, target, nodes, .. } = &mut operation else { unreachable!() };
        change(epoch, public_key, target, nodes);
        cluster.ask(1, cluster.opening(&cluster.command(operation)))
    };
    assert_refused(&changed(&|_, _, target, _| *target = 4), InvalidRequest);
    assert_refused(&changed(&|_, _, target, _| *target = 0), InvalidRequest);
    assert_refused(&changed(&|_, _, _, nodes| *nodes = vec![1, 3]), InvalidRequest);
    assert_refused(&changed(&|_, _, _, nodes| *nodes = vec![1, 2]), InvalidRequest);
    assert_refused(&changed(&|_, _, _, nodes| *nodes = vec![1, 1, 3]), InvalidRequest);
    assert_refused(&changed(&|_, _, target, _| *target = 1), WalletExists);
    assert_refused(&changed(&|epoch, _, _, _| *epoch = 1), WrongEpoch);
    assert_refused(&changed(&|_, public_key, _, _| public_key[0] ^= 1), WrongEpoch);
    // The machine that was node 3 is not the one that is.
    replace_node_3(&mut cluster);
    let removed = Rogue::boxed_target(&cluster, 3, &command.operation);
    let drive = Drive::with(&cluster, cluster.command(command.operation.clone()), Some(removed));
    for helper in [1, 2] {
        assert_refused_by(&drive.answers[&helper], Unauthorized, 3);
    }
}

#[test]
fn nothing_is_repaired_without_an_enrolment_key() {
    let mut cluster = TestCluster::with_keys();
    let path = cluster.directory.join("cluster.json");
    let mut file: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let command_key = file["orchestrator"]["command_public_key"].clone();
    file.as_object_mut().unwrap().remove("enrolment_public_key");
    std::fs::write(&path, file.to_string()).unwrap();
    cluster.restart(1);
    let command = cluster.command(cluster.repairing(Curve::Ed25519, 3));
    assert_refused(&cluster.ask(1, cluster.opening(&command)), Unauthorized);
    file["enrolment_public_key"] = command_key;
    std::fs::write(&path, file.to_string()).unwrap();
    cluster.stop(1);
    let parsed = mpc_node::cluster::Cluster::parse(&file.to_string());
    assert!(parsed.err().unwrap().contains("offline"));
}

/// A repair that a helper, the relay or a crash spoils leaves no share, and the same command works again.
#[test]
fn a_spoilt_repair_leaves_nothing_and_can_be_repeated() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        lose(&mut cluster, 3, curve);
        let command = cluster.command(cluster.repairing(curve, 3));
        type Change = fn(&mut Vec<u8>);
        let lies: [(u8, Change, &str); 4] = [
            // The statement: another epoch than that of the other helper.
            (1, |message| message[17] ^= 1, "different shares"),
            // The last confirmation's signature, which is the target's own: its place is not looked at; the one before
            // it.
            (
                1,
                |message| {
                    let at = message.len() - 400;
                    message[at] ^= 1
                },
                "does not verify",
            ),
            (2, |message| *message.last_mut().unwrap() ^= 1, ""),
            (2, |message| message.clear(), "decoded"),
        ];
        for (at, lie, detail) in lies {
            let rogue = Rogue::boxed(&cluster, 1, Some(curve), |round, peer, message| {
                if round == at && peer == 3 {
                    lie(message);
                }
            });
            let verdicts = Drive::with(&cluster, cluster.command(command.operation.clone()), Some(rogue)).verdicts();
            assert_refused(&verdicts[&3], SessionAborted);
            let ResponseBody::Refused(refusal) = &verdicts[&3] else { unreachable!() };
            assert!(refusal.detail.contains(detail), "{}", refusal.detail);
            assert_eq!(cluster.key_state(3, curve), ResponseBody::KeyState(KeyState::Absent));
        }
        for step in 1..=2 {
            let mut drive = Drive::with(&cluster, command.clone(), None);
            drive.step_until(step);
            drop(drive);
            (1..=3).for_each(|index| cluster.restart(index));
            assert_eq!(cluster.key_state(3, curve), ResponseBody::KeyState(KeyState::Absent));
        }
        Drive::with(&cluster, command.clone(), None).finish();
        Drive::with(&cluster, command.clone(), None).finish();
        // With the epoch the command ends.
        cluster.refresh_and_commit(curve, 1);
        for index in 1..=3 {
            assert_refused(&cluster.ask(index, cluster.opening(&command)), WrongEpoch);
        }
        assert_no_bans(&cluster);
    }
}

/// Helpers that are at one epoch but hold shares of two refreshes must not give parts of both.
#[test]
fn helpers_with_different_shares_give_nothing() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let both = [cluster.refresh(curve, 1), cluster.refresh(curve, 1)];
    cluster.commit(1, &both[0]);
    cluster.commit(2, &both[1]);
    lose(&mut cluster, 3, curve);
    let mut drive = Drive::honest(&cluster, cluster.repairing(curve, 3));
    // In the very round in which their parts would leave, whatever the target makes of it.
    drive.step();
    for index in 1..=3 {
        assert_refused(&drive.answers[&index], SessionAborted);
    }
}

/// A node that was away for a refresh it had not prepared, as after a restore: a repair brings it to the epoch.
#[test]
fn a_node_with_an_older_epoch_is_repaired_over_it() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    let old = [committed_path(&cluster, 3, curve), data_key_path(&cluster, 3, curve)];
    let old = old.map(|path| (std::fs::read(&path).unwrap(), path));
    cluster.refresh_and_commit(curve, 1);
    cluster.stop(3);
    old.iter().for_each(|(bytes, path)| std::fs::write(path, bytes).unwrap());
    cluster.restart(3);
    assert_behind(&cluster, 3, curve);
    cluster.repair(curve, 3);
    assert!(!committed_path(&cluster, 3, curve).exists());
    cluster.refresh_and_commit(curve, 2);
    cluster.every_quorum_signs(curve);
}

#[test]
fn the_offline_command_signs_what_the_nodes_accept() {
    let curve = Curve::Ed25519;
    let mut cluster = TestCluster::with_keys();
    lose(&mut cluster, 2, curve);
    let key = provision::read_signing_key(&cluster.directory.join("enrolment/enrolment.key")).unwrap();
    let public_key = hex::encode(&cluster.confirmations(curve)[0].statement.public_key);
    let wallet_id = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";
    let list = json!([{"wallet_id": wallet_id, "curve": "ed25519", "epoch": 0, "public_key": public_key}]).to_string();
    let file = cluster.cluster_file();
    let signed = sign_repairs(&key, &file, 2, None, &list).unwrap();
    assert_eq!(signed["nodes"], json!([1, 2, 3]));
    let bytes = |name: &str| hex::decode(signed["commands"][0][name].as_str().unwrap()).unwrap();
    let (command, signature) = (bytes("command"), bytes("signature").try_into().unwrap());
    for index in 1..=3 {
        let body = RequestBody::OpenEnrolment { command: command.clone(), signature };
        assert!(matches!(cluster.ask(index, body), ResponseBody::Opened(_)));
    }
    let refused = |target, helpers, list: &str| sign_repairs(&key, &file, target, helpers, list).unwrap_err();
    refused(4, None, &list);
    for helpers in [vec![1], vec![1, 2], vec![1, 1], vec![1, 3, 4], vec![]] {
        refused(2, Some(helpers), &list);
    }
    for wrong in ["", "{}", &list.replace("ed25519", "p256"), &list.replace("aaaa-", ""), &list.replace("epoch", "e")] {
        refused(2, None, wrong);
    }
    assert!(sign_repairs(&cluster.command_key, &file, 2, None, &list).is_err());
}
