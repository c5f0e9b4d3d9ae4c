//! The sentences that more than one rule refuses with.

use super::values::Amount;
use crate::wire::refusal::{RefusalCode, Refused};

pub const fn refused(sentence: &'static str) -> Refused {
    Refused::new(RefusalCode::PolicyRefused, sentence)
}

pub const REFUSED_CHAIN: Refused = refused("The policy of this node refuses this chain.");
pub const REFUSED_DESTINATION: Refused = refused("The policy of this node refuses this destination.");
pub const REFUSED_TOKEN: Refused = refused("The policy of this node refuses this token.");
pub const TOO_MUCH: &str = "The policy of this node refuses so high an amount.";

pub fn within(amount: u128, max: Option<Amount>, sentence: &'static str) -> Result<(), Refused> {
    if max.is_none_or(|max| amount <= max.0) {
        return Ok(());
    }
    Err(refused(sentence))
}
