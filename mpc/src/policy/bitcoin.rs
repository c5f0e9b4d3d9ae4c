//! The rules of Bitcoin transactions. Whatever does not come back to the key that signs is spent. The fee rests on what is
//! said of the other inputs' coins; that the same is said for every input is held in the journal.

use super::charges::Charging;
use super::evm::{within, REFUSED_DESTINATION, TOO_MUCH};
use super::file::BitcoinRules;
use super::refused;
use super::values::BitcoinScript;
use crate::chains::bitcoin::BitcoinInput;
use crate::refusal::Refused;

pub fn check(rules: &BitcoinRules, input: &BitcoinInput, charging: &mut Charging) -> Result<(), Refused> {
    let transaction = input.read().map_err(Refused::invalid)?;
    let own = &input.coin().map_err(Refused::invalid)?.script;
    let mut spent = 0u128;
    for output in transaction.outputs.iter().filter(|output| output.script != own.as_slice()) {
        let script = BitcoinScript(output.script.to_vec());
        if !rules.destinations.as_ref().is_none_or(|allowed| allowed.contains(&script)) {
            return Err(REFUSED_DESTINATION);
        }
        spent += u128::from(output.amount);
    }
    within(spent, rules.amount_max, TOO_MUCH)?;
    let fee = input.fee(&transaction).ok_or(refused("The policy of this node refuses outputs above the coins."))?;
    within(fee, rules.fee_max, "The policy of this node refuses so high a fee.")?;
    charging.day(b"bitcoin", Some(&input.transaction), spent, rules.daily_max.map(|max| max.0));
    Ok(())
}
