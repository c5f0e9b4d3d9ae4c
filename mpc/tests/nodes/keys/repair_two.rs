//! Goal: a cluster that lost two machines has all its keys again, as long as as many nodes are left as sign. Method:
//! the drill of the runbook, step by step: two new machines at once in a cluster of five, and one after the other in a
//! cluster of three before any refresh. What helpers may lie about: see `repair`.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::process::provision;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::*;
use serde_json::Value;

/// New machines take the places of these nodes in the cluster file of all.
pub fn replace(cluster: &mut TestCluster, lost: &[u8]) {
    let path = cluster.directory.join("cluster.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for index in lost {
        cluster.stop(*index);
        let directory = cluster.node_directory(*index);
        let store_key = cluster.directory.join(format!("key-{index}"));
        std::fs::remove_dir_all(&directory).unwrap();
        std::fs::remove_file(&store_key).unwrap();
        file["nodes"][usize::from(*index) - 1] = provision::init_node(&directory, *index, &store_key).unwrap();
    }
    std::fs::write(&path, file.to_string()).unwrap();
    (1..=cluster.nodes.len() as u8).for_each(|index| cluster.restart(index));
}

pub fn repair(cluster: &TestCluster, curve: Curve, target: u8, nodes: &[u8]) {
    let known = cluster.held(1, curve).0[0].statement.clone();
    let (wallet_id, epoch, public_key) = (WALLET, known.epoch, known.public_key);
    let repair = Operation::Repair { wallet_id, curve, epoch, public_key, target, nodes: nodes.to_vec() };
    assert_eq!(Drive::honest(cluster, repair).finish().len(), nodes.len());
    assert!(!cluster.held(target, curve).2, "it signs after a refresh");
}

fn commit_all(cluster: &TestCluster, operation: Operation) {
    let outcomes = Drive::honest(cluster, operation).finish();
    let confirmation = |outcome| match outcome {
        Outcome::Key(confirmation) => confirmation,
        other => panic!("{other:?}"),
    };
    let confirmations: Vec<_> = outcomes.into_iter().map(confirmation).collect();
    for index in 1..=cluster.nodes.len() as u8 {
        assert!(matches!(cluster.commit(index, &confirmations), ResponseBody::Committed(_)));
    }
}

#[test]
fn two_of_five_machines_are_replaced_at_once() {
    for curve in [Curve::Ed25519, Curve::Secp256k1] {
        let mut cluster = TestCluster::of_size(3, 5);
        let (wallet_id, nodes) = (WALLET, vec![1, 2, 3, 4, 5]);
        commit_all(&cluster, Operation::GenerateKey { wallet_id, curve, threshold: 3, nodes: nodes.clone() });
        replace(&mut cluster, &[4, 5]);
        repair(&cluster, curve, 4, &[1, 2, 3, 4]);
        repair(&cluster, curve, 5, &[1, 2, 3, 5]);
        commit_all(&cluster, Operation::Refresh { wallet_id, curve, epoch: 1, nodes });
        for signers in [[1, 2, 3], [1, 4, 5], [2, 3, 5]] {
            Drive::honest(&cluster, signing(curve, &signers, &[], Payload::RawDigest([7; 32]))).finish();
        }
    }
}

/// The second one is lost before the share of the first was refreshed: its machine has to help.
#[test]
fn the_second_of_three_machines_is_lost_before_the_first_was_refreshed() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        replace(&mut cluster, &[3]);
        repair(&cluster, curve, 3, &[1, 2, 3]);
        replace(&mut cluster, &[2]);
        repair(&cluster, curve, 2, &[1, 2, 3]);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
}
