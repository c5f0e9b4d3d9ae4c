//! Goal: a node that was taken off the cluster file is refused by its peers, share, identity and session under way
//! notwithstanding (control K4). Method: its place is given to another identity; it goes on as a rogue that follows the
//! protocol in everything.

use crate::drive::Drive;
use crate::fixture::*;
use crate::rogue::Rogue;
use mpc_node::enrol;
use mpc_node::refusal::RefusalCode::*;
use mpc_node::wire::*;
use serde_json::Value;

/// Node 3's place goes to a new identity; the peers learn of it by a restart, which is what it takes.
pub fn replace_node_3(cluster: &mut TestCluster) {
    let path = cluster.directory.join("cluster.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let replacement = cluster.directory.join("replacement");
    file["nodes"][2] = enrol::init_node(&replacement, 3, &cluster.directory.join("replacement-key")).unwrap();
    std::fs::write(&path, file.to_string()).unwrap();
    (1..=2).for_each(|index| cluster.restart(index));
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
        assert_refused(&cluster.ask(1, cluster.signed(&old_command)), Unauthorized);
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
