//! Goal: a node that was taken off the cluster file is refused by its peers, share, identity and session under way
//! notwithstanding, and what then still signs (control K4). Method: its place is given to another identity; it goes on
//! as a rogue that follows the protocol in everything. That nodes see the new file by themselves is in `cluster_file`.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use crate::support::rogue::Rogue;
use mpc_node::handlers::node::Node;
use mpc_node::policy::Policy;
use mpc_node::process::provision;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use serde_json::Value;

/// Node 3's place goes to what lies in a folder of this name; the peers run on the new file.
fn replace_node_3_by(cluster: &mut TestCluster, folder: &str) {
    let path = cluster.directory.join("cluster.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let store_key = cluster.directory.join(format!("{folder}-key"));
    file["nodes"][2] = provision::init_node(&cluster.directory.join(folder), 3, &store_key).unwrap();
    std::fs::write(&path, file.to_string()).unwrap();
    (1..=2).for_each(|index| cluster.restart(index));
}

pub fn replace_node_3(cluster: &mut TestCluster) {
    replace_node_3_by(cluster, "replacement");
}

/// The new machine takes the place of node 3 among the test's nodes.
pub fn start_replacement(cluster: &mut TestCluster) {
    cluster.stop(3);
    std::fs::remove_dir_all(cluster.node_directory(3)).unwrap();
    std::fs::rename(cluster.directory.join("replacement"), cluster.node_directory(3)).unwrap();
    std::fs::rename(cluster.directory.join("replacement-key"), cluster.directory.join("key-3")).unwrap();
    cluster.restart(3);
}

#[test]
fn a_removed_node_is_refused_and_the_others_sign() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let old_command = cluster.command(raw(curve, &[1, 2]));
        replace_node_3(&mut cluster);
        // The key knows node 3 under an identity that is no more, whoever speaks for node 3 now.
        assert_refused_by(&cluster.ask(1, cluster.signed(&cluster.command(raw(curve, &[1, 3])))), NeedsRefresh, 3);
        // In a session that a new machine may take part in, the removed one shows by its hello.
        let removed = Rogue::boxed(&cluster, 3, Some(curve), |_, _, _| {});
        let drive = Drive::with(&cluster, cluster.command(refreshing(curve, 1)), Some(removed));
        assert_refused_by(&drive.answers[&1], Unauthorized, 3);
        drop(drive);
        // A command of before is for another roster, and the share of the removed one is not needed.
        assert_refused(&cluster.ask(1, cluster.signed(&old_command)), RosterMismatch);
        Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
    }
}

#[test]
fn a_session_that_is_under_way_with_it_ends() {
    for curve in CURVES {
        let mut cluster = TestCluster::with_keys();
        let removed = Rogue::boxed(&cluster, 3, Some(curve), |_, _, _| {});
        let drive = Drive::with(&cluster, cluster.command(raw(curve, &[1, 3])), Some(removed));
        let (mail, command_id) = (drive.mail(), drive.command.command_id);
        drop(drive);
        replace_node_3(&mut cluster);
        let body = RequestBody::Continue { command_id, round: 2, inbound: mail[&1].clone() };
        assert_refused(&cluster.ask(1, body), UnknownSession);
    }
}

#[test]
fn the_removed_node_itself_does_not_start_on_the_new_file() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(3);
    replace_node_3(&mut cluster);
    assert!(cluster.try_start(3).err().unwrap().contains("another identity key"));
}

#[test]
fn a_replacement_without_the_shares_has_no_key_of_before_and_those_with_a_share_sign() {
    let mut cluster = TestCluster::with_keys();
    replace_node_3(&mut cluster);
    let text = std::fs::read_to_string(cluster.directory.join("replacement-key")).unwrap();
    let store_key = *provision::parse_store_key(&text).unwrap();
    let directory = cluster.directory.join("replacement");
    let policy = Policy::parse(&cluster.policy).unwrap();
    let node = Node::open(&directory, 3, cluster.cluster_file(), &store_key, cluster.limits, policy);
    cluster.nodes[2] = Some(node.unwrap());
    cluster.carry_marks();
    let curve = Curve::Ed25519;
    let signed = cluster.signed(&cluster.command(raw(curve, &[1, 3])));
    assert_refused(&cluster.ask(3, signed), UnknownWallet);
    Drive::honest(&cluster, raw(curve, &[1, 2])).finish();
    // A key of after is held by all three.
    cluster.generate_and_commit(id(), curve);
}

#[test]
fn a_node_with_a_new_identity_and_its_old_shares_signs_once_they_are_refreshed() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(3);
    for name in ["identity.key", "tls.key", "tls.crt"] {
        std::fs::remove_file(cluster.node_directory(3).join(name)).unwrap();
    }
    std::fs::rename(cluster.directory.join("key-3"), cluster.directory.join("node-3-key")).unwrap();
    replace_node_3_by(&mut cluster, "node-3");
    std::fs::rename(cluster.directory.join("node-3-key"), cluster.directory.join("key-3")).unwrap();
    cluster.restart(3);
    for curve in CURVES {
        assert_refused_by(&cluster.ask(1, cluster.signed(&cluster.command(raw(curve, &[1, 3])))), NeedsRefresh, 3);
        cluster.refresh_and_commit(curve, 1);
        cluster.every_quorum_signs(curve);
    }
}
