//! How the files of the share folder are called, and which are there: `WALLET.CURVE.committed`, `.unrefreshed` and
//! `.SESSION.prepared`. Names are made of hex digits only, so no identifier can leave the directory. Opens no file.

use crate::share_file::State;
use crate::wire::{Curve, Id};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
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

impl ShareNames {
    /// What `durable_file` did not get to rename or remove.
    pub fn unfinished(directory: &Path) -> io::Result<Vec<PathBuf>> {
        let mut found = vec![];
        for entry in fs::read_dir(directory)? {
            found.push(entry?.path());
        }
        found.retain(|path| path.extension().is_some_and(|extension| extension == "tmp"));
        Ok(found)
    }

    /// With the keys of which there is a share that is not prepared.
    pub fn read(directory: PathBuf) -> io::Result<(Self, BTreeSet<Key>)> {
        let mut held = BTreeSet::new();
        let mut prepared: BTreeMap<Key, Vec<(SystemTime, Session)>> = BTreeMap::new();
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let Some((key, state)) = entry.file_name().to_str().and_then(parse) else { continue };
            if let State::Prepared(session_id) = state {
                let modified = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                prepared.entry(key).or_default().push((modified, session_id));
            } else if !held.insert(key) {
                prepared.entry(key).or_default();
            }
        }
        prepared.values_mut().for_each(|sessions| sessions.sort());
        let sessions =
            |found: Vec<(SystemTime, Session)>| found.into_iter().map(|(_, session_id)| session_id).collect();
        let unsettled = prepared.into_iter().map(|(key, found)| (key, sessions(found))).collect();
        Ok((Self { directory, unsettled: Mutex::new(unsettled) }, held))
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
        self.unsettled().entry((wallet_id, curve)).or_default().push(session_id);
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
    let wallet_id = hex::decode(parts.next()?).ok()?.try_into().ok()?;
    let curve = parts.next()?;
    let curve = [Curve::Secp256k1, Curve::Ed25519].into_iter().find(|known| name_of(*known) == curve)?;
    let state = match (parts.next()?, parts.next(), parts.next()) {
        ("committed", None, None) => State::Committed,
        ("unrefreshed", None, None) => State::Unrefreshed,
        (session_id, Some("prepared"), None) => State::Prepared(hex::decode(session_id).ok()?.try_into().ok()?),
        _ => return None,
    };
    Some(((wallet_id, curve), state))
}
