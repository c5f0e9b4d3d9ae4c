//! Goal: no bytes from outside make a node panic, and what it refuses changes nothing. Method: real frames, commands,
//! round messages and files, mutated; a mutant that a seal or a signature would stop is sealed or signed again. Panics
//! are counted where they happen, before the node catches them. `FUZZ_SEED` repeats a run, `FUZZ_ROUNDS` makes it
//! longer.

mod files;
mod frames;
mod rounds;

use crate::hostile::Random;
use crate::support::fixture::*;
use mpc_node::wire::refusal::RefusalCode;
use mpc_node::wire::*;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::sync::Once;

thread_local! {
    /// Of this thread: other tests panic on purpose.
    static PANICS: Cell<u32> = const { Cell::new(0) };
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// `rounds` times, or a multiple of it. A seed is of one test.
fn fuzz(rounds: u64, mut test: impl FnMut(&mut Random, u64)) {
    static COUNT: Once = Once::new();
    COUNT.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.set(PANICS.get() + 1);
            tell(panic);
        }));
    });
    let seed = number("FUZZ_SEED").unwrap_or_else(|| u64::from_le_bytes(id()[..8].try_into().unwrap()));
    println!("FUZZ_SEED={seed}");
    let mut random = Random(seed);
    for round in 0..rounds * number("FUZZ_ROUNDS").unwrap_or(1) {
        test(&mut random, round);
        assert_eq!(PANICS.get(), 0, "round {round}");
    }
}

fn below(random: &mut Random, bound: usize) -> usize {
    random.next() as usize % bound.max(1)
}

/// One to three small changes: bits, cuts, repetitions, and numbers that are too large.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    const ODD: [&[u8]; 5] = [&[0xff; 8], &[0x80; 5], &[0xff, 0xff, 0xff, 0x7f], &[0; 4], &[0x81, 0]];
    for _ in 0..random.up_to(3) {
        let at = below(random, bytes.len());
        match random.next() % 9 {
            0 => bytes.truncate(at),
            1 => bytes.push(random.next() as u8),
            2 => drop(bytes.splice(at..at, ODD[below(random, ODD.len())].iter().copied())),
            3 => {
                let end = (at + below(random, 40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let odd = ODD[below(random, ODD.len())];
                let end = (at + odd.len()).min(bytes.len());
                bytes[at..end].copy_from_slice(&odd[..end - at]);
            }
            5 if !bytes.is_empty() => drop(bytes.remove(at)),
            6 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            _ if !bytes.is_empty() => bytes[at] ^= 1 << below(random, 8),
            _ => {}
        }
    }
}

#[track_caller]
fn not_internal(answer: &ResponseBody) {
    if let ResponseBody::Refused(refusal) = answer {
        assert_ne!(refusal.code, RefusalCode::Internal, "{}", refusal.detail);
    }
}

/// What a refusal must leave as it is: keys, bans, marks, checkpoints, and every file of the shares.
fn state(cluster: &TestCluster, node: u8) -> [u8; 32] {
    let mut hash = Sha256::new();
    match cluster.ask(node, RequestBody::Health) {
        ResponseBody::Health(health) => hash.update(encode(&(health.keys, health.bans, health.marks, health.set_back))),
        other => panic!("{other:?}"),
    }
    for list in [CheckpointList::Newest, CheckpointList::FirstOfDays] {
        hash.update(encode(&cluster.ask(node, RequestBody::Checkpoints { list, after: None })));
    }
    let files = std::fs::read_dir(cluster.node_directory(node).join("shares")).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        hash.update(path.to_str().unwrap());
        hash.update(std::fs::read(path).unwrap());
    }
    hash.finalize().into()
}
