//! Goal: a start takes no longer for ten thousand wallets than for ten, and still ends what a crash cut short. Method:
//! shares that are pipes to which nobody writes, so that who opens one of them waits for ever; a share that a crash
//! left behind.

use crate::processes::processes::Processes;
use crate::processes::{connect, signing as sign_in_processes, BINARY};
use crate::support::fixture::*;
use mpc_node::crypto::seal::Seal;
use mpc_node::keys::children::CHILDREN_BYTES;
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::*;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const WALLETS: u32 = 2_000;
/// Keys at each end whose files the start reads, at most.
const SIZES_LOOKED_AT: u32 = 16;

fn make_pipe(path: &Path) {
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a string that ends with a zero and outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
}

fn prepared(shares: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(shares).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "prepared")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_opens_few_shares_and_those_that_a_crash_left() {
    let directory = temporary();
    let mut processes = Processes::start(Path::new(BINARY), &directory);
    let (wallet_id, curve) = (id(), Curve::Ed25519);
    let orchestrator = connect(&processes).await;
    let outcomes = orchestrator.run(generation(wallet_id, curve)).await;
    let shares = directory.join("node-1/shares");
    let left = prepared(&shares).remove(0);
    let bytes = std::fs::read(&left).unwrap();
    let confirmations: Vec<_> = outcomes
        .into_iter()
        .map(|outcome| match outcome {
            Outcome::Key(confirmation) => confirmation,
            other => panic!("{other:?}"),
        })
        .collect();
    orchestrator.all(&[1, 2, 3], |_| RequestBody::Commit { confirmations: confirmations.clone() }).await;
    processes.kill(1);
    std::fs::write(&left, bytes).unwrap();
    let pipe = directory.join("pipe");
    make_pipe(&pipe);
    for wallet in 0..WALLETS {
        // As after a restore, one in ten has not been refreshed yet.
        let state = if wallet % 10 == 0 { "unrefreshed" } else { "committed" };
        for curve in ["secp256k1", "ed25519"] {
            let share = shares.join(format!("{wallet:032x}.{curve}.{state}"));
            // Of the first and the last it reads of how many nodes they are; whatever else it opened would block it.
            let is_looked_at = wallet < SIZES_LOOKED_AT || wallet >= WALLETS - SIZES_LOOKED_AT;
            let made = if is_looked_at { std::fs::write(&share, []) } else { std::fs::hard_link(&pipe, &share) };
            made.unwrap();
        }
    }

    let (ready, is_ready) = channel();
    std::thread::spawn(move || {
        processes.restart(1);
        let _ = ready.send(processes);
    });
    let processes = is_ready.recv_timeout(Duration::from_secs(20)).expect("the start opens shares");
    let orchestrator = connect(&processes).await;
    let answers = orchestrator.all(&[1], |_| RequestBody::Health).await;
    let ResponseBody::Health(health) = &answers[0] else { panic!("{answers:?}") };
    assert_eq!(health.keys, 2 * WALLETS + 1);
    let since = Instant::now();
    while left.exists() {
        assert!(since.elapsed() < Duration::from_secs(10), "what the crash left is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    orchestrator.run(sign_in_processes(wallet_id, curve, [1, 2])).await;
    drop(processes);
    std::fs::remove_dir_all(directory).unwrap();
}

/// What the bound of the cache counts is not less than what the share is.
#[test]
fn a_share_counts_as_what_it_takes() {
    let cluster = TestCluster::with_keys();
    let shares = cluster.node_directory(1).join("shares");
    let vault = Vault::open(shares.clone(), Seal::new(&cluster.store_key(1)), 1).unwrap();
    for (curve, name) in CURVES.into_iter().zip(["secp256k1", "ed25519"]) {
        let file_bytes =
            std::fs::metadata(shares.join(format!("{}.{name}.committed", hex::encode(WALLET)))).unwrap().len();
        let counted = vault.share(WALLET, curve).unwrap().unwrap().size_bytes() as u64;
        let most = file_bytes + 2048 + CHILDREN_BYTES as u64;
        assert!((file_bytes..most).contains(&counted), "{curve:?}: {counted} for {file_bytes}");
    }
}
