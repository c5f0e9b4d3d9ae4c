//! `mpc-node backup` and `restore`: all that a node is, in one file sealed to a key that is not on the node: its
//! identity, its shares as they are now, and its journal. Of a node that does not run. The identity signs all of it,
//! and a restore asks the cluster file who that is: who has the public key could else write one that lacks bans.
//!
//! What happened after the backup is lost with the machine, so a restored node must not act as if it had not happened:
//! its shares do not sign before a complete refresh (bans of its own may be missing), an epoch that is over is refused
//! by the others, no command that was signed before the restore is taken (its id may have been used), and what the
//! policy limits in a day, an hour or a minute is not signed before the next one (what was counted in this one is not
//! known). It has a new incarnation, so that what it said of its journal before is no sign of a disk that was set back.

use super::hardening::lock_directory;
use super::provision;
use crate::clock::now_ms;
use crate::cluster::Cluster;
use crate::crypto::seal::Seal;
use crate::crypto::sealed_stream::{SealedReader, SealedWriter};
use crate::crypto::secret_bytes;
use crate::crypto::signatures;
use crate::keys::children::Children;
use crate::keys::key_material::KeyMaterial;
use crate::keys::share::Share;
use crate::limits::COMMAND_AHEAD_MS;
use crate::storage::durable_file;
use crate::storage::identity::read_identity;
use crate::storage::journal::{Journal, Record};
use crate::storage::secret_file::SecretFile;
use crate::storage::shares::vault::{write_check, Vault};
use crate::storage::store_key_check::{Check, Form};
use crate::wire::decode;
use crate::wire::key_statement::{Confirmation, KeyStatement};
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::Signer;
use serde_json::{json, Value};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::Path;
use x25519_dalek::StaticSecret;
use zeroize::{Zeroize, Zeroizing};

const VERSION: u16 = 2;
/// From before backups were signed.
const UNSIGNED_VERSION: u16 = 1;
const LABEL: &[u8] = b"countersign/v1/backup-signature";
const PIECE_BYTES: usize = 1024 * 1024;
/// A share takes about 150 kB.
const ENTRY_BYTES_MAX: usize = 4 * PIECE_BYTES;

/// In this order: the node, its shares, the pieces of its journal, the end, the signature.
#[derive(BorshSerialize, BorshDeserialize)]
enum Entry {
    Node {
        version: u16,
        index: u8,
        identity: Vec<u8>,
        tls_key: Vec<u8>,
        tls_certificate: Vec<u8>,
    },
    Share {
        statement: KeyStatement,
        confirmations: Vec<Confirmation>,
        material: Vec<u8>,
    },
    Journal(Vec<u8>),
    End {
        shares: u32,
    },
    /// By the identity over `LABEL` and the hash of all entries before, each with its length.
    Signature([u8; 64]),
}

impl Drop for Entry {
    fn drop(&mut self) {
        match self {
            Entry::Node { identity, tls_key, .. } => {
                identity.zeroize();
                tls_key.zeroize();
            }
            Entry::Share { material, .. } => material.zeroize(),
            Entry::Journal(_) | Entry::End { .. } | Entry::Signature(_) => {}
        }
    }
}

/// How many shares the file holds. It appears under its name when it is whole.
pub fn back_up(
    directory: &Path,
    index: u8,
    store_key: &[u8; 32],
    recipient: [u8; 32],
    to: &Path,
) -> Result<u32, String> {
    let _lock = lock_directory(directory)?;
    if to.exists() {
        return Err(format!("{} exists: a backup is not overwritten", to.display()));
    }
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", to.display());
    let partial = to.with_extension("partial");
    // What an interrupted one has left.
    if partial.exists() {
        fs::remove_file(&partial).map_err(failed)?;
    }
    let file = durable_file::create(&partial).map_err(failed)?;
    let writer = SealedWriter::new(file, recipient).ok_or("the backup public key is of small order")?;
    let mut writer = writer.map_err(failed)?;
    let mut hash = Sha256::new();
    let mut put = |entry: &Entry| {
        let (bytes, length) = with_length(entry);
        hash.update(length);
        hash.update(&*bytes);
        writer.write(&length).and_then(|()| writer.write(&bytes)).map_err(failed)
    };
    let store_key = Seal::new(store_key);
    let secret = |file: SecretFile| file.read(directory, &store_key).map(|plain| plain.to_vec());
    let (identity, tls_key) = (secret(SecretFile::Identity)?, secret(SecretFile::TlsKey)?);
    let tls_certificate = fs::read(directory.join("tls.crt")).map_err(|e| format!("cannot read tls.crt: {e}"))?;
    let signer = read_identity(directory, &store_key)?;
    put(&Entry::Node { version: VERSION, index, identity, tls_key, tls_certificate })?;
    let vault = Vault::open(directory.join("shares"), store_key, index)?;
    let mut shares = 0;
    for (wallet_id, curve) in vault.keys()? {
        let unreadable = || format!("the share of {} cannot be read", hex::encode(wallet_id));
        let share = vault.share(wallet_id, curve).ok().flatten().ok_or_else(unreadable)?;
        let material = share.material.to_bytes().ok_or_else(unreadable)?.to_vec();
        let (statement, confirmations) = (share.statement.clone(), share.confirmations.clone());
        put(&Entry::Share { statement, confirmations, material })?;
        shares += 1;
    }
    put_journal(&directory.join("journal.redb"), &mut put)?;
    put(&Entry::End { shares })?;
    let signed = [LABEL, &hash.finalize()].concat();
    let (bytes, length) = with_length(&Entry::Signature(signer.sign(&signed).to_bytes()));
    writer.write(&length).and_then(|()| writer.write(&bytes)).map_err(failed)?;
    let file = writer.finish().map_err(failed)?;
    file.sync_all().and_then(|()| fs::rename(&partial, to)).map_err(failed)?;
    durable_file::sync_directory(durable_file::directory_of(to)).map_err(failed)?;
    Ok(shares)
}

fn with_length(entry: &Entry) -> (Zeroizing<Vec<u8>>, [u8; 4]) {
    let bytes = secret_bytes::borsh(entry);
    let length = (bytes.len() as u32).to_be_bytes();
    (bytes, length)
}

/// A node that never served has none.
fn put_journal(path: &Path, put: &mut impl FnMut(&Entry) -> Result<(), String>) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    let failed = |e: std::io::Error| format!("cannot read the journal: {e}");
    let mut journal = BufReader::new(File::open(path).map_err(failed)?);
    loop {
        let mut piece = vec![];
        journal.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece).map_err(failed)?;
        if piece.is_empty() {
            return Ok(());
        }
        put(&Entry::Journal(piece))?;
    }
}

/// What a restore goes by.
pub struct Source<'s> {
    pub from: &'s Path,
    pub backup_key: &'s StaticSecret,
    /// Says who the node is that has signed the backup.
    pub cluster: &'s Cluster,
    /// Also one from before backups were signed, whose origin the operator vouches for.
    pub accepts_unsigned: bool,
}

/// Into a directory where no node is. The identity is written last, and without it nothing is served: a restore that
/// was cut short is removed by hand and begun again. Answers the public half of the node.
pub fn restore(directory: &Path, store_key_file: &Path, source: &Source) -> Result<Value, String> {
    let Source { from, backup_key, cluster, accepts_unsigned } = *source;
    for name in ["identity.key", "tls.key", "journal.redb", "shares"] {
        if directory.join(name).exists() {
            return Err(format!("{} holds a node already: restore into an empty directory", directory.display()));
        }
    }
    let failed = |e: std::io::Error| format!("cannot read {}: {e}", from.display());
    let file = BufReader::new(File::open(from).map_err(failed)?);
    let mut reader = SealedReader::new(file, backup_key).map_err(failed)?;
    let mut hash = Sha256::new();
    let mut next = |hash: &mut Sha256| -> Result<Entry, String> {
        let prefix = reader.read(4).map_err(failed)?;
        let length = prefix.iter().fold(0usize, |length, byte| length << 8 | usize::from(*byte));
        if length > ENTRY_BYTES_MAX {
            return Err(format!("{} has an entry that is too long", from.display()));
        }
        let bytes = reader.read(length).map_err(failed)?;
        hash.update(&*prefix);
        hash.update(&*bytes);
        decode(&bytes).ok_or_else(|| format!("{} cannot be decoded", from.display()))
    };
    let node = next(&mut hash)?;
    let Entry::Node { version: version @ (VERSION | UNSIGNED_VERSION), index, identity, tls_key, tls_certificate } =
        &node
    else {
        return Err(format!("{} is of another version of this program", from.display()));
    };
    if *version == UNSIGNED_VERSION && !accepts_unsigned {
        return Err(format!(
            "{} is from before backups were signed: add --accept-unsigned if you know that this node wrote it",
            from.display()
        ));
    }
    let store_key = provision::prepare_directory(directory, store_key_file)?;
    let _lock = lock_directory(directory)?;
    let shares_folder = directory.join("shares");
    write_check(&shares_folder, &Seal::new(&store_key), &Check { form: Form::DataKeys, node: *index })?;
    let vault = Vault::open(shares_folder, Seal::new(&store_key), *index)?;
    let journal_path = directory.join("journal.redb");
    let cannot_write = |e: std::io::Error| format!("cannot write into {}: {e}", directory.display());
    let mut journal = durable_file::create(&journal_path).map_err(cannot_write)?;
    let (mut shares, mut journal_bytes) = (0, 0);
    let stated = loop {
        match &next(&mut hash)? {
            Entry::Share { statement, confirmations, material } => {
                take_share(&vault, *index, statement, confirmations, material)?;
                shares += 1;
            }
            Entry::Journal(piece) => {
                journal.write_all(piece).map_err(cannot_write)?;
                journal_bytes += piece.len();
            }
            Entry::End { shares } => break *shares,
            Entry::Node { .. } => return Err(format!("{} holds two nodes", from.display())),
            Entry::Signature(_) => return Err(format!("{} is signed before its end", from.display())),
        }
    };
    if *version != UNSIGNED_VERSION {
        let signed = [LABEL, &hash.clone().finalize()].concat();
        check_signature(cluster, *index, &signed, &next(&mut hash)?)
            .map_err(|reason| format!("{}: {reason}", from.display()))?;
    }
    reader.finish().map_err(failed)?;
    if stated != shares {
        return Err(format!("{} does not hold all shares", from.display()));
    }
    journal.sync_all().map_err(cannot_write)?;
    drop(journal);
    if journal_bytes == 0 {
        fs::remove_file(&journal_path).map_err(cannot_write)?;
    }
    // No command of before, and no limit of a window of before: what was used and counted after the backup is not in
    // the journal.
    let at_ms = now_ms();
    let restored = Record::Restored { at_ms, floor_ms: at_ms + COMMAND_AHEAD_MS };
    Journal::open(&journal_path)?.write(restored).map_err(|refused| refused.detail.to_string())?;
    let store_key = Seal::new(&store_key);
    let sealed = |file: SecretFile, plain: &[u8]| {
        let bytes = file.to_bytes(Form::DataKeys, &store_key, plain);
        durable_file::write(&file.path(directory), &bytes).map_err(cannot_write)
    };
    sealed(SecretFile::TlsKey, tls_key)?;
    durable_file::write(&directory.join("tls.crt"), tls_certificate).map_err(cannot_write)?;
    sealed(SecretFile::Identity, identity)?;
    let public_key = hex::encode(read_identity(directory, &store_key)?.verifying_key().to_bytes());
    let certificate = String::from_utf8_lossy(tls_certificate);
    Ok(json!({"index": index, "identity_public_key": public_key, "tls_certificate": certificate, "shares": shares}))
}

fn check_signature(cluster: &Cluster, index: u8, signed: &[u8], entry: &Entry) -> Result<(), String> {
    let Some(identity) = cluster.nodes.get(&index) else {
        return Err(format!("it is of node {index}, which cluster.json does not name"));
    };
    match entry {
        Entry::Signature(signature) if signatures::ed25519(identity, signed, signature) => Ok(()),
        _ => Err(format!("the node {index} of cluster.json did not sign it: look for another backup")),
    }
}

fn take_share(
    vault: &Vault,
    index: u8,
    statement: &KeyStatement,
    confirmations: &[Confirmation],
    material: &[u8],
) -> Result<(), String> {
    let unfit = || format!("the share of {} does not fit its key", hex::encode(statement.wallet_id));
    let material = KeyMaterial::from_bytes(statement.curve, material).ok_or_else(unfit)?;
    if !material.belongs_to(index) || material.public_key().as_ref() != Some(&statement.public_key) {
        return Err(unfit());
    }
    let (statement, confirmations) = (statement.clone(), confirmations.to_vec());
    let roster = statement.roster;
    let share = Share { statement, confirmations, material, signs: false, children: Children::default() };
    vault.keep_unrefreshed(share, &roster).map_err(|refused| refused.detail.to_string())
}
