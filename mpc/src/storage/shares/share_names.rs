//! How the files of the share folder are called, and which are there: `WALLET.CURVE.committed`, `.unrefreshed`,
//! `.SESSION.prepared`, and `.SESSION.key` for the data key of that session's share. Names are made of hex digits only,
//! so no identifier can leave the directory. Opens no file.

use super::share_file::State;
use crate::wire::{Curve, Id};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

type Key = (Id, Curve);
type Session = [u8; 32];

/// The shares of keys are as many as keys, and the disk is asked for each. Which ones are prepared is known, so that no
/// request has to look through the folder.
pub struct ShareNames {
    directory: PathBuf,
    /// Oldest first. Also the keys that have two shares which are not prepared, as a crash leaves them.
    unsettled: Mutex<BTreeMap<Key, Vec<Session>>>,
    /// Sessions whose data key may be over: to be looked at when the key is next settled.
    noted: Mutex<BTreeMap<Key, BTreeSet<Session>>>,
}

/// What a name of the folder stands for.
#[derive(Clone, Copy)]
pub enum Named {
    Share(State),
    DataKey(Session),
}

/// What a look through the folder finds.
pub struct Found {
    pub names: ShareNames,
    /// The keys of which there is a share that is not prepared, in their order.
    pub held: Vec<Key>,
    /// What `durable_file` did not get to rename or remove.
    pub unfinished: Vec<PathBuf>,
}

impl ShareNames {
    /// A start waits for this: once through the folder, with little to do for each of a million names.
    pub fn find(directory: PathBuf) -> io::Result<Found> {
        let (mut held, mut unfinished, mut with_data_key) = (vec![], vec![], vec![]);
        let mut prepared: BTreeMap<Key, Vec<(SystemTime, Session)>> = BTreeMap::new();
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let name = entry.file_name();
            match name.to_str().and_then(parse) {
                Some((key, Named::Share(State::Prepared(session_id)))) => {
                    let modified = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                    prepared.entry(key).or_default().push((modified, session_id));
                }
                Some((key, Named::Share(State::Committed | State::Unrefreshed))) => held.push(key),
                Some((key, Named::DataKey(_))) => with_data_key.push(key),
                None if [&b".tmp"[..], b".next"].iter().any(|end| name.as_bytes().ends_with(end)) => {
                    unfinished.push(entry.path());
                }
                None => {}
            }
        }
        held.sort_unstable();
        for twice in held.windows(2).filter(|pair| pair[0] == pair[1]) {
            prepared.entry(twice[0]).or_default();
        }
        held.dedup();
        let noted = data_keys_of(&directory, &ambiguous(with_data_key, &held))?;
        prepared.values_mut().for_each(|sessions| sessions.sort());
        let sessions =
            |found: Vec<(SystemTime, Session)>| found.into_iter().map(|(_, session_id)| session_id).collect();
        let unsettled = prepared.into_iter().map(|(key, found)| (key, sessions(found))).collect();
        let (unsettled, noted) = (Mutex::new(unsettled), Mutex::new(noted));
        Ok(Found { names: Self { directory, unsettled, noted }, held, unfinished })
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn path(&self, wallet_id: Id, curve: Curve, state: State) -> PathBuf {
        let state = match state {
            State::Prepared(session_id) => format!("{}.prepared", hex::encode(session_id)),
            State::Committed => "committed".to_string(),
            State::Unrefreshed => "unrefreshed".to_string(),
        };
        self.directory.join(format!("{}.{}.{state}", hex::encode(wallet_id), name_of(curve)))
    }

    pub fn data_key_path(&self, wallet_id: Id, curve: Curve, session_id: Session) -> PathBuf {
        data_key_path(&self.directory, wallet_id, curve, session_id)
    }

    pub fn add_noted(&self, wallet_id: Id, curve: Curve, session_id: Session) {
        self.all_noted().entry((wallet_id, curve)).or_default().insert(session_id);
    }

    pub fn noted(&self, wallet_id: Id, curve: Curve) -> Vec<Session> {
        self.all_noted().get(&(wallet_id, curve)).into_iter().flatten().copied().collect()
    }

    pub fn drop_noted(&self, wallet_id: Id, curve: Curve, session_id: Session) {
        let mut noted = self.all_noted();
        let Some(sessions) = noted.get_mut(&(wallet_id, curve)) else { return };
        sessions.remove(&session_id);
        if sessions.is_empty() {
            noted.remove(&(wallet_id, curve));
        }
    }

    /// With their sessions, oldest first.
    pub fn prepared(&self, wallet_id: Id, curve: Curve) -> Vec<(PathBuf, Session)> {
        let sessions = self.unsettled().get(&(wallet_id, curve)).cloned().unwrap_or_default();
        let path = |session_id| self.path(wallet_id, curve, State::Prepared(session_id));
        sessions.into_iter().map(|session_id| (path(session_id), session_id)).collect()
    }

    /// That its file is there now.
    pub fn add_prepared(&self, wallet_id: Id, curve: Curve, session_id: Session) {
        let mut unsettled = self.unsettled();
        let sessions = unsettled.entry((wallet_id, curve)).or_default();
        if !sessions.contains(&session_id) {
            sessions.push(session_id);
        }
    }

    /// That its file is gone.
    pub fn drop_prepared(&self, wallet_id: Id, curve: Curve, session_id: Session) {
        let mut unsettled = self.unsettled();
        let Some(sessions) = unsettled.get_mut(&(wallet_id, curve)) else { return };
        sessions.retain(|other| *other != session_id);
        if sessions.is_empty() {
            unsettled.remove(&(wallet_id, curve));
        }
    }

    /// Those with more than one share, those with prepared ones alone, and those with a data key that may be over.
    pub fn unsettled_keys(&self) -> Vec<Key> {
        let unsettled: BTreeSet<Key> = self.unsettled().keys().chain(self.all_noted().keys()).copied().collect();
        unsettled.into_iter().collect()
    }

    /// Or two shares of one key, as a crash leaves them.
    pub fn has_prepared_shares(&self) -> bool {
        !self.unsettled().is_empty()
    }

    fn all_noted(&self) -> MutexGuard<'_, BTreeMap<Key, BTreeSet<Session>>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unsettled(&self) -> MutexGuard<'_, BTreeMap<Key, Vec<Session>>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub fn data_key_path(directory: &Path, wallet_id: Id, curve: Curve, session_id: Session) -> PathBuf {
    let (wallet_id, session_id) = (hex::encode(wallet_id), hex::encode(session_id));
    directory.join(format!("{wallet_id}.{}.{session_id}.key", name_of(curve)))
}

fn name_of(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

/// Of these keys, each as often as it has data keys, those that do not have exactly one beside a share.
fn ambiguous(mut with_data_key: Vec<Key>, held: &[Key]) -> BTreeSet<Key> {
    with_data_key.sort_unstable();
    let groups = with_data_key.chunk_by(|one, other| one == other);
    let is_ambiguous = |group: &&[Key]| group.len() > 1 || held.binary_search(&group[0]).is_err();
    groups.filter(is_ambiguous).map(|group| group[0]).collect()
}

/// Looks through the folder once more, since to remember the sessions of a million keys would take their room.
fn data_keys_of(directory: &Path, keys: &BTreeSet<Key>) -> io::Result<BTreeMap<Key, BTreeSet<Session>>> {
    let mut found: BTreeMap<Key, BTreeSet<Session>> = BTreeMap::new();
    if keys.is_empty() {
        return Ok(found);
    }
    for entry in fs::read_dir(directory)? {
        if let Some((key, Named::DataKey(session_id))) = entry?.file_name().to_str().and_then(parse) {
            if keys.contains(&key) {
                found.entry(key).or_default().insert(session_id);
            }
        }
    }
    Ok(found)
}

pub fn parse(name: &str) -> Option<(Key, Named)> {
    let mut parts = name.split('.');
    let wallet_id = bytes_of(parts.next()?)?;
    let curve = parts.next()?;
    let curve = [Curve::Secp256k1, Curve::Ed25519].into_iter().find(|known| name_of(*known) == curve)?;
    let named = match (parts.next()?, parts.next(), parts.next()) {
        ("committed", None, None) => Named::Share(State::Committed),
        ("unrefreshed", None, None) => Named::Share(State::Unrefreshed),
        (session_id, Some("prepared"), None) => Named::Share(State::Prepared(bytes_of(session_id)?)),
        (session_id, Some("key"), None) => Named::DataKey(bytes_of(session_id)?),
        _ => return None,
    };
    Some(((wallet_id, curve), named))
}

fn bytes_of<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    Some(bytes)
}
