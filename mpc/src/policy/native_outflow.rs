//! What leaves a wallet in the coin of a chain: what is sent and the fee, which is paid in the same coin.

use super::charges::Charging;
use super::refusals::{within, TOO_MUCH};
use super::values::Amount;
use crate::wire::refusal::Refused;

pub struct Spent<'a> {
    /// The name that the day's counter has for the coin.
    pub asset: &'a [u8],
    /// The Bitcoin transaction, each of whose inputs is an operation of its own.
    pub once: Option<&'a [u8]>,
    pub amount: u128,
    pub fee: u128,
}

pub struct Limits {
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
    pub fee_max: Amount,
}

const FEE_TOO_HIGH: &str = "The policy of this node refuses so high a fee.";

pub fn check(spent: &Spent, limits: &Limits, charging: &mut Charging) -> Result<(), Refused> {
    within(spent.fee, Some(limits.fee_max), FEE_TOO_HIGH)?;
    within(spent.under(limits.amount_max), limits.amount_max, TOO_MUCH)?;
    charging.day(spent.asset, spent.once, spent.under(limits.daily_max), limits.daily_max.map(|max| max.0));
    Ok(())
}

impl Spent<'_> {
    /// What counts under a limit. A limit of nothing forbids to send the coin: a transfer of tokens still pays its fee.
    fn under(&self, limit: Option<Amount>) -> u128 {
        if self.amount == 0 && limit == Some(Amount(0)) {
            return 0;
        }
        self.amount.saturating_add(self.fee)
    }
}
