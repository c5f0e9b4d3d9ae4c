//! The rules of typed data: whose it is, whether anybody named it, what a signature of it lets others do, and, of a Safe's
//! transaction, what that transaction does. Only what fits its types comes here (`eip712`), so that the values stand where the types say.

use super::charges::Charging;
use super::evm::{check_call, check_coins, check_risk, Own, REFUSED_CHAIN};
use super::file::{EvmRisk, Policy, TypedDataRules};
use super::refused;
use super::values::EvmAddress;
use crate::chains::evm::{saturated, Address, Call};
use crate::eip712::{StructType, Token, TypedData, DOMAIN_TYPE};
use crate::refusal::Refused;
use std::collections::HashMap;

pub fn check(policy: &Policy, data: &TypedData, own: &Own, charging: &mut Charging) -> Result<(), Refused> {
    let rules = &policy.typed_data;
    if !rules.allow {
        return Err(refused("The policy of this node refuses typed data."));
    }
    let domain = flat_fields(data, DOMAIN_TYPE, &data.domain).ok_or(REFUSED_CHAIN)?;
    let chain_id = chain_id(data);
    let chain = policy.evm.of(chain_id).ok_or(REFUSED_CHAIN)?;
    if let Some(contracts) = &rules.contracts {
        let contract = domain.get("verifyingContract").and_then(|token| address(token));
        if !contract.is_some_and(|contract| contracts.contains(&EvmAddress(contract))) {
            return Err(refused("The policy of this node refuses typed data for this contract."));
        }
    }
    if !rules.permits && data.types.iter().any(is_permit) {
        return Err(refused("The policy of this node refuses permits."));
    }
    if data.primary_type != SAFE_TRANSACTION {
        return check_type(rules, data);
    }
    let Some((call, operation, refund)) = safe_transaction(data) else {
        return check_risk(chain, EvmRisk::Delegatecalls);
    };
    if operation != 0 {
        check_risk(chain, EvmRisk::Delegatecalls)?;
    }
    // Who sends it is paid by the Safe: at a price that its signers name.
    if refund != 0 {
        check_risk(chain, EvmRisk::UnknownCalls)?;
    }
    check_call(chain, chain_id, &call, own, charging)?;
    // Who sends it pays the fee.
    check_coins(chain, chain_id, [call.value, 0], charging)
}

/// `None` also for an id that no chain has.
pub fn chain_id(data: &TypedData) -> Option<u64> {
    let domain = flat_fields(data, DOMAIN_TYPE, &data.domain)?;
    u64::try_from(number(domain.get("chainId")?)?).ok()
}

/// A list of what is harmful would never be whole: a type is known because somebody named it, or who verifies it.
fn check_type(rules: &TypedDataRules, data: &TypedData) -> Result<(), Refused> {
    let permit = || rules.permits && data.types.iter().any(|known| known.name == data.primary_type && is_permit(known));
    let known = match &rules.types {
        Some(types) => types.contains(&data.primary_type),
        None => rules.contracts.is_some() || rules.unknown || permit(),
    };
    if !known {
        return Err(refused("The policy of this node refuses typed data that it does not know."));
    }
    Ok(())
}

const SAFE_TRANSACTION: &str = "SafeTx";

/// ERC-2612 and its kin, Permit2 and ERC-3009: whoever holds the signature may take tokens.
fn is_permit(known: &StructType) -> bool {
    known.name.to_ascii_lowercase().contains("permit")
        || known.name.ends_with("WithAuthorization")
        || known.fields.iter().any(|field| field.name == "spender")
}

/// What a Safe is to do, without foreign code and with nobody's permit beside it; and whether it does that alone, without
/// a refund.
pub fn safe_call(data: &TypedData) -> Option<(Call<'_>, bool)> {
    if data.primary_type != SAFE_TRANSACTION || data.types.iter().any(is_permit) {
        return None;
    }
    let (call, operation, refund) = safe_transaction(data)?;
    (operation == 0).then_some((call, refund == 0))
}

/// The call inside, its operation (1: delegatecall), and the price of the refund.
fn safe_transaction(data: &TypedData) -> Option<(Call<'_>, u128, u128)> {
    let fields = flat_fields(data, SAFE_TRANSACTION, &data.message)?;
    let Token::Bytes(content) = fields.get("data")? else { return None };
    let call = Call { to: Some(address(fields.get("to")?)?), value: number(fields.get("value")?)?, data: content };
    Some((call, number(fields.get("operation")?)?, number(fields.get("gasPrice")?)?))
}

/// The values by name of a struct that holds no other struct and no array: a token each.
fn flat_fields<'a>(data: &'a TypedData, name: &str, tokens: &'a [Token]) -> Option<HashMap<&'a str, &'a Token>> {
    let known = data.types.iter().find(|known| known.name == name)?;
    let flat = known
        .fields
        .iter()
        .all(|field| !field.type_name.ends_with(']') && data.types.iter().all(|other| other.name != field.type_name));
    if !flat || known.fields.len() != tokens.len() {
        return None;
    }
    Some(known.fields.iter().map(|field| field.name.as_str()).zip(tokens).collect())
}

fn number(token: &Token) -> Option<u128> {
    match token {
        Token::Word(word) => Some(saturated(word)),
        _ => None,
    }
}

fn address(token: &Token) -> Option<Address> {
    match token {
        Token::Word(word) => word[12..].try_into().ok(),
        _ => None,
    }
}
