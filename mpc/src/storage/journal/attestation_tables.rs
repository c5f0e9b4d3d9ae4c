//! The journal's part in finding a disk that was set back: how far it has come itself, in which runs of the program,
//! and the newest marks of the other nodes.

use crate::wire::progress_attestation::{Progress, ProgressAttestation};
use crate::wire::{decode, encode};
use ed25519_dalek::VerifyingKey;
use redb::{Error, ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};
use std::collections::BTreeMap;

/// Run of the program → the sequence that it came to, of this incarnation. Only of runs that wrote something that
/// counts.
const RUNS: TableDefinition<u64, u64> = TableDefinition::new("runs");
/// Identity → Borsh of its newest mark; of the nodes of the roster that this node runs with.
const MARKS: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("marks");
/// Under `OWN`: Borsh of how far this journal has come.
const PROGRESS: TableDefinition<&str, &[u8]> = TableDefinition::new("progress");
const OWN: &str = "own";
/// Under it: the smallest incarnation that a restore may give. There only if the disk was found to be set back.
const SET_BACK: &str = "set_back";

pub struct AttestationTables<'t> {
    runs: Table<'t, u64, u64>,
    marks: Table<'t, &'static [u8; 32], &'static [u8]>,
    progress: Table<'t, &'static str, &'static [u8]>,
}

impl<'t> AttestationTables<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, Error> {
        Ok(Self {
            runs: transaction.open_table(RUNS)?,
            marks: transaction.open_table(MARKS)?,
            progress: transaction.open_table(PROGRESS)?,
        })
    }

    /// `counted` records of this commit must not be forgotten. Answers how far the journal is with them.
    pub fn advance(&mut self, run: u64, counted: u64) -> Result<Progress, Error> {
        let known: Progress = self.noted(OWN)?.unwrap_or_default();
        if counted == 0 {
            return Ok(known);
        }
        let progress = Progress { run, sequence: known.sequence.saturating_add(counted), ..known };
        self.progress.insert(OWN, encode(&progress).as_slice())?;
        self.runs.insert(run, progress.sequence)?;
        Ok(progress)
    }

    /// What was said before is of another incarnation from now on.
    pub fn restored(&mut self, at_ms: u64) -> Result<(), Error> {
        let known: Progress = self.noted(OWN)?.unwrap_or_default();
        let least = known.incarnation.saturating_add(1).max(self.noted(SET_BACK)?.unwrap_or(0));
        let progress = Progress { incarnation: at_ms.max(least), ..known };
        self.progress.insert(OWN, encode(&progress).as_slice())?;
        self.progress.remove(SET_BACK)?;
        self.runs.retain(|_, _| false)?;
        Ok(())
    }

    pub fn keep(&mut self, marks: &[ProgressAttestation]) -> Result<(), Error> {
        for mark in marks {
            let kept: Option<ProgressAttestation> =
                self.marks.get(&mark.identity)?.and_then(|kept| decode(kept.value()));
            if mark.progress.is_beyond(&kept.map_or(Progress::default(), |kept| kept.progress)) {
                self.marks.insert(&mark.identity, encode(mark).as_slice())?;
            }
        }
        Ok(())
    }

    /// Those of machines that are no longer among the nodes go.
    pub fn keep_only(&mut self, nodes: &BTreeMap<u8, VerifyingKey>) -> Result<(), Error> {
        self.marks.retain(|identity, _| nodes.values().any(|node| node.as_bytes() == identity))?;
        Ok(())
    }

    pub fn note_rolled_back(&mut self, seen: &Progress) -> Result<(), Error> {
        let least = seen.incarnation.saturating_add(1).max(self.noted(SET_BACK)?.unwrap_or(0));
        self.progress.insert(SET_BACK, encode(&least).as_slice())?;
        Ok(())
    }

    fn noted<T: borsh::BorshDeserialize>(&self, name: &str) -> Result<Option<T>, Error> {
        Ok(self.progress.get(name)?.and_then(|noted| decode(noted.value())))
    }
}

pub fn progress(read: &ReadTransaction) -> Result<Progress, Error> {
    let table = read.open_table(PROGRESS)?;
    let kept = table.get(OWN)?;
    Ok(kept.and_then(|kept| decode(kept.value())).unwrap_or_default())
}

pub fn was_rolled_back(read: &ReadTransaction) -> Result<bool, Error> {
    Ok(read.open_table(PROGRESS)?.get(SET_BACK)?.is_some())
}

/// How far that run came; `None` if this journal knows of no such run.
pub fn run_end(read: &ReadTransaction, run: u64) -> Result<Option<u64>, Error> {
    Ok(read.open_table(RUNS)?.get(run)?.map(|end| end.value()))
}

/// One that cannot be decoded is none: its node tells another one.
pub fn marks(read: &ReadTransaction) -> Result<Vec<ProgressAttestation>, Error> {
    let mut marks = vec![];
    for entry in read.open_table(MARKS)?.iter()? {
        marks.extend(decode::<ProgressAttestation>(entry?.1.value()));
    }
    Ok(marks)
}
