//! Goal: a ban that the disk does not take is in force all the same, and on disk as soon as it takes one. Method: the
//! journal's file is made read-only under a running node, in its place among the open files.
#![cfg(target_os = "linux")]

use crate::bans::{attack, command, corrupt_extension, SECP};
use crate::support::fixture::*;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;

/// Until the returned file is dropped, which holds the journal's lock, nothing can be written.
fn no_more_writes(journal: &Path) -> File {
    let mut open = std::fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().path());
    let found = open.find(|path| std::fs::read_link(path).is_ok_and(|to| to == journal)).expect("the journal is open");
    let journal_fd = found.file_name().unwrap().to_str().unwrap().parse().unwrap();
    let readable = File::open(journal).unwrap();
    // SAFETY: plain calls on descriptors that are open.
    unsafe {
        let writable = File::from_raw_fd(libc::dup(journal_fd));
        assert_eq!(libc::dup2(readable.as_raw_fd(), journal_fd), journal_fd);
        writable
    }
}

#[test]
fn a_ban_that_cannot_be_written_holds_and_is_written_later() {
    let mut cluster = TestCluster::with_keys();
    let journal = cluster.node_directory(1).join("journal.redb");
    let writable = std::cell::RefCell::new(None);
    let verdicts = attack(&cluster, &[], |round, peer, message| {
        // The session has begun: what it writes next is the ban.
        writable.borrow_mut().get_or_insert_with(|| no_more_writes(&journal));
        corrupt_extension(round, peer, message);
    });
    assert_refused(&verdicts[&1], Internal);
    let again = |cluster: &TestCluster| cluster.ask(1, cluster.signed(&command(cluster, &[])));
    assert!(matches!(again(&cluster), ResponseBody::Refused(_)));
    cluster.node(1).sweep();
    drop(writable);
    assert!(matches!(again(&cluster), ResponseBody::Refused(_)));
    cluster.node(1).sweep();
    assert_refused_by(&again(&cluster), Banned, 3);
    cluster.restart(1);
    assert_refused_by(&again(&cluster), Banned, 3);
}

/// What it says of its journal is what a crash would leave: else it were taken for one whose disk was set back.
#[test]
fn what_could_not_be_written_is_not_said() {
    let cluster = TestCluster::with_keys();
    let said = marks_of(cluster.node(1)).remove(0);
    let writable = no_more_writes(&cluster.node_directory(1).join("journal.redb"));
    let mut drive = crate::support::drive::Drive::opened(&cluster, cluster.command(raw(SECP, &[1, 2])), None);
    drive.start();
    assert_refused(&drive.answers[&1], Internal);
    assert_eq!(marks_of(cluster.node(1)).remove(0), said);
    drop(writable);
    cluster.node(1).sweep();
    crate::support::drive::Drive::honest(&cluster, raw(SECP, &[1, 2])).finish();
    assert!(marks_of(cluster.node(1)).remove(0).progress.is_beyond(&said.progress));
}

/// As after a disk that was full: the node needs no restart.
#[test]
fn a_node_whose_journal_failed_once_signs_again() {
    let cluster = TestCluster::with_keys();
    let writable = no_more_writes(&cluster.node_directory(1).join("journal.redb"));
    let mut drive = crate::support::drive::Drive::opened(&cluster, cluster.command(raw(SECP, &[1, 2])), None);
    drive.start();
    assert_refused(&drive.answers[&1], Internal);
    drop(writable);
    cluster.node(1).sweep();
    crate::support::drive::Drive::honest(&cluster, raw(SECP, &[1, 2])).finish();
}
