//! The journal's tables and the rules by which one record enters them. No threads, no transactions of its own.

use super::acknowledgement_table::AcknowledgementTable;
use super::attestation_tables::AttestationTables;
use super::charge_tables::ChargeTables;
use super::checkpoint_tables::CheckpointTables;
use super::record::Record;
use super::roster_table::RosterTable;
use crate::policy::Charge;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{encode, Id};
use redb::{Database, ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

pub const COMMANDS: TableDefinition<&[u8; 16], u64> = TableDefinition::new("commands");
const SESSIONS: TableDefinition<&[u8; 32], u64> = TableDefinition::new("sessions");
/// (expiry, command) → session: what to prune, in order of expiry.
const EXPIRIES: TableDefinition<(u64, &[u8; 16]), &[u8; 32]> = TableDefinition::new("expiries");
/// Operation → hash of wallet, curve, path and payload; Bitcoin transaction → hash of its coins. Kept for ever.
pub const OPERATIONS: TableDefinition<&[u8; 16], &[u8; 32]> = TableDefinition::new("operations");
pub const BANS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("bans");
/// By the key of its ban.
pub const BANNED_IDENTITIES: TableDefinition<&[u8], &[u8; 32]> = TableDefinition::new("banned_identities");
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// Commands that expire up to this moment are refused, whatever the clock says: a restored node has forgotten their
/// ids.
pub const EXPIRY_FLOOR_MS: &str = "expiry_floor_ms";
pub const BELOW_FLOOR: Refused = Refused::new(RefusalCode::Expired, "The command has expired.");
pub const COMMAND_USED: Refused = Refused::new(RefusalCode::CommandUsed, "This command was used before.");
pub const MESSAGE_CONFLICT: Refused =
    Refused::new(RefusalCode::MessageConflict, "This operation is bound to another message.");
/// What time it is at least, by the commands that were used: see `clock`. Refused like the floor.
const TIME_PASSED_MS: &str = "time_passed_ms";
/// The counters of windows that began before are not whole.
pub const COUNTED_FROM_MS: &str = "counted_from_ms";
/// Pruned in one commit at most, so that no commit is slow.
const PRUNED_AT_ONCE: usize = 64;

pub fn create(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    Tables::open(&transaction)?;
    transaction.commit()?;
    Ok(())
}

pub fn time_passed_ms(read: &ReadTransaction) -> Result<u64, redb::Error> {
    Ok(read.open_table(META)?.get(TIME_PASSED_MS)?.map_or(0, |v| v.value()))
}

pub struct Tables<'t> {
    commands: Table<'t, &'static [u8; 16], u64>,
    sessions: Table<'t, &'static [u8; 32], u64>,
    expiries: Table<'t, (u64, &'static [u8; 16]), &'static [u8; 32]>,
    operations: Table<'t, &'static [u8; 16], &'static [u8; 32]>,
    bans: Table<'t, &'static [u8], &'static [u8]>,
    banned_identities: Table<'t, &'static [u8], &'static [u8; 32]>,
    rosters: RosterTable<'t>,
    acknowledged: AcknowledgementTable<'t>,
    meta: Table<'t, &'static str, u64>,
    checkpoints: CheckpointTables<'t>,
    charges: ChargeTables<'t>,
    pub marks: AttestationTables<'t>,
}

impl<'t> Tables<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            commands: transaction.open_table(COMMANDS)?,
            sessions: transaction.open_table(SESSIONS)?,
            expiries: transaction.open_table(EXPIRIES)?,
            operations: transaction.open_table(OPERATIONS)?,
            bans: transaction.open_table(BANS)?,
            banned_identities: transaction.open_table(BANNED_IDENTITIES)?,
            rosters: RosterTable::open(transaction)?,
            acknowledged: AcknowledgementTable::open(transaction)?,
            meta: transaction.open_table(META)?,
            checkpoints: CheckpointTables::open(transaction)?,
            charges: ChargeTables::open(transaction)?,
            marks: AttestationTables::open(transaction)?,
        })
    }

    /// The outer error is the disk's and fails the whole batch; the inner one refuses this record alone.
    pub fn apply(&mut self, record: &Record) -> Result<Result<(), Refused>, redb::Error> {
        match record {
            Record::Begin { command_id, expires_at_ms, signed_after_ms, session_id, bindings, charges } => {
                let begun = self.begin(command_id, *expires_at_ms, session_id, (bindings, charges))?;
                if begun.is_ok() {
                    self.raise(TIME_PASSED_MS, *signed_after_ms)?;
                }
                Ok(begun)
            }
            Record::Ban { ban, identity } => {
                let key = encode(&(&ban.root_public_key, ban.peer, ban.generation));
                // The first ban stands: a repeat must not change when it happened.
                if self.bans.get(key.as_slice())?.is_none() {
                    self.bans.insert(key.as_slice(), encode(ban).as_slice())?;
                    self.banned_identities.insert(key.as_slice(), identity)?;
                }
                Ok(Ok(()))
            }
            Record::Restored { at_ms, floor_ms } => {
                self.marks.restored(*at_ms)?;
                self.raise(EXPIRY_FLOOR_MS, *floor_ms)?;
                self.raise(COUNTED_FROM_MS, *floor_ms).map(Ok)
            }
            Record::Roster { roster, nodes } => {
                self.marks.keep_only(nodes)?;
                self.rosters.keep(roster, nodes).map(Ok)
            }
            Record::Checkpoint { checkpoint, day, limits } => self.checkpoints.keep(checkpoint, *day, limits),
            Record::Acknowledged { wallet_id, curve, share } => self.acknowledged.keep(wallet_id, *curve, share),
            Record::Attestations(marks) => self.marks.keep(marks).map(Ok),
            Record::RolledBack { seen } => self.marks.note_rolled_back(seen).map(Ok),
        }
    }

    /// Every check comes before the first insert: a refused record leaves nothing behind.
    fn begin(
        &mut self,
        command_id: &Id,
        expires_at_ms: u64,
        session_id: &[u8; 32],
        (bindings, charges): (&[(Id, [u8; 32])], &[Charge]),
    ) -> Result<Result<(), Refused>, redb::Error> {
        if expires_at_ms <= self.expired_ms()? {
            return Ok(Err(BELOW_FLOOR));
        }
        if self.commands.get(command_id)?.is_some() || self.sessions.get(session_id)?.is_some() {
            return Ok(Err(COMMAND_USED));
        }
        for (id, content) in bindings {
            if self.operations.get(id)?.is_some_and(|bound| bound.value() != content) {
                return Ok(Err(MESSAGE_CONFLICT));
            }
        }
        // The last check, since it counts at once.
        if let Err(refused) = self.charges.charge(charges, &self.operations, self.noted(COUNTED_FROM_MS)?)? {
            return Ok(Err(refused));
        }
        for (id, content) in bindings {
            self.operations.insert(id, content)?;
        }
        self.commands.insert(command_id, expires_at_ms)?;
        self.sessions.insert(session_id, expires_at_ms)?;
        self.expiries.insert((expires_at_ms, command_id), session_id)?;
        Ok(Ok(()))
    }

    /// What expired up to here is refused for ever, so that its ids need not be kept. By what was signed and not by the
    /// machine's clock: one that was set forward for a moment must have nothing forgotten, nor refused when it is right
    /// again.
    fn expired_ms(&self) -> Result<u64, redb::Error> {
        Ok(self.noted(EXPIRY_FLOOR_MS)?.max(self.noted(TIME_PASSED_MS)?))
    }

    pub fn prune(&mut self) -> Result<(), redb::Error> {
        let expired_ms = self.expired_ms()?;
        let mut expired = vec![];
        for entry in self.expiries.range(..(expired_ms, &[0; 16]))?.take(PRUNED_AT_ONCE) {
            let (key, session) = entry?;
            expired.push((key.value().0, *key.value().1, *session.value()));
        }
        for (expires_at_ms, command_id, session_id) in &expired {
            self.expiries.remove((*expires_at_ms, command_id))?;
            self.commands.remove(command_id)?;
            self.sessions.remove(session_id)?;
        }
        self.charges.prune(expired_ms, PRUNED_AT_ONCE)
    }

    fn noted(&self, name: &str) -> Result<u64, redb::Error> {
        Ok(self.meta.get(name)?.map_or(0, |v| v.value()))
    }

    fn raise(&mut self, name: &str, ms: u64) -> Result<(), redb::Error> {
        let noted_ms = self.noted(name)?;
        self.meta.insert(name, noted_ms.max(ms))?;
        Ok(())
    }
}
