//! Makes the folders of three nodes those of nodes with many wallets: a few real keys, sealed anew by the nodes' own
//! code under the names of many wallets and confirmed by all; and a journal as so many generations and signatures leave
//! it.

use ed25519_dalek::SigningKey;
use mpc_node::crypto::seal::Seal;
use mpc_node::keys::children::Children;
use mpc_node::keys::key_material::KeyMaterial;
use mpc_node::keys::share::Share;
use mpc_node::policy::Charge;
use mpc_node::process::provision;
use mpc_node::storage::identity::read_identity;
use mpc_node::storage::journal::{Journal, Record};
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::key_statement::{Confirmation, KeyStatement};
use mpc_node::wire::{Curve, Id};
use redb::{ReadableTableMetadata, TableHandle};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

pub const CURVES: [Curve; 2] = [Curve::Secp256k1, Curve::Ed25519];
/// A used command is kept for so long past its expiry (`journal_tables`).
const KEPT_PAST_EXPIRY_MS: u64 = 3_600_000;
const HOUR_MS: u64 = 3_600_000;
/// Writers at once: their records share commits, as those of requests do.
const WRITERS: usize = 64;

pub fn hash(name: &str, number: usize) -> [u8; 32] {
    Sha256::digest(format!("{name} {number}")).into()
}

pub fn short(name: &str, number: usize) -> Id {
    hash(name, number)[..16].try_into().expect("16 bytes")
}

pub fn wallet(number: usize) -> Id {
    short("wallet", number)
}

fn node(directory: &Path, index: u8) -> PathBuf {
    directory.join(format!("node-{index}"))
}

fn seal(directory: &Path, index: u8) -> Seal {
    let text = std::fs::read_to_string(directory.join(format!("key-{index}"))).expect("a store key");
    let store_key = provision::parse_store_key(&text).expect("a store key");
    Seal::new(&store_key)
}

pub fn open_vault(directory: &Path, index: u8) -> Vault {
    Vault::open(node(directory, index).join("shares"), seal(directory, index), index).expect("a vault")
}

/// `samples`: the wallets of the real keys. Nothing runs in `directory` meanwhile.
pub fn fill_shares(directory: &Path, samples: &[Id], wallets: usize) {
    let identity = |index| read_identity(&node(directory, index), &seal(directory, index)).expect("an identity");
    let identities: Vec<SigningKey> = (1..=3).map(identity).collect();
    std::thread::scope(|scope| {
        for index in 1..=3 {
            let identities = &identities;
            scope.spawn(move || {
                let vault = open_vault(directory, index);
                let of = |sample: &Id, curve| {
                    let share = vault.share(*sample, curve).ok().flatten().expect("a real share");
                    (share.statement.clone(), share.material.to_bytes().expect("a share has bytes"))
                };
                let real: Vec<_> = samples.iter().flat_map(|sample| CURVES.map(|curve| of(sample, curve))).collect();
                for number in 0..wallets {
                    let (at, place) = (number % samples.len(), wallet(number));
                    for (statement, material) in &real[2 * at..2 * at + 2] {
                        let session_id = hash("session", number);
                        put(
                            &vault,
                            identities,
                            KeyStatement { wallet_id: place, session_id, ..statement.clone() },
                            material,
                        );
                    }
                }
            });
        }
    });
}

fn put(vault: &Vault, identities: &[SigningKey], statement: KeyStatement, material: &[u8]) {
    let confirm = |(at, key): (usize, &SigningKey)| Confirmation::sign(key, at as u8 + 1, statement.clone());
    let confirmations: Vec<_> = identities.iter().enumerate().map(confirm).collect();
    let material = KeyMaterial::from_bytes(statement.curve, material).expect("a share");
    let roster = statement.roster;
    let share = Share { statement, confirmations: vec![], material, signs: false, children: Children::default() };
    vault.commit(share, confirmations, &roster, |_| Ok(false)).expect("the share is written");
}

/// Files without content under the names of shares: what a start looks at.
pub fn add_names(directory: &Path, index: u8, numbers: Range<usize>) {
    for number in numbers {
        for curve in ["secp256k1", "ed25519"] {
            let name = format!("{}.{curve}.committed", hex::encode(wallet(number)));
            std::fs::write(node(directory, index).join("shares").join(name), []).expect("a file");
        }
    }
}

pub fn now_ms() -> u64 {
    UNIX_EPOCH.elapsed().expect("a clock").as_millis() as u64
}

/// As of commands that expired almost an hour ago: soon they are pruned. Answers when.
pub fn fill_journal(directory: &Path, index: u8, generations: usize, signatures: usize) -> u64 {
    let journal = Journal::open(&node(directory, index).join("journal.redb")).expect("a journal");
    let expires_at_ms = now_ms() - KEPT_PAST_EXPIRY_MS + 120_000;
    let charge = |name: &str, number: usize, window_ms: u64| Charge {
        window_start_ms: now_ms() / window_ms * window_ms,
        window_end_ms: (now_ms() / window_ms + 1) * window_ms,
        counter: hash(name, number),
        subject: short("operation", number),
        amount: 1,
        limit: u128::MAX,
        sentence: "never",
    };
    let write = |number: usize| {
        let signs = number >= generations;
        let operation_id = short("operation", number);
        let bindings = if signs { vec![(operation_id, hash("message", number))] } else { vec![] };
        // A rate of the hour and an amount of the day, of a wallet in ten thousand.
        let of_wallet = number % 10_000;
        let charges = vec![charge("hour", of_wallet, HOUR_MS), charge("day", of_wallet, 24 * HOUR_MS)];
        let charges = if signs { charges } else { vec![] };
        let (command_id, session_id) = (short("command", number), hash("session of a command", number));
        journal
            .write(Record::Begin {
                command_id,
                expires_at_ms,
                signed_after_ms: expires_at_ms - 120_000,
                session_id,
                bindings,
                charges,
            })
            .expect("it is written");
    };
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let write = &write;
            scope.spawn(move || (writer..generations + signatures).step_by(WRITERS).for_each(write));
        }
    });
    expires_at_ms + KEPT_PAST_EXPIRY_MS
}

/// Waits until the used commands are old enough, and lets as many commits pass as it takes to forget them.
pub fn prune_journal(directory: &Path, index: u8, from_ms: u64, commands: usize) {
    sleep(Duration::from_millis(from_ms.saturating_sub(now_ms()) + 1_000));
    let journal = Journal::open(&node(directory, index).join("journal.redb")).expect("a journal");
    (0..commands / 64 + 2)
        .for_each(|_| journal.write(Record::Restored { at_ms: 0, floor_ms: 0 }).expect("it is written"));
}

pub fn print_journal(directory: &Path, index: u8, when: &str) {
    let path = node(directory, index).join("journal.redb");
    let file_bytes = std::fs::metadata(&path).expect("a journal").len();
    let database = redb::Database::open(&path).expect("a journal");
    let read = database.begin_read().expect("a journal");
    println!("journal {when}: the file has {:.1} MB", file_bytes as f64 / 1e6);
    for table in read.list_tables().expect("tables") {
        let name = table.name().to_string();
        let table = read.open_untyped_table(table).expect("a table");
        let (rows, stats) = (table.len().expect("rows"), table.stats().expect("statistics"));
        if rows > 100 {
            let bytes = stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes();
            println!("  {name}: {rows} rows, {:.1} MB with its pages' slack", bytes as f64 / 1e6);
        }
    }
}
