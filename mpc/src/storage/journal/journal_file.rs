//! The journal's database while it can be used. redb does nothing more after an error of the disk, but a disk that was
//! full is not full for ever: after an error the file is closed, and opened again when it is next needed. What was not
//! committed is gone then, and what was is there, as after a crash.

use crate::limits::JOURNAL_CACHE_BYTES;
use crate::wire::refusal::Refused;
use redb::{Database, DatabaseError, Error};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

pub struct JournalFile {
    path: PathBuf,
    /// `None` after an error.
    database: RwLock<Option<Database>>,
}

pub const FAILED: Refused = Refused::internal("The journal could not be written or read.");

impl JournalFile {
    /// Makes it if there is none.
    pub fn open(path: &Path) -> Result<Self, String> {
        let database = opened(|| Database::builder().set_cache_size(JOURNAL_CACHE_BYTES).create(path))
            .map_err(|e| format!("cannot open the journal: {e}"))?;
        Ok(Self { path: path.to_path_buf(), database: RwLock::new(Some(database)) })
    }

    /// After an error nothing is known of what `work` was to write: it may be there.
    pub fn with<T>(&self, work: impl FnOnce(&Database) -> Result<T, Error>) -> Result<T, Refused> {
        self.open_again()?;
        let done = {
            let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
            work(database.as_ref().ok_or(FAILED)?)
        };
        done.map_err(|_| {
            *self.database.write().unwrap_or_else(PoisonError::into_inner) = None;
            FAILED
        })
    }

    /// Never makes one: a journal that is gone is not one that is empty.
    fn open_again(&self) -> Result<(), Refused> {
        if self.database.read().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Ok(());
        }
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        if database.is_none() {
            *database = Some(
                opened(|| Database::builder().set_cache_size(JOURNAL_CACHE_BYTES).open(&self.path))
                    .map_err(|_| FAILED)?,
            );
        }
        Ok(())
    }
}

/// redb takes a header that contradicts itself for its own mistake and panics.
fn opened(open: impl FnOnce() -> Result<Database, DatabaseError>) -> Result<Database, String> {
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(opened) => opened.map_err(|e| e.to_string()),
        Err(_) => Err("the file is torn".into()),
    }
}
