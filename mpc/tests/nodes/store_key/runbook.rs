//! Goal: the runbook's way to change a store key does what it says. Method: its block is read out of RUNBOOK.md and run
//! as it stands there, in a folder with a node.

use crate::processes::BINARY;
use crate::support::fixture::*;
use mpc_node::wire::Curve;
use std::path::Path;
use std::process::Command;

/// The only block of the section.
fn block() -> String {
    let runbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../RUNBOOK.md");
    let text = std::fs::read_to_string(runbook).unwrap();
    let section = text.split("\n### Change the store key of a node\n").nth(1).expect("the section is there");
    let section = section.split("\n### ").next().unwrap();
    let blocks: Vec<&str> = section.split("```sh\n").skip(1).collect();
    assert_eq!(blocks.len(), 1);
    blocks[0].split("```").next().unwrap().to_string()
}

#[test]
fn the_block_of_the_runbook_changes_the_store_key_also_where_it_was_cut_off() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let folder = cluster.directory.clone();
    std::fs::rename(folder.join("key-1"), folder.join("node-1.key")).unwrap();
    let old = std::fs::read(folder.join("node-1.key")).unwrap();
    let programs = Path::new(BINARY).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let follow = |commands: &str| {
        Command::new("sh").args(["-e", "-c", commands]).current_dir(&folder).env("PATH", &path).output().unwrap()
    };
    // First it ends behind the rotation, before the new file has the name of the old one.
    let only_rotated = block().replace("mv ", "exit 9; mv ");
    assert_eq!(follow(&only_rotated).status.code(), Some(9));
    let done = follow(&block());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(String::from_utf8(done.stdout).unwrap().contains("rotated_before"));
    assert_ne!(std::fs::read(folder.join("node-1.key")).unwrap(), old);
    std::fs::rename(folder.join("node-1.key"), folder.join("key-1")).unwrap();
    cluster.restart(1);
    cluster.every_quorum_signs(Curve::Ed25519);
}
