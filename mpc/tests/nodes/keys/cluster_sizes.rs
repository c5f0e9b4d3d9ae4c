//! Goal: a cluster file that speaks of another threshold or number of nodes than the keys have is found at the start,
//! and not when a signature is needed. Method: change the one or the other under nodes that hold keys.

use crate::support::fixture::*;
use mpc_node::process::provision;
use serde_json::{json, Value};

fn start_with(change: impl FnOnce(&TestCluster, &mut Value)) -> Result<(), String> {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let path = cluster.directory.join("cluster.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    change(&cluster, &mut file);
    std::fs::write(&path, file.to_string()).unwrap();
    cluster.try_open(1).map(drop)
}

#[test]
fn another_threshold_or_number_of_nodes_than_the_keys_have_is_refused_at_the_start() {
    assert_eq!(start_with(|_, _| {}), Ok(()));
    let threshold = start_with(|_, file| file["threshold"] = json!(3)).unwrap_err();
    assert!(threshold.contains("lets 3 of 3 nodes sign, and keys here are of 2 of 3"), "{threshold}");
    let fewer = start_with(|_, file| drop(file["nodes"].as_array_mut().unwrap().pop())).unwrap_err();
    assert!(fewer.contains("lets 2 of 2 nodes sign, and keys here are of 2 of 3"), "{fewer}");
    let more = start_with(|cluster, file| {
        let added = provision::init_node(&cluster.directory.join("node-4"), 4, &cluster.directory.join("key-4"));
        file["nodes"].as_array_mut().unwrap().push(added.unwrap());
    });
    assert!(more.unwrap_err().contains("lets 2 of 4 nodes sign, and keys here are of 2 of 3"));
}
