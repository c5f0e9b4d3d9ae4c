//! The rules of Bitcoin transactions. Whatever does not come back to the key that signs is spent. The fee rests on what
//! is said of the other inputs' coins; that the same is said for every input is held in the journal.

use super::charges::Charging;
use super::fee_caps;
use super::file::BitcoinRules;
use super::native_outflow::{self, Limits, Spent};
use super::refusals::{refused, REFUSED_DESTINATION};
use super::values::BitcoinScript;
use crate::chains::bitcoin::BitcoinInput;
use crate::wire::refusal::Refused;

pub fn check(rules: &BitcoinRules, input: &BitcoinInput, charging: &mut Charging) -> Result<(), Refused> {
    let transaction = input.read().map_err(Refused::invalid)?;
    let own = &input.coin().map_err(Refused::invalid)?.script;
    let mut amount = 0u128;
    for output in transaction.outputs.iter().filter(|output| output.script != own.as_slice()) {
        let script = BitcoinScript(output.script.to_vec());
        if !rules.destinations.as_ref().is_none_or(|allowed| allowed.contains(&script)) {
            return Err(REFUSED_DESTINATION);
        }
        amount += u128::from(output.amount);
    }
    let fee = input.fee(&transaction).ok_or(refused("The policy of this node refuses outputs above the coins."))?;
    let spent = Spent { asset: b"bitcoin", once: Some(&input.transaction), amount, fee };
    native_outflow::check(&spent, &rules.limits(), charging)
}

impl BitcoinRules {
    fn limits(&self) -> Limits {
        let fee_max = self.fee_max.unwrap_or(fee_caps::BITCOIN);
        Limits { amount_max: self.amount_max, daily_max: self.daily_max, fee_max }
    }
}
