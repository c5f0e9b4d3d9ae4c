//! The journal's memory of rosters: which identities each one named that this node has run with. A statement that was
//! signed before a machine was replaced still needs the keys it was signed with.

use crate::wire::{decode, encode};
use ed25519_dalek::VerifyingKey;
use redb::{Error, ReadTransaction, Table, TableDefinition, WriteTransaction};
use std::collections::BTreeMap;

/// Roster → Borsh of (index, identity), ascending.
const ROSTERS: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("rosters");

pub struct RosterTable<'t>(Table<'t, &'static [u8; 32], &'static [u8]>);

impl<'t> RosterTable<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, Error> {
        Ok(Self(transaction.open_table(ROSTERS)?))
    }

    pub fn keep(&mut self, roster: &[u8; 32], nodes: &BTreeMap<u8, VerifyingKey>) -> Result<(), Error> {
        let nodes: Vec<(u8, [u8; 32])> = nodes.iter().map(|(index, key)| (*index, key.to_bytes())).collect();
        self.0.insert(roster, encode(&nodes).as_slice())?;
        Ok(())
    }
}

/// `None` for a roster that this node has not run with.
pub fn find(read: &ReadTransaction, roster: &[u8; 32]) -> Result<Option<BTreeMap<u8, VerifyingKey>>, Error> {
    let table = read.open_table(ROSTERS)?;
    let Some(kept) = table.get(roster)? else { return Ok(None) };
    let nodes: Vec<(u8, [u8; 32])> = decode(kept.value()).unwrap_or_default();
    let keys = nodes.into_iter().map(|(index, key)| Some((index, VerifyingKey::from_bytes(&key).ok()?)));
    Ok(keys.collect())
}
