//! What must survive a crash besides the shares: used commands and sessions, which message an operation signs, bans,
//! rosters, checkpoints of the audit chain, counters of the policy, marks of other nodes. One thread commits: writes
//! that arrive together share one fsync. An answer `Ok` means: on disk. Nothing here is secret.

use super::acknowledgement_table::{self, Acknowledged};
use super::attestation_tables;
use super::charge_tables;
use super::checkpoint_tables;
use super::journal_file::{JournalFile, FAILED};
use super::record::{Banned, Record};
use super::roster_table;
use super::tables::{self, Tables, COMMAND_USED, MESSAGE_CONFLICT};
use crate::clock::TimePassed;
use crate::crypto::random;
use crate::policy::Charge;
use crate::wire::progress_attestation::{Progress, ProgressAttestation};
use crate::wire::refusal::Refused;
use crate::wire::{decode, Checkpoint, CheckpointList, CheckpointPlace, Curve, Id};
use ed25519_dalek::VerifyingKey;
use redb::{Database, Error, ReadTransaction, ReadableTable};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Writes grouped into one commit at most.
const BATCH: usize = 256;

type Write = (Record, SyncSender<Result<(), Refused>>);

pub struct Journal {
    file: Arc<JournalFile>,
    time_passed: TimePassed,
    /// As it is on disk, never ahead of it: what is said of it must outlive a crash.
    progress: Arc<Mutex<Progress>>,
    /// `None` only while dropping.
    writes: Option<SyncSender<Write>>,
    committer: Option<JoinHandle<()>>,
}

impl Journal {
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = Arc::new(JournalFile::open(path)?);
        let cannot_prepare = |refused: Refused| format!("cannot prepare the journal: {}", refused.detail);
        file.with(tables::create).map_err(cannot_prepare)?;
        let time_passed =
            file.with(|database| tables::time_passed_ms(&database.begin_read()?)).map_err(cannot_prepare)?;
        let progress =
            file.with(|database| attestation_tables::progress(&database.begin_read()?)).map_err(cannot_prepare)?;
        let progress = Arc::new(Mutex::new(progress));
        let (writes, queue) = sync_channel(4 * BATCH);
        let run = u64::from_le_bytes(random::bytes());
        let writer = Writer { file: file.clone(), run, progress: progress.clone() };
        let committer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || writer.commit_batches(&queue))
            .map_err(|e| format!("cannot start the journal: {e}"))?;
        let (time_passed, writes) = (TimePassed::new(time_passed), Some(writes));
        Ok(Self { file, time_passed, progress, writes, committer: Some(committer) })
    }

    /// Returns once the record is on disk, or refused.
    pub fn write(&self, record: Record) -> Result<(), Refused> {
        let signed_after_ms = match record {
            Record::Begin { expires_at_ms, signed_after_ms, .. } => {
                self.check_not_past(expires_at_ms)?;
                signed_after_ms
            }
            _ => 0,
        };
        let (reply, answer) = sync_channel(1);
        self.writes.as_ref().ok_or(FAILED)?.send((record, reply)).map_err(|_| FAILED)?;
        answer.recv().map_err(|_| FAILED)??;
        self.time_passed.raise(signed_after_ms);
        Ok(())
    }

    /// The early answer to `Open`; `Record::Begin` decides.
    pub fn check_unused(&self, command_id: Id, expires_at_ms: u64) -> Result<(), Refused> {
        self.check_not_past(expires_at_ms)?;
        self.read(|read| {
            let floor_ms = read.open_table(tables::META)?.get(tables::EXPIRY_FLOOR_MS)?.map_or(0, |v| v.value());
            if expires_at_ms <= floor_ms {
                return Ok(Err(tables::BELOW_FLOOR));
            }
            match read.open_table(tables::COMMANDS)?.get(&command_id)? {
                Some(_) => Ok(Err(COMMAND_USED)),
                None => Ok(Ok(())),
            }
        })?
    }

    /// Whatever the machine's clock says.
    fn check_not_past(&self, expires_at_ms: u64) -> Result<(), Refused> {
        match expires_at_ms <= self.time_passed.ms() {
            true => Err(tables::BELOW_FLOOR),
            false => Ok(()),
        }
    }

    pub fn check_bindings(&self, bindings: &[(Id, [u8; 32])]) -> Result<(), Refused> {
        self.read(|read| {
            let bound = read.open_table(tables::OPERATIONS)?;
            for (id, content) in bindings {
                if bound.get(id)?.is_some_and(|bound| bound.value() != content) {
                    return Ok(Err(MESSAGE_CONFLICT));
                }
            }
            Ok(Ok(()))
        })?
    }

    /// The early answer to `Open`, like `check_unused`.
    pub fn check_charges(&self, charges: &[Charge]) -> Result<(), Refused> {
        if charges.is_empty() {
            return Ok(());
        }
        self.read(|read| {
            let counted_from_ms = read.open_table(tables::META)?.get(tables::COUNTED_FROM_MS)?.map_or(0, |v| v.value());
            charge_tables::check(read, charges, &read.open_table(tables::OPERATIONS)?, counted_from_ms)
        })?
    }

    pub fn bans(&self) -> Result<Vec<Banned>, Refused> {
        let kept = self.read(|read| {
            let identities = read.open_table(tables::BANNED_IDENTITIES)?;
            let mut kept = vec![];
            for entry in read.open_table(tables::BANS)?.iter()? {
                let (key, ban) = entry?;
                kept.push((ban.value().to_vec(), identities.get(key.value())?.map(|identity| *identity.value())));
            }
            Ok(kept)
        })?;
        let decoded = |(ban, identity): (Vec<u8>, _)| Ok(Banned { ban: decode(&ban).ok_or(FAILED)?, identity });
        kept.into_iter().map(decoded).collect()
    }

    /// The nodes of a roster that this node has run with.
    pub fn roster(&self, roster: &[u8; 32]) -> Result<Option<BTreeMap<u8, VerifyingKey>>, Refused> {
        self.read(|read| roster_table::find(read, roster))
    }

    /// Which share of the key this node has acknowledged last.
    pub fn acknowledged(&self, wallet_id: Id, curve: Curve) -> Result<Option<Acknowledged>, Refused> {
        self.read(|read| acknowledgement_table::find(read, &wallet_id, curve))
    }

    pub fn checkpoints(
        &self,
        list: CheckpointList,
        after: Option<CheckpointPlace>,
    ) -> Result<Vec<Checkpoint>, Refused> {
        self.read(|read| checkpoint_tables::page(read, list, after))
    }

    pub fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this journal has come as far as its own node has said once. If not, it is an older state of itself: an
    /// incarnation that it has not reached, a run that it knows nothing of, or the end of one.
    pub fn has_reached(&self, said: &Progress) -> Result<bool, Refused> {
        let now = self.progress();
        if said.incarnation != now.incarnation || said.sequence == 0 {
            return Ok(said.incarnation <= now.incarnation);
        }
        if said.run == now.run || said.sequence > now.sequence {
            return Ok(said.sequence <= now.sequence);
        }
        Ok(self.read(|read| attestation_tables::run_end(read, said.run))?.is_some_and(|end| said.sequence <= end))
    }

    pub fn marks(&self) -> Result<Vec<ProgressAttestation>, Refused> {
        self.read(attestation_tables::marks)
    }

    pub fn was_rolled_back(&self) -> Result<bool, Refused> {
        self.read(attestation_tables::was_rolled_back)
    }

    fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Result<T, Error>) -> Result<T, Refused> {
        self.file.with(|database| work(&database.begin_read()?))
    }
}

/// Waits for the committer, so that the file is closed when this returns and can be opened again.
impl Drop for Journal {
    fn drop(&mut self) {
        self.writes = None;
        if let Some(committer) = self.committer.take() {
            let _ = committer.join();
        }
    }
}

struct Writer {
    file: Arc<JournalFile>,
    run: u64,
    progress: Arc<Mutex<Progress>>,
}

impl Writer {
    fn commit_batches(&self, queue: &Receiver<Write>) {
        while let Ok(first) = queue.recv() {
            let mut batch = vec![first];
            while batch.len() < BATCH {
                match queue.try_recv() {
                    Ok(write) => batch.push(write),
                    Err(_) => break,
                }
            }
            let (records, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
            let answers = match self.file.with(|database| self.commit(database, &records)) {
                Ok((answers, progress)) => {
                    *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
                    answers
                }
                Err(_) => vec![Err(FAILED); records.len()],
            };
            for (reply, answer) in replies.into_iter().zip(answers) {
                let _ = reply.send(answer);
            }
        }
    }

    /// The answers, and how far the journal is on disk now.
    fn commit(&self, database: &Database, records: &[Record]) -> Result<(Vec<Result<(), Refused>>, Progress), Error> {
        let transaction = database.begin_write()?;
        let mut answers = Vec::with_capacity(records.len());
        let progress = {
            let mut tables = Tables::open(&transaction)?;
            let mut counted = 0;
            for record in records {
                let answer = tables.apply(record)?;
                counted += u64::from(answer.is_ok() && record.must_not_be_forgotten());
                answers.push(answer);
            }
            tables.prune()?;
            tables.marks.advance(self.run, counted)?
        };
        transaction.commit()?;
        Ok((answers, progress))
    }
}
