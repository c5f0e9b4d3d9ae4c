//! The rules of Solana messages: every instruction has to be a known one, and what they move together is within the
//! limits.

use super::charges::Charging;
use super::fee_caps;
use super::file::{SolanaRisk, SolanaRules};
use super::native_outflow::{self, Limits, Spent};
use super::refusals::{refused, within, REFUSED_DESTINATION, TOO_MUCH};
use super::tokens::TokenRules;
use super::values::SolanaAddress;
use crate::chains::solana::{fee_max, read_instruction, Does};
use crate::chains::solana_account::{associated_token_account, Account};
use crate::chains::solana_message;
use crate::wire::encode;
use crate::wire::refusal::Refused;
use std::collections::{BTreeMap, BTreeSet};

pub fn check(rules: &SolanaRules, message: &[u8], charging: &mut Charging) -> Result<(), Refused> {
    let message = solana_message::read(message).map_err(Refused::invalid)?;
    let (mut lamports_sum, mut token_sums) = (0u128, BTreeMap::<Account, u128>::new());
    for instruction in &message.instructions {
        match read_instruction(&message, instruction) {
            Does::Nothing => {}
            Does::Transfer { to, lamports } => {
                if !rules.destinations.as_ref().is_none_or(|allowed| allowed.contains(&SolanaAddress(to))) {
                    return Err(REFUSED_DESTINATION);
                }
                lamports_sum += u128::from(lamports);
            }
            Does::TokenTransfer { program, mint, to, amount } => {
                check_token_destination(rules, program, mint, to)?;
                if let Some(mint) = mint {
                    *token_sums.entry(mint).or_default() += u128::from(amount);
                }
            }
            Does::Approval => check_risk(rules, SolanaRisk::Approvals)?,
            Does::Authority => check_risk(rules, SolanaRisk::Authorities)?,
            Does::CloseAccount => check_risk(rules, SolanaRisk::CloseAccounts)?,
            Does::Upgrade => check_risk(rules, SolanaRisk::Upgrades)?,
            Does::Unknown => check_risk(rules, SolanaRisk::UnknownInstructions)?,
        }
    }
    let spent = Spent { asset: b"solana", once: None, amount: lamports_sum, fee: fee_max(&message) };
    native_outflow::check(&spent, &rules.limits(), charging)?;
    for (mint, sum) in token_sums {
        let Some(token) = token_rules(rules, Some(mint))? else { continue };
        within(sum, token.amount_max, TOO_MUCH)?;
        charging.day(&encode(&("solana", mint)), None, sum, token.daily_max.map(|max| max.0));
    }
    Ok(())
}

impl SolanaRules {
    fn limits(&self) -> Limits {
        let fee_max = self.fee_max.unwrap_or(fee_caps::SOLANA);
        Limits { amount_max: self.amount_max, daily_max: self.daily_max, fee_max }
    }
}

/// Tokens go to a token account; an allowed owner's is the one that follows from owner and mint.
fn check_token_destination(
    rules: &SolanaRules,
    program: Account,
    mint: Option<Account>,
    to: Account,
) -> Result<(), Refused> {
    let allowed =
        token_rules(rules, mint)?.and_then(|token| token.destinations.as_ref()).or(rules.destinations.as_ref());
    if allowed.is_none_or(|allowed| is_allowed(allowed, program, mint, to)) {
        return Ok(());
    }
    Err(REFUSED_DESTINATION)
}

fn token_rules(rules: &SolanaRules, mint: Option<Account>) -> Result<Option<&TokenRules<SolanaAddress>>, Refused> {
    rules.tokens.of(mint.map(SolanaAddress), [rules.amount_max, rules.daily_max])
}

fn is_allowed(allowed: &BTreeSet<SolanaAddress>, program: Account, mint: Option<Account>, to: Account) -> bool {
    let owned = |owner: &SolanaAddress| {
        mint.and_then(|mint| associated_token_account(&owner.0, &program, &mint)).is_some_and(|account| account == to)
    };
    allowed.contains(&SolanaAddress(to)) || allowed.iter().any(owned)
}

fn check_risk(rules: &SolanaRules, risk: SolanaRisk) -> Result<(), Refused> {
    if rules.allow.contains(&risk) {
        return Ok(());
    }
    Err(refused(match risk {
        SolanaRisk::Approvals => "The policy of this node refuses approvals.",
        SolanaRisk::Authorities => "The policy of this node refuses new authorities.",
        SolanaRisk::CloseAccounts => "The policy of this node refuses to close accounts.",
        SolanaRisk::Upgrades => "The policy of this node refuses upgrades and new owners.",
        SolanaRisk::UnknownInstructions => "The policy of this node refuses an instruction that it does not know.",
    }))
}
