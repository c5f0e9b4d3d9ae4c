//! How the files of the share folder are called, and which are there: `WALLET.CURVE.committed`, `.unrefreshed` and
//! `.SESSION.prepared`. Names are made of hex digits only, so no identifier can leave the directory. Opens no file.

use super::share_file::State;
use crate::wire::{Curve, Id};
use std::collections::BTreeMap;
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
        let (mut held, mut unfinished) = (vec![], vec![]);
        let mut prepared: BTreeMap<Key, Vec<(SystemTime, Session)>> = BTreeMap::new();
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let name = entry.file_name();
            match name.to_str().and_then(parse) {
                Some((key, State::Prepared(session_id))) => {
                    let modified = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                    prepared.entry(key).or_default().push((modified, session_id));
                }
                Some((key, State::Committed | State::Unrefreshed)) => held.push(key),
                None if name.as_bytes().ends_with(b".tmp") => unfinished.push(entry.path()),
                None => {}
            }
        }
        held.sort_unstable();
        for twice in held.windows(2).filter(|pair| pair[0] == pair[1]) {
            prepared.entry(twice[0]).or_default();
        }
        held.dedup();
        prepared.values_mut().for_each(|sessions| sessions.sort());
        let sessions =
            |found: Vec<(SystemTime, Session)>| found.into_iter().map(|(_, session_id)| session_id).collect();
        let unsettled = prepared.into_iter().map(|(key, found)| (key, sessions(found))).collect();
        Ok(Found { names: Self { directory, unsettled: Mutex::new(unsettled) }, held, unfinished })
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

    /// Those with more than one share, and those with prepared ones alone.
    pub fn unsettled_keys(&self) -> Vec<Key> {
        self.unsettled().keys().copied().collect()
    }

    fn unsettled(&self) -> MutexGuard<'_, BTreeMap<Key, Vec<Session>>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

fn parse(name: &str) -> Option<(Key, State)> {
    let mut parts = name.split('.');
    let wallet_id = bytes_of(parts.next()?)?;
    let curve = parts.next()?;
    let curve = [Curve::Secp256k1, Curve::Ed25519].into_iter().find(|known| name_of(*known) == curve)?;
    let state = match (parts.next()?, parts.next(), parts.next()) {
        ("committed", None, None) => State::Committed,
        ("unrefreshed", None, None) => State::Unrefreshed,
        (session_id, Some("prepared"), None) => State::Prepared(bytes_of(session_id)?),
        _ => return None,
    };
    Some(((wallet_id, curve), state))
}

fn bytes_of<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    Some(bytes)
}
