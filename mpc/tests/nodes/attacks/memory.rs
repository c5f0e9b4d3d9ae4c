//! Goal: what is over is not in the memory of a node: shares before a refresh, the store key as text. Method: the heap
//! of the process, read from outside. Stacks are not looked at: nobody wipes them.

use super::child::Child;
use crate::keys::refresh::share;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::*;
use std::collections::HashSet;
use std::os::unix::fs::FileExt;

/// All that the program's allocator has of the system: the heap and the arenas of threads. `None` where this user may
/// not read the memory of a process that has forbidden it.
fn heap(process: u32) -> Option<Vec<u8>> {
    let memory = std::fs::File::open(format!("/proc/{process}/mem")).ok()?;
    let mappings = std::fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let mut heap = vec![];
    for mapping in mappings.lines() {
        let fields: Vec<_> = mapping.split_whitespace().collect();
        let (from, to) = fields[0].split_once('-').unwrap();
        let [from, to] = [from, to].map(|address| u64::from_str_radix(address, 16).unwrap());
        // An arena is mapped at a multiple of its size, and a stack is not; large blocks go back to the system.
        let arena = fields.len() == 5 && from % (64 << 20) == 0;
        if fields[1] == "rw-p" && (arena || fields.last() == Some(&"[heap]")) {
            let mut bytes = vec![0; (to - from) as usize];
            memory.read_exact_at(&mut bytes, from).ok()?;
            heap.extend(bytes);
        }
    }
    Some(heap)
}

type Piece = [u8; 16];

/// Of a share as it is written: what of it lies in memory byte for byte, which is most of what it has with its peers.
fn pieces(cluster: &TestCluster, curve: Curve) -> HashSet<Piece> {
    let written = share(cluster, 1, curve).material.to_bytes().unwrap();
    let pieces = written.chunks_exact(64).map(|chunk| Piece::try_from(&chunk[..16]).unwrap());
    pieces.filter(|piece| piece.iter().collect::<HashSet<_>>().len() > 10).collect()
}

fn found(heap: &[u8], pieces: &HashSet<Piece>) -> usize {
    let begin: HashSet<[u8; 2]> = pieces.iter().map(|piece| [piece[0], piece[1]]).collect();
    let mut begins = vec![false; 1 << 16];
    begin.into_iter().for_each(|begin| begins[usize::from(u16::from_ne_bytes(begin))] = true);
    let likely = heap.windows(16).filter(|at| begins[usize::from(u16::from_ne_bytes([at[0], at[1]]))]);
    likely.filter_map(|at| pieces.get(at)).collect::<HashSet<_>>().len()
}

#[test]
fn what_is_over_is_not_in_memory() {
    let curve = Curve::Secp256k1;
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let child = Child::serve(&cluster, 1);
    let look = |what: &HashSet<Piece>| heap(child.id()).map(|heap| found(&heap, what));
    let store_key = std::fs::read(cluster.directory.join("key-1")).unwrap();
    let store_key = HashSet::from([Piece::try_from(&store_key[..16]).unwrap()]);
    let Some(keys) = look(&store_key) else {
        println!("The memory of a node cannot be read by this user: not looked at.");
        return;
    };
    assert_eq!(keys, 0, "the store key as it was read");
    let session = |operation| {
        let mut drive = Drive::opened(&cluster, cluster.command(operation), Some((1, Box::new(&child))));
        drive.start();
        drive.finish()
    };
    let old = pieces(&cluster, curve);
    session(raw(curve, &[1, 2]));
    let used = look(&old).unwrap();
    assert!(used * 4 > old.len(), "a share that is in use is in memory: {used} of {}", old.len());
    let outcomes = session(refreshing(curve, 1)).into_iter();
    let all = outcomes.map(|outcome| match outcome {
        Outcome::Key(confirmation) => confirmation,
        other => panic!("{other:?}"),
    });
    let confirmations: Vec<_> = all.collect();
    cluster.commit(2, &confirmations);
    assert!(matches!(child.ask(RequestBody::Commit { confirmations }), ResponseBody::Committed(_)));
    session(raw(curve, &[1, 2]));
    let over = look(&old).unwrap();
    println!("{used} of {} pieces while the share was in use, {over} afterwards", old.len());
    assert_eq!(over, 0, "of {used} pieces");
}
