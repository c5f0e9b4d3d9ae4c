//! The rules of typed data: whose it is, whether anybody named it, what a signature of it lets others do, and, of a
//! Safe's transaction, what that transaction does. Only what fits its types comes here (`eip712`), so that the values
//! stand where the types say.

use super::charges::Charging;
use super::evm::{check_call, check_coins, check_risk, Own};
use super::file::{EvmRisk, Policy, TypedDataRules};
use super::refusals::{refused, REFUSED_CHAIN};
use super::values::EvmAddress;
use crate::chains::eip712::{TypedData, DOMAIN_TYPE};
use crate::chains::typed_data::{address, chain_id, flat_fields, is_permit, safe_transaction, SAFE_TRANSACTION};
use crate::wire::refusal::Refused;

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
