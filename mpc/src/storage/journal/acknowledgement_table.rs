//! The journal's memory of which share of a key this node has acknowledged: one of an epoch and roster, for ever. Only
//! that of the latest epoch is kept, since no earlier one can be the key again.

use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{decode, encode, Curve, Id};
use borsh::{BorshDeserialize, BorshSerialize};
use redb::{Error, ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

/// Wallet and curve → Borsh of `Acknowledged`.
const ACKNOWLEDGED: TableDefinition<&[u8; 17], &[u8]> = TableDefinition::new("acknowledged");
const OTHER_ACKNOWLEDGED: Refused =
    Refused::new(RefusalCode::WrongEpoch, "This node has acknowledged another share of this epoch.");

/// What identifies the share.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    pub epoch: u32,
    pub roster: [u8; 32],
    pub session_id: [u8; 32],
}

impl From<&KeyStatement> for Acknowledged {
    fn from(statement: &KeyStatement) -> Self {
        let KeyStatement { epoch, roster, session_id, .. } = statement;
        Self { epoch: *epoch, roster: *roster, session_id: *session_id }
    }
}

impl Acknowledged {
    /// Whether the two are of one epoch and roster, of which only one share may be acknowledged.
    pub fn rules_out(&self, other: &Self) -> bool {
        (self.epoch, self.roster) == (other.epoch, other.roster) && self.session_id != other.session_id
    }
}

fn key_of(wallet_id: &Id, curve: Curve) -> [u8; 17] {
    let mut key = [curve as u8; 17];
    key[..16].copy_from_slice(wallet_id);
    key
}

pub struct AcknowledgementTable<'t>(Table<'t, &'static [u8; 17], &'static [u8]>);

impl<'t> AcknowledgementTable<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, Error> {
        Ok(Self(transaction.open_table(ACKNOWLEDGED)?))
    }

    pub fn keep(&mut self, wallet_id: &Id, curve: Curve, new: &Acknowledged) -> Result<Result<(), Refused>, Error> {
        let key = key_of(wallet_id, curve);
        let known: Option<Acknowledged> = self.0.get(&key)?.and_then(|known| decode(known.value()));
        if known.is_some_and(|known| known.epoch > new.epoch || known.rules_out(new)) {
            return Ok(Err(OTHER_ACKNOWLEDGED));
        }
        self.0.insert(&key, encode(new).as_slice())?;
        Ok(Ok(()))
    }
}

pub fn find(read: &ReadTransaction, wallet_id: &Id, curve: Curve) -> Result<Option<Acknowledged>, Error> {
    Ok(read.open_table(ACKNOWLEDGED)?.get(&key_of(wallet_id, curve))?.and_then(|known| decode(known.value())))
}
