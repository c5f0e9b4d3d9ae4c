//! The checkpoints' part of the journal: the newest of each workspace, and the first of each day, which no later one
//! replaces. So who can command a node to keep what they like still cannot have it forget what it kept on a day before.

use crate::limits::{CheckpointLimits, CHECKPOINTS_A_PAGE};
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Checkpoint, CheckpointList, CheckpointPlace};
use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use std::ops::Bound;

type Workspace = &'static [u8; 16];
/// Workspace and seq.
type Place = (Workspace, u64);
/// Seq or day, and hash.
type Kept = (u64, &'static [u8; 32]);

/// Workspace → (seq, hash).
const NEWEST: TableDefinition<Workspace, Kept> = TableDefinition::new("checkpoints");
/// (workspace, seq) → (day, hash).
const FIRST_OF_DAYS: TableDefinition<Place, Kept> = TableDefinition::new("day_checkpoints");

const BEHIND: Refused = Refused::new(RefusalCode::CheckpointConflict, "A later checkpoint of this workspace is kept.");
const DIFFERS: Refused = Refused::new(RefusalCode::CheckpointConflict, "Another checkpoint is kept under this number.");
const FULL: Refused = Refused::new(RefusalCode::Busy, "Checkpoints of too many workspaces are kept.");

pub struct CheckpointTables<'t> {
    newest: Table<'t, Workspace, Kept>,
    first_of_days: Table<'t, Place, Kept>,
}

impl<'t> CheckpointTables<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, redb::Error> {
        let (newest, first_of_days) = (transaction.open_table(NEWEST)?, transaction.open_table(FIRST_OF_DAYS)?);
        Ok(Self { newest, first_of_days })
    }

    /// Every check comes before the first insert: a refused checkpoint leaves nothing behind.
    pub fn keep(
        &mut self,
        checkpoint: &Checkpoint,
        day: u64,
        limits: &CheckpointLimits,
    ) -> Result<Result<(), Refused>, redb::Error> {
        let Checkpoint { workspace_id, seq, hash } = checkpoint;
        let kept = self.newest.get(workspace_id)?.map(|kept| (kept.value().0, *kept.value().1));
        match kept {
            Some((newest, same)) if newest == *seq => return Ok(if same == *hash { Ok(()) } else { Err(DIFFERS) }),
            Some((newest, _)) if newest > *seq => return Ok(Err(BEHIND)),
            None if self.newest.len()? >= limits.workspaces => return Ok(Err(FULL)),
            _ => {}
        }
        self.newest.insert(workspace_id, (*seq, hash))?;
        self.keep_first_of_day(checkpoint, day, limits.days)?;
        Ok(Ok(()))
    }

    /// A clock that was set back keeps none until it is past the last day again.
    fn keep_first_of_day(&mut self, checkpoint: &Checkpoint, day: u64, days: usize) -> Result<(), redb::Error> {
        let Checkpoint { workspace_id, seq, hash } = checkpoint;
        let mut kept = vec![];
        for entry in self.first_of_days.range((workspace_id, 0)..=(workspace_id, u64::MAX))? {
            let (key, value) = entry?;
            kept.push((key.value().1, value.value().0));
        }
        if kept.last().is_some_and(|(_, last_day)| *last_day >= day) {
            return Ok(());
        }
        self.first_of_days.insert((workspace_id, *seq), (day, hash))?;
        for (oldest, _) in kept.iter().take((kept.len() + 1).saturating_sub(days)) {
            self.first_of_days.remove((workspace_id, *oldest))?;
        }
        Ok(())
    }
}

/// At most `CHECKPOINTS_A_PAGE`.
pub fn page(
    read: &ReadTransaction,
    list: CheckpointList,
    after: Option<CheckpointPlace>,
) -> Result<Vec<Checkpoint>, redb::Error> {
    match list {
        CheckpointList::Newest => newest_page(read, after),
        CheckpointList::FirstOfDays => first_of_days_page(read, after),
    }
}

fn newest_page(read: &ReadTransaction, after: Option<CheckpointPlace>) -> Result<Vec<Checkpoint>, redb::Error> {
    let table = read.open_table(NEWEST)?;
    let from = after.as_ref().map_or(Bound::Unbounded, |place| Bound::Excluded(&place.workspace_id));
    let mut page = vec![];
    for entry in table.range::<&[u8; 16]>((from, Bound::Unbounded))?.take(CHECKPOINTS_A_PAGE) {
        let (key, value) = entry?;
        let (seq, hash) = value.value();
        page.push(Checkpoint { workspace_id: *key.value(), seq, hash: *hash });
    }
    Ok(page)
}

fn first_of_days_page(read: &ReadTransaction, after: Option<CheckpointPlace>) -> Result<Vec<Checkpoint>, redb::Error> {
    let table = read.open_table(FIRST_OF_DAYS)?;
    let from = after.as_ref().map_or(Bound::Unbounded, |place| Bound::Excluded((&place.workspace_id, place.seq)));
    let mut page = vec![];
    for entry in table.range::<(&[u8; 16], u64)>((from, Bound::Unbounded))?.take(CHECKPOINTS_A_PAGE) {
        let (key, value) = entry?;
        let (workspace_id, seq) = key.value();
        page.push(Checkpoint { workspace_id: *workspace_id, seq, hash: *value.value().1 });
    }
    Ok(page)
}
