//! What must survive a crash besides the shares: used commands and sessions, which message an operation signs,
//! released signature shares, bans, rosters, checkpoints of the audit chain, counters of the policy. One thread commits:
//! writes that arrive together share one fsync. An answer `Ok` means: on disk. Nothing here is secret.

use crate::bans::Banned;
use crate::charge_tables;
use crate::checkpoint_tables;
use crate::clock::now_ms;
use crate::journal_tables::{self as tables, Tables};
use crate::limits::CheckpointLimits;
use crate::policy::Charge;
use crate::refusal::{RefusalCode, Refused};
use crate::rosters;
use crate::wire::{Ban, Checkpoint, CheckpointList, CheckpointPlace, Id};
use ed25519_dalek::VerifyingKey;
use redb::{Database, ReadTransaction, ReadableTable};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Writes grouped into one commit at most.
const BATCH: usize = 256;

pub enum Record {
    /// Before round 1. Refused if the command or session was used, something is bound to other content (the operation to
    /// its message), or a counter of the policy would pass its limit.
    Begin {
        command_id: Id,
        expires_at_ms: u64,
        session_id: [u8; 32],
        bindings: Vec<(Id, [u8; 32])>,
        charges: Vec<Charge>,
    },
    /// Before a signature share leaves: from here on the message counts as signed.
    Released {
        operation_id: Id,
        attempt: u32,
        session_id: [u8; 32],
    },
    /// `identity` is the peer's: a ban is of who it was, besides its index.
    Ban {
        ban: Ban,
        identity: [u8; 32],
    },
    /// Commands that expire up to here are refused from now on.
    ExpiryFloor {
        ms: u64,
    },
    Roster {
        roster: [u8; 32],
        nodes: BTreeMap<u8, VerifyingKey>,
    },
    /// Refused unless it is the kept one or goes on from there. `day` counts from 1970.
    Checkpoint {
        checkpoint: Checkpoint,
        day: u64,
        limits: CheckpointLimits,
    },
}

type Write = (Record, SyncSender<Result<(), Refused>>);

pub struct Journal {
    file: Arc<JournalFile>,
    /// `None` only while dropping.
    writes: Option<SyncSender<Write>>,
    committer: Option<JoinHandle<()>>,
}

/// After a write that failed, as on a full disk, redb takes no other before the file is opened again: the next use does.
struct JournalFile {
    path: PathBuf,
    database: Mutex<Option<Arc<Database>>>,
}

impl JournalFile {
    fn database(&self) -> Result<Arc<Database>, redb::Error> {
        let mut database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = &*database {
            return Ok(database.clone());
        }
        let opened = Arc::new(Database::open(&self.path)?);
        *database = Some(opened.clone());
        Ok(opened)
    }

    fn close(&self) {
        *self.database.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

const FAILED: Refused = Refused::internal("The journal could not be written or read.");

impl Journal {
    pub fn open(path: &Path) -> Result<Self, String> {
        let database = Database::create(path).map_err(|e| format!("cannot open the journal: {e}"))?;
        tables::create(&database).map_err(|e| format!("cannot prepare the journal: {e}"))?;
        let database = Mutex::new(Some(Arc::new(database)));
        let file = Arc::new(JournalFile { path: path.to_path_buf(), database });
        let (writes, queue) = sync_channel(4 * BATCH);
        let writer = file.clone();
        let committer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || commit_batches(&writer, &queue))
            .map_err(|e| format!("cannot start the journal: {e}"))?;
        Ok(Self { file, writes: Some(writes), committer: Some(committer) })
    }

    /// Returns once the record is on disk, or refused.
    pub fn write(&self, record: Record) -> Result<(), Refused> {
        let (reply, answer) = sync_channel(1);
        self.writes.as_ref().ok_or(FAILED)?.send((record, reply)).map_err(|_| FAILED)?;
        answer.recv().map_err(|_| FAILED)?
    }

    fn begin_read(&self) -> Result<ReadTransaction, Refused> {
        self.file.database().map_err(|_| FAILED)?.begin_read().map_err(|_| FAILED)
    }

    /// The early answer to `Open`; `Record::Begin` decides.
    pub fn check_unused(&self, command_id: Id, expires_at_ms: u64) -> Result<(), Refused> {
        let read = self.begin_read()?;
        let meta = read.open_table(tables::META).map_err(|_| FAILED)?;
        let floor_ms = meta.get(tables::EXPIRY_FLOOR_MS).map_err(|_| FAILED)?.map_or(0, |v| v.value());
        if expires_at_ms <= floor_ms {
            return Err(tables::BELOW_FLOOR);
        }
        let commands = read.open_table(tables::COMMANDS).map_err(|_| FAILED)?;
        match commands.get(&command_id).map_err(|_| FAILED)? {
            Some(_) => Err(COMMAND_USED),
            None => Ok(()),
        }
    }

    pub fn check_bindings(&self, bindings: &[(Id, [u8; 32])]) -> Result<(), Refused> {
        let read = self.begin_read()?;
        let bound = read.open_table(tables::OPERATIONS).map_err(|_| FAILED)?;
        for (id, content) in bindings {
            if bound.get(id).map_err(|_| FAILED)?.is_some_and(|bound| bound.value() != content) {
                return Err(MESSAGE_CONFLICT);
            }
        }
        Ok(())
    }

    /// The early answer to `Open`, like `check_unused`.
    pub fn check_charges(&self, charges: &[Charge]) -> Result<(), Refused> {
        if charges.is_empty() {
            return Ok(());
        }
        let read = self.begin_read()?;
        let bound = read.open_table(tables::OPERATIONS).map_err(|_| FAILED)?;
        charge_tables::check(&read, charges, &bound).map_err(|_| FAILED)?
    }

    pub fn bans(&self) -> Result<Vec<Banned>, Refused> {
        let read = self.begin_read()?;
        let bans = read.open_table(tables::BANS).map_err(|_| FAILED)?;
        let identities = read.open_table(tables::BANNED_IDENTITIES).map_err(|_| FAILED)?;
        let mut all = vec![];
        for entry in bans.iter().map_err(|_| FAILED)? {
            let (key, ban) = entry.map_err(|_| FAILED)?;
            let identity = identities.get(key.value()).map_err(|_| FAILED)?.map(|identity| *identity.value());
            all.push(Banned { ban: crate::wire::decode(ban.value()).ok_or(FAILED)?, identity });
        }
        Ok(all)
    }

    /// The nodes of a roster that this node has run with.
    pub fn roster(&self, roster: &[u8; 32]) -> Result<Option<BTreeMap<u8, VerifyingKey>>, Refused> {
        let read = self.begin_read()?;
        rosters::find(&read, roster).map_err(|_| FAILED)
    }

    pub fn checkpoints(
        &self,
        list: CheckpointList,
        after: Option<CheckpointPlace>,
    ) -> Result<Vec<Checkpoint>, Refused> {
        let read = self.begin_read()?;
        checkpoint_tables::page(&read, list, after).map_err(|_| FAILED)
    }

    /// Whether a signature share of this attempt has left, or was about to.
    pub fn was_released(&self, operation_id: Id, attempt: u32) -> Result<bool, Refused> {
        let read = self.begin_read()?;
        let released = read.open_table(tables::RELEASED).map_err(|_| FAILED)?;
        Ok(released.get(&tables::released_key(operation_id, attempt)).map_err(|_| FAILED)?.is_some())
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

pub const COMMAND_USED: Refused = Refused::new(RefusalCode::CommandUsed, "This command was used before.");
pub const MESSAGE_CONFLICT: Refused =
    Refused::new(RefusalCode::MessageConflict, "This operation is bound to another message.");

fn commit_batches(file: &JournalFile, queue: &Receiver<Write>) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match queue.try_recv() {
                Ok(write) => batch.push(write),
                Err(_) => break,
            }
        }
        let (records, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let answers = file.database().and_then(|database| commit(&database, &records)).unwrap_or_else(|error| {
            eprintln!("the journal could not be written: {error}");
            file.close();
            vec![Err(FAILED); records.len()]
        });
        for (reply, answer) in replies.into_iter().zip(answers) {
            let _ = reply.send(answer);
        }
    }
}

fn commit(database: &Database, records: &[Record]) -> Result<Vec<Result<(), Refused>>, redb::Error> {
    let transaction = database.begin_write()?;
    let mut answers = Vec::with_capacity(records.len());
    {
        let mut tables = Tables::open(&transaction)?;
        for record in records {
            answers.push(tables.apply(record)?);
        }
        tables.prune(now_ms())?;
    }
    transaction.commit()?;
    Ok(answers)
}
