//! What lies on a disk: share files, backups, rows of the journal, the files that an operator writes.

use super::{fuzz, mutate};
use crate::backup::{backed_up, backup_key, source};
use crate::hostile::POLICY;
use crate::keys::refresh::{committed_path, data_key_path};
use crate::support::drive::Drive;
use crate::support::fixture::*;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::XChaCha20Poly1305;
use mpc_node::cluster::Cluster;
use mpc_node::crypto::seal::Seal;
use mpc_node::policy::Policy;
use mpc_node::process::backup::restore;
use mpc_node::process::provision;
use mpc_node::process::repair_commands::sign_repairs;
use mpc_node::storage::journal::{Journal, Record};
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::refusal::RefusalCode::ShareUnreadable;
use mpc_node::wire::*;
use redb::{ReadableTable, TableDefinition};
use sha2::Sha256;
use x25519_dalek::{PublicKey, StaticSecret};

/// As they lie there, and with their content mutated under the right store key, name and epoch.
#[test]
fn share_files() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let store_key = cluster.store_key(1);
    let store = XChaCha20Poly1305::new(&store_key.into());
    for curve in CURVES {
        let path = committed_path(&cluster, 1, curve);
        let good = std::fs::read(&path).unwrap();
        let session_id: [u8; 32] = good[5..37].try_into().unwrap();
        let wrapped = std::fs::read(data_key_path(&cluster, 1, curve)).unwrap();
        let aad = encode(&("countersign/v1/data-key", 1u8, WALLET, curve, 1u8, session_id));
        let nonce: [u8; 24] = wrapped[1..25].try_into().unwrap();
        let data_key = store.decrypt(&nonce.into(), Payload { msg: &wrapped[25..], aad: &aad }).unwrap();
        let cipher = XChaCha20Poly1305::new_from_slice(&data_key).unwrap();
        let aad = encode(&("countersign/v1/share", 2u8, WALLET, curve, 1u8, 0u32, session_id, None::<[u8; 32]>));
        let nonce: [u8; 24] = good[37..61].try_into().unwrap();
        let content = cipher.decrypt(&nonce.into(), Payload { msg: &good[61..], aad: &aad }).unwrap();
        let mut opened = 0;
        fuzz(150, |random, round| {
            let file = if round % 4 == 0 {
                let mut file = good.clone();
                mutate(random, &mut file);
                file
            } else {
                // The statement, which opens it, is a small part of the bytes and gets half of the mutants.
                let (head, tail) = content.split_at(if round % 2 == 0 { content.len() } else { 160 });
                let mut head = head.to_vec();
                mutate(random, &mut head);
                let content = [&head, tail].concat();
                let sealed = cipher.encrypt(&nonce.into(), Payload { msg: &content, aad: &aad }).unwrap();
                [&good[..61], &sealed].concat()
            };
            std::fs::write(&path, &file).unwrap();
            let vault = Vault::open(path.parent().unwrap().to_path_buf(), Seal::new(&store_key), 1).unwrap();
            match vault.share(WALLET, curve) {
                // Of the right key nevertheless: a confirmation's signature, for one, is not the vault's to check.
                Ok(share) => {
                    let statement = &share.unwrap().statement;
                    assert_eq!((statement.wallet_id, statement.curve, statement.epoch), (WALLET, curve, 0));
                    opened += 1;
                }
                Err(refused) => assert_eq!(refused.code, ShareUnreadable),
            }
            assert_eq!(std::fs::read(&path).unwrap(), file, "it is not overwritten");
        });
        println!("{opened} opened all the same");
        std::fs::write(&path, &good).unwrap();
    }
}

/// PROTOCOL.md's sealed stream in one chunk's worth of code: what an attacker who knows the public key can write.
fn sealed(recipient: [u8; 32], content: &[u8]) -> Vec<u8> {
    const MAGIC: &[u8] = b"countersign/v1/backup\n";
    let secret = StaticSecret::from([9; 32]);
    let ephemeral = PublicKey::from(&secret);
    let shared = secret.diffie_hellman(&PublicKey::from(recipient));
    let salt = [ephemeral.to_bytes(), recipient].concat();
    let mut key = [0; 32];
    hkdf::Hkdf::<Sha256>::new(Some(&salt), shared.as_bytes()).expand(MAGIC, &mut key).unwrap();
    let cipher = XChaCha20Poly1305::new(&key.into());
    let mut file = [MAGIC, ephemeral.as_bytes()].concat();
    let chunks: Vec<&[u8]> = content.chunks(64 * 1024).collect();
    for (number, chunk) in chunks.iter().enumerate() {
        let mut nonce = [0; 24];
        nonce[15..23].copy_from_slice(&(number as u64).to_be_bytes());
        nonce[23] = u8::from(number + 1 == chunks.len());
        file.extend(cipher.encrypt(&nonce.into(), *chunk).unwrap());
    }
    file
}

fn unsealed(key: &StaticSecret, file: &[u8]) -> Vec<u8> {
    const MAGIC: &[u8] = b"countersign/v1/backup\n";
    let ephemeral: [u8; 32] = file[MAGIC.len()..MAGIC.len() + 32].try_into().unwrap();
    let salt = [ephemeral, PublicKey::from(key).to_bytes()].concat();
    let shared = key.diffie_hellman(&PublicKey::from(ephemeral));
    let mut derived = [0; 32];
    hkdf::Hkdf::<Sha256>::new(Some(&salt), shared.as_bytes()).expand(MAGIC, &mut derived).unwrap();
    let cipher = XChaCha20Poly1305::new(&derived.into());
    let mut content = vec![];
    let chunks: Vec<&[u8]> = file[MAGIC.len() + 32..].chunks(64 * 1024 + 16).collect();
    for (number, chunk) in chunks.iter().enumerate() {
        let mut nonce = [0; 24];
        nonce[15..23].copy_from_slice(&(number as u64).to_be_bytes());
        nonce[23] = u8::from(number + 1 == chunks.len());
        content.extend(cipher.decrypt(&nonce.into(), *chunk).unwrap());
    }
    content
}

#[test]
fn backups() {
    let mut cluster = TestCluster::with_keys();
    let backup = backed_up(&mut cluster, 2);
    let (key_file, public_key) = backup_key(&cluster);
    let key = provision::read_backup_key(&key_file).unwrap();
    let good = std::fs::read(&backup).unwrap();
    let content = unsealed(&key, &good);
    // Where the entries are: most of the bytes are shares and journal, so the heads get their own part of the mutants.
    let head = 700;
    let cluster_file = cluster.cluster_file();
    let (directory, from) = (cluster.directory.join("restored"), cluster.directory.join("mutant"));
    fuzz(40, |random, round| {
        let file = match round % 4 {
            0 => {
                let mut file = good.clone();
                mutate(random, &mut file);
                file
            }
            1 => {
                let mut content = content.clone();
                mutate(random, &mut content);
                sealed(public_key, &content)
            }
            _ => {
                let mut start = content[..head].to_vec();
                mutate(random, &mut start);
                sealed(public_key, &[&start, &content[head..]].concat())
            }
        };
        std::fs::write(&from, file).unwrap();
        let restored =
            restore(&directory, &cluster.directory.join("restored-key"), &source(&from, &key, &cluster_file));
        assert_eq!(restored.is_ok(), directory.join("identity.key").exists(), "without an identity nothing is served");
        let _ = std::fs::remove_dir_all(&directory);
    });
}

const BANS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("bans");
const MARKS: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("marks");
const PROGRESS: TableDefinition<&str, &[u8]> = TableDefinition::new("progress");
const ROSTERS: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("rosters");

/// What it has written itself of marks, and of its own progress: a row that cannot be read is none, and a node that has
/// forgotten how far it was is one that was set back.
#[test]
fn mark_rows() {
    let mut cluster = TestCluster::with_keys();
    Drive::honest(&cluster, raw(Curve::Ed25519, &[1, 2])).finish();
    cluster.carry_marks();
    let own = marks_of(cluster.node(1)).remove(0).progress;
    let kept = marks_of(cluster.node(2));
    cluster.stop(1);
    let path = cluster.node_directory(1).join("journal.redb");
    let good = std::fs::read(&path).unwrap();
    fuzz(40, |random, round| {
        std::fs::write(&path, &good).unwrap();
        let journal = redb::Database::open(&path).unwrap();
        let write = journal.begin_write().unwrap();
        if round % 2 == 0 {
            let mut marks = write.open_table(MARKS).unwrap();
            let (key, mut row) = marks.first().unwrap().map(|(key, row)| (*key.value(), row.value().to_vec())).unwrap();
            mutate(random, &mut row);
            marks.insert(&key, row.as_slice()).unwrap();
        } else {
            let mut progress = write.open_table(PROGRESS).unwrap();
            let mut row = progress.get("own").unwrap().unwrap().value().to_vec();
            mutate(random, &mut row);
            progress.insert("own", row.as_slice()).unwrap();
        }
        write.commit().unwrap();
        drop(journal);
        let node = cluster.try_open(1).unwrap();
        tell(&node, kept.clone());
        let ResponseBody::Health(health) = node.handle(Request { id: 1, body: RequestBody::Health }).body else {
            unreachable!()
        };
        let said = health.mark.progress;
        assert!(round % 2 == 1 || !health.set_back);
        assert!(health.set_back || !own.is_beyond(&said), "{said:?}");
    });
}

/// A ban that cannot be read stops the start, rather than being none; a roster that cannot be read knows nobody.
#[test]
fn journal_rows() {
    let mut cluster = TestCluster::with_keys();
    cluster.stop(1);
    let path = cluster.node_directory(1).join("journal.redb");
    let ban = Ban { root_public_key: vec![2; 33], peer: 3, generation: 0, at_ms: 1 };
    Journal::open(&path).unwrap().write(Record::Ban { ban: ban.clone(), identity: [7; 32] }).unwrap();
    let good = std::fs::read(&path).unwrap();
    let confirmations = {
        cluster.restart(2);
        match cluster.key_state(2, Curve::Ed25519) {
            ResponseBody::KeyState(KeyState::Committed(all)) => all,
            other => panic!("{other:?}"),
        }
    };
    fuzz(60, |random, round| {
        std::fs::write(&path, &good).unwrap();
        let journal = redb::Database::open(&path).unwrap();
        let write = journal.begin_write().unwrap();
        let mut row;
        if round % 2 == 0 {
            let mut bans = write.open_table(BANS).unwrap();
            let (key, value) =
                bans.first().unwrap().map(|(key, value)| (key.value().to_vec(), value.value().to_vec())).unwrap();
            row = value;
            mutate(random, &mut row);
            bans.insert(key.as_slice(), row.as_slice()).unwrap();
        } else {
            let mut rosters = write.open_table(ROSTERS).unwrap();
            let (key, value) =
                rosters.first().unwrap().map(|(key, value)| (*key.value(), value.value().to_vec())).unwrap();
            row = value;
            mutate(random, &mut row);
            rosters.insert(&key, row.as_slice()).unwrap();
        }
        write.commit().unwrap();
        drop(journal);
        match cluster.try_start(1) {
            Ok(node) => {
                let asked = |body| node.handle(Request { id: 1, body }).body;
                if round % 2 == 0 {
                    let ResponseBody::Health(health) = asked(RequestBody::Health) else { unreachable!() };
                    assert_eq!(Some(&health.bans[0]), decode(&row).as_ref());
                }
                // The present roster is written anew at every start.
                let answer = asked(RequestBody::Commit { confirmations: confirmations.clone() });
                assert!(matches!(answer, ResponseBody::Committed(_)), "{answer:?}");
            }
            Err(_) => assert!(round % 2 == 0 && decode::<Ban>(&row).is_none()),
        }
    });
}

/// Written by an operator, or by what an operator runs.
#[test]
fn texts() {
    let cluster = TestCluster::new();
    let read = |name: &str| std::fs::read_to_string(cluster.directory.join(name)).unwrap();
    let (file, pem) = (read("cluster.json"), read("orchestrator/command.key"));
    let key = provision::read_signing_key(&cluster.directory.join("enrolment/enrolment.key")).unwrap();
    let public_key = "07".repeat(32);
    let keys = format!(
        r#"[{{"wallet_id":"{}","curve":"ed25519","epoch":1,"public_key":"{public_key}"}}]"#,
        hex::encode(WALLET)
    );
    let cluster_file = cluster.cluster_file();
    let path = cluster.directory.join("mutant");
    let mutated = |random: &mut _, text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        mutate(random, &mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    fuzz(3_000, |random, round| {
        let _ = Cluster::parse(&mutated(random, &file));
        let _ = Policy::parse(&mutated(random, POLICY));
        let _ = sign_repairs(&key, &cluster_file, 2, None, &mutated(random, &keys));
        let _ = provision::parse_store_key(&mutated(random, &public_key));
        if round % 10 == 0 {
            std::fs::write(&path, mutated(random, &pem)).unwrap();
            let _ = provision::read_signing_key(&path);
            let _ = provision::read_backup_key(&path);
        }
    });
}
