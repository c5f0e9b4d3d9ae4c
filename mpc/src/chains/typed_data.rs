//! What typed data says of itself: its chain, whether it is a permit, and what a Safe's transaction does. Only what
//! fits its types comes here (`eip712`), so that the values stand where the types say.

use super::eip712::{StructType, Token, TypedData, DOMAIN_TYPE};
use super::evm::{saturated, Address, Call};
use std::collections::HashMap;

/// `None` also for an id that no chain has.
pub fn chain_id(data: &TypedData) -> Option<u64> {
    let domain = flat_fields(data, DOMAIN_TYPE, &data.domain)?;
    u64::try_from(number(domain.get("chainId")?)?).ok()
}

pub const SAFE_TRANSACTION: &str = "SafeTx";

/// ERC-2612 and its kin, Permit2 and ERC-3009: whoever holds the signature may take tokens.
pub fn is_permit(known: &StructType) -> bool {
    known.name.to_ascii_lowercase().contains("permit")
        || known.name.ends_with("WithAuthorization")
        || known.fields.iter().any(|field| field.name == "spender")
}

/// What a Safe is to do, without foreign code and with nobody's permit beside it; and whether it does that alone,
/// without a refund.
pub fn safe_call(data: &TypedData) -> Option<(Call<'_>, bool)> {
    if data.primary_type != SAFE_TRANSACTION || data.types.iter().any(is_permit) {
        return None;
    }
    let (call, operation, refund) = safe_transaction(data)?;
    (operation == 0).then_some((call, refund == 0))
}

/// The call inside, its operation (1: delegatecall), and the price of the refund.
pub fn safe_transaction(data: &TypedData) -> Option<(Call<'_>, u128, u128)> {
    let fields = flat_fields(data, SAFE_TRANSACTION, &data.message)?;
    let Token::Bytes(content) = fields.get("data")? else { return None };
    let call = Call { to: Some(address(fields.get("to")?)?), value: number(fields.get("value")?)?, data: content };
    Some((call, number(fields.get("operation")?)?, number(fields.get("gasPrice")?)?))
}

/// The values by name of a struct that holds no other struct and no array: a token each.
pub fn flat_fields<'a>(data: &'a TypedData, name: &str, tokens: &'a [Token]) -> Option<HashMap<&'a str, &'a Token>> {
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

pub fn address(token: &Token) -> Option<Address> {
    match token {
        Token::Word(word) => word[12..].try_into().ok(),
        _ => None,
    }
}
