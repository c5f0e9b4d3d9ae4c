//! The counters of the policy: what was signed in a window, counted before anything is signed. They lie in the journal,
//! because one that a restart sets back limits nothing.

use crate::policy::Charge;
use crate::wire::refusal::{RefusalCode, Refused};
use redb::{ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

/// End of the window, and the counter's hash.
type Key = (u64, &'static [u8; 32]);
/// The sum so far, big-endian.
type Sum = &'static [u8; 16];
/// What is bound in the journal: its identifier, and the hash of its content.
type Bound = &'static [u8; 16];
type Content = &'static [u8; 32];

const COUNTERS: TableDefinition<Key, Sum> = TableDefinition::new("counters");
/// Windows are kept for two days past their end: a clock that is set back further has no command that is not expired.
const KEPT_MS: u64 = 2 * 86_400_000;

pub struct ChargeTables<'t>(Table<'t, Key, Sum>);

impl<'t> ChargeTables<'t> {
    pub fn open(transaction: &'t WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self(transaction.open_table(COUNTERS)?))
    }

    /// All or none. `bound` is what was begun before: a retry is not counted again. `counted_from_ms` is when the
    /// counters began to be whole.
    pub fn charge(
        &mut self,
        charges: &[Charge],
        bound: &impl ReadableTable<Bound, Content>,
        counted_from_ms: u64,
    ) -> Result<Result<(), Refused>, redb::Error> {
        let due = match due(charges, &self.0, bound, counted_from_ms)? {
            Ok(due) => due,
            Err(refused) => return Ok(Err(refused)),
        };
        for (charge, sum) in due {
            self.0.insert((charge.window_end_ms, &charge.counter), &sum.to_be_bytes())?;
        }
        Ok(Ok(()))
    }

    pub fn prune(&mut self, now_ms: u64, at_once: usize) -> Result<(), redb::Error> {
        let mut over = vec![];
        for entry in self.0.range(..(now_ms.saturating_sub(KEPT_MS), &[0; 32]))?.take(at_once) {
            let key = entry?.0;
            over.push((key.value().0, *key.value().1));
        }
        for (window_end_ms, counter) in over {
            self.0.remove((window_end_ms, &counter))?;
        }
        Ok(())
    }
}

pub fn check(
    read: &ReadTransaction,
    charges: &[Charge],
    bound: &impl ReadableTable<Bound, Content>,
    counted_from_ms: u64,
) -> Result<Result<(), Refused>, redb::Error> {
    Ok(due(charges, &read.open_table(COUNTERS)?, bound, counted_from_ms)?.map(drop))
}

const NOT_COUNTED: Refused = Refused::new(
    RefusalCode::Busy,
    "This node was restored, and what it signed before is not known. Its limits count from their next window on.",
);

type Due<'c> = Vec<(&'c Charge, u128)>;

/// The charges that are not counted yet, with the sums that they make.
fn due<'c>(
    charges: &'c [Charge],
    counters: &impl ReadableTable<Key, Sum>,
    bound: &impl ReadableTable<Bound, Content>,
    counted_from_ms: u64,
) -> Result<Result<Due<'c>, Refused>, redb::Error> {
    let mut due = vec![];
    for charge in charges {
        if bound.get(&charge.subject)?.is_some() {
            continue;
        }
        if charge.window_start_ms < counted_from_ms {
            return Ok(Err(NOT_COUNTED));
        }
        let counted = counters.get((charge.window_end_ms, &charge.counter))?;
        let sum = counted.map_or(0, |sum| u128::from_be_bytes(*sum.value())).saturating_add(charge.amount);
        if sum > charge.limit {
            return Ok(Err(charge.refusal()));
        }
        due.push((charge, sum));
    }
    Ok(Ok(due))
}
