//! How the files of the share folder are called, and which are there: `WALLET.CURVE.committed`, `.unrefreshed` and
//! `.SESSION.prepared`. Names are made of hex digits only, so no identifier can leave the directory. Opens no file.

use crate::share_file::State;
use crate::wire::{Curve, Id};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub struct ShareNames {
    directory: PathBuf,
}

impl ShareNames {
    pub fn new(directory: PathBuf) -> Self {
        Self { directory }
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
    pub fn prepared(&self, wallet_id: Id, curve: Curve) -> io::Result<Vec<(PathBuf, [u8; 32])>> {
        let mut found = vec![];
        for (of_wallet, of_curve, state) in self.all()? {
            if let (true, State::Prepared(session_id)) = ((of_wallet, of_curve) == (wallet_id, curve), state) {
                found.push((self.path(wallet_id, curve, state), session_id));
            }
        }
        found.sort_by_key(|(path, session_id)| {
            let modified = fs::metadata(path).and_then(|data| data.modified());
            (modified.unwrap_or(SystemTime::UNIX_EPOCH), *session_id)
        });
        Ok(found)
    }

    pub fn held_keys(&self) -> io::Result<BTreeSet<(Id, Curve)>> {
        let held = self.all()?.into_iter().filter(|(_, _, state)| !matches!(state, State::Prepared(_)));
        Ok(held.map(|(wallet_id, curve, _)| (wallet_id, curve)).collect())
    }

    /// Those with more than a committed share.
    pub fn unsettled_keys(&self) -> io::Result<BTreeSet<(Id, Curve)>> {
        let more = self.all()?.into_iter().filter(|(_, _, state)| *state != State::Committed);
        Ok(more.map(|(wallet_id, curve, _)| (wallet_id, curve)).collect())
    }

    /// What `durable_file` did not get to rename or remove.
    pub fn unfinished(&self) -> io::Result<Vec<PathBuf>> {
        let mut found = vec![];
        for entry in fs::read_dir(&self.directory)? {
            found.push(entry?.path());
        }
        found.retain(|path| path.extension().is_some_and(|extension| extension == "tmp"));
        Ok(found)
    }

    fn all(&self) -> io::Result<Vec<(Id, Curve, State)>> {
        let mut found = vec![];
        for entry in fs::read_dir(&self.directory)? {
            found.extend(entry?.file_name().to_str().and_then(parse));
        }
        Ok(found)
    }
}

fn name_of(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1",
        Curve::Ed25519 => "ed25519",
    }
}

fn parse(name: &str) -> Option<(Id, Curve, State)> {
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
    Some((wallet_id, curve, state))
}
