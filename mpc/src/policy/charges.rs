//! What a signature counts towards: rates by minute and hour, amounts by day. Windows are those of the UTC clock.

use super::file::Rates;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{encode, Id};
use sha2::{Digest, Sha256};

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

/// Added to a counter before anything is signed, and refused where the counter would pass its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub window_start_ms: u64,
    /// When the window is over.
    pub window_end_ms: u64,
    pub counter: [u8; 32],
    /// What is counted once, however often it is signed: the operation, or what several operations sign together. As it
    /// is bound in the journal.
    pub subject: Id,
    pub amount: u128,
    pub limit: u128,
    pub sentence: &'static str,
}

impl Charge {
    /// The next window has room for it again, unless it is above the limit by itself.
    pub fn refusal(&self) -> Refused {
        let code = if self.amount > self.limit { RefusalCode::PolicyRefused } else { RefusalCode::Busy };
        Refused::new(code, self.sentence)
    }
}

/// A Bitcoin transaction, as far as it is one wallet's.
pub fn transaction_subject(wallet_id: &Id, transaction: &[u8]) -> Id {
    short_hash(&("countersign/v1/wallet-transaction", wallet_id, transaction))
}

/// A name for content among the identifiers that the journal binds.
pub fn short_hash(content: &impl borsh::BorshSerialize) -> Id {
    let mut id = Id::default();
    id.copy_from_slice(&Sha256::digest(encode(content))[..16]);
    id
}

/// Collects the charges of one operation.
pub struct Charging {
    pub charges: Vec<Charge>,
    operation_id: Id,
    wallet_id: Id,
    now_ms: u64,
}

impl Charging {
    pub fn new(operation_id: Id, wallet_id: Id, now_ms: u64) -> Self {
        Self { charges: vec![], operation_id, wallet_id, now_ms }
    }

    pub fn rates(&mut self, rates: &Rates) {
        let all = "The policy of this node signs no more for now, at the rate it allows.";
        let wallet = "The policy of this node signs no more for this wallet for now.";
        let wallet_id = self.wallet_id;
        for (limit, window_ms, of, sentence) in [
            (rates.per_minute, MINUTE_MS, None, all),
            (rates.per_hour, HOUR_MS, None, all),
            (rates.wallet_per_minute, MINUTE_MS, Some(wallet_id), wallet),
            (rates.wallet_per_hour, HOUR_MS, Some(wallet_id), wallet),
        ] {
            if let Some(limit) = limit {
                let subject = self.operation_id;
                self.charge((window_ms, encode(&("rate", of))), subject, 1, u128::from(limit), sentence);
            }
        }
    }

    /// `asset` tells what the amount is of; `once` is the Bitcoin transaction, each of whose inputs is an operation.
    pub fn day(&mut self, asset: &[u8], once: Option<&[u8]>, amount: u128, limit: Option<u128>) {
        let Some(limit) = limit else { return };
        let subject = once.map_or(self.operation_id, |transaction| transaction_subject(&self.wallet_id, transaction));
        let sentence = "The policy of this node refuses more of this asset today.";
        self.charge((DAY_MS, encode(&("day", self.wallet_id, asset))), subject, amount, limit, sentence);
    }

    fn charge(&mut self, counter: (u64, Vec<u8>), subject: Id, amount: u128, limit: u128, sentence: &'static str) {
        let (window_ms, name) = counter;
        let window_start_ms = self.now_ms / window_ms * window_ms;
        let window_end_ms = window_start_ms + window_ms;
        let counter = Sha256::digest(encode(&("countersign/v1/counter", window_ms, name))).into();
        // Of one operation several amounts of an asset are one.
        if let Some(same) = self.charges.iter_mut().find(|charge| charge.counter == counter) {
            same.amount = same.amount.saturating_add(amount);
            return;
        }
        self.charges.push(Charge { window_start_ms, window_end_ms, counter, subject, amount, limit, sentence });
    }
}
