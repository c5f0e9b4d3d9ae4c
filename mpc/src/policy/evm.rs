//! The rules of EVM transactions and of the calls in them.

use super::charges::Charging;
use super::fee_caps;
use super::file::{ChainRules, EvmRisk, EvmRules};
use super::native_outflow::{self, Limits, Spent};
use super::refusals::{refused, within, REFUSED_CHAIN, REFUSED_DESTINATION, TOO_MUCH};
use super::values::EvmAddress;
use crate::chains::evm::{read_transaction, Address, Call};
use crate::chains::evm_call::{read_call, Asks};
use crate::keys::derive_secp256k1;
use crate::wire::encode;
use crate::wire::key_statement::KeyStatement;
use crate::wire::refusal::Refused;
use sha3::{Digest, Keccak256};
use std::collections::BTreeSet;

/// Whose transaction it is. What goes back to that key's own address needs no place in a list of destinations: so
/// nonces are filled and withdrawals taken back.
pub struct Own<'a> {
    pub root: Option<&'a KeyStatement>,
    pub path: &'a [u32],
}

impl Own<'_> {
    fn is(&self, address: Address) -> bool {
        let own = self.root.and_then(|root| {
            let point = derive_secp256k1::derive_point(&root.public_key, &root.chain_code, self.path)?;
            Some(Keccak256::digest(&point[1..]))
        });
        own.is_some_and(|hash| hash[12..] == address)
    }
}

pub fn check_transaction(rules: &EvmRules, bytes: &[u8], own: &Own, charging: &mut Charging) -> Result<(), Refused> {
    let Ok(transaction) = read_transaction(bytes) else {
        // Nothing is known of it, so nothing else could be held against it.
        let sentence = "The policy of this node refuses a transaction that it cannot read.";
        return if rules.unknown_transactions { Ok(()) } else { Err(refused(sentence)) };
    };
    if transaction.chain_id.is_none() && !rules.unknown_transactions {
        return Err(refused("The policy of this node refuses a transaction that names no chain."));
    }
    let chain = rules.of(transaction.chain_id).ok_or(REFUSED_CHAIN)?;
    check_call(chain, transaction.chain_id, &transaction.call, own, charging)?;
    check_coins(chain, transaction.chain_id, [transaction.call.value, transaction.fee_max], charging)
}

/// What is called and with what, but for the coins that it sends.
pub fn check_call(
    rules: &ChainRules,
    chain_id: Option<u64>,
    call: &Call,
    own: &Own,
    charging: &mut Charging,
) -> Result<(), Refused> {
    let Some(to) = call.to else {
        return check_risk(rules, EvmRisk::ContractCreation);
    };
    if !call.data.is_empty() {
        let risk = match read_call(call.data) {
            // With coins on top it is no plain transfer.
            Asks::TokenTransfer { to: receiver, amount } if call.value == 0 => {
                let transfer = TokenTransfer { token: to, receiver, amount };
                return check_token(rules, chain_id, transfer, own, charging);
            }
            Asks::TokenTransfer { .. } | Asks::Unknown => EvmRisk::UnknownCalls,
            Asks::Approval => EvmRisk::Approvals,
            Asks::Upgrade => EvmRisk::Upgrades,
            Asks::Delegatecall => EvmRisk::Delegatecalls,
        };
        check_risk(rules, risk)?;
    }
    // A call of its own address may run code that stands there.
    check_destination(rules.destinations.as_ref(), to, call.data.is_empty().then_some(own))
}

struct TokenTransfer {
    token: Address,
    receiver: Address,
    amount: u128,
}

fn check_token(
    rules: &ChainRules,
    chain_id: Option<u64>,
    TokenTransfer { token, receiver, amount }: TokenTransfer,
    own: &Own,
    charging: &mut Charging,
) -> Result<(), Refused> {
    let token_rules = rules.tokens.of(Some(EvmAddress(token)), [rules.amount_max, rules.daily_max])?;
    let destinations = token_rules.and_then(|token| token.destinations.as_ref()).or(rules.destinations.as_ref());
    check_destination(destinations, receiver, Some(own))?;
    let Some(token_rules) = token_rules else { return Ok(()) };
    within(amount, token_rules.amount_max, TOO_MUCH)?;
    let asset = encode(&("evm", chain_id, Some(token)));
    charging.day(&asset, None, amount, token_rules.daily_max.map(|max| max.0));
    Ok(())
}

/// The coins that are sent, and those that are paid as a fee.
pub fn check_coins(
    rules: &ChainRules,
    chain_id: Option<u64>,
    [amount, fee]: [u128; 2],
    charging: &mut Charging,
) -> Result<(), Refused> {
    let fee_max = rules.fee_max.unwrap_or_else(|| fee_caps::evm(chain_id));
    let limits = Limits { amount_max: rules.amount_max, daily_max: rules.daily_max, fee_max };
    let asset = encode(&("evm", chain_id, None::<Address>));
    native_outflow::check(&Spent { asset: &asset, once: None, amount, fee }, &limits, charging)
}

/// `own`: where its own address is a destination.
fn check_destination(allowed: Option<&BTreeSet<EvmAddress>>, to: Address, own: Option<&Own>) -> Result<(), Refused> {
    let is_allowed = allowed.is_none_or(|allowed| allowed.contains(&EvmAddress(to)));
    if is_allowed || own.is_some_and(|own| own.is(to)) {
        return Ok(());
    }
    Err(REFUSED_DESTINATION)
}

pub fn check_risk(rules: &ChainRules, risk: EvmRisk) -> Result<(), Refused> {
    if rules.allow.contains(&risk) {
        return Ok(());
    }
    Err(refused(match risk {
        EvmRisk::Approvals => "The policy of this node refuses approvals.",
        EvmRisk::Delegatecalls => "The policy of this node refuses delegatecalls.",
        EvmRisk::Upgrades => "The policy of this node refuses upgrades and new owners.",
        EvmRisk::ContractCreation => "The policy of this node refuses to create contracts.",
        EvmRisk::UnknownCalls => "The policy of this node refuses a call that it does not know.",
    }))
}
