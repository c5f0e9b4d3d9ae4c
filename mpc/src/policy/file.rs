//! The policy file: strict JSON. A field that is not known is an error, so that a misspelt limit is none by accident.
//! What is left out is as in the production default, which is the file `{}`.

use super::hours::Window;
use super::paused::Paused;
use super::tokens::Tokens;
use super::values::*;
use super::wallets::Wallets;
use ed25519_dalek::VerifyingKey;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Nothing of it is signed for now.
    pub paused: Paused,
    /// Left out: all wallets.
    pub wallets: Option<Wallets>,
    #[serde(deserialize_with = "curves")]
    pub curves: Curves,
    pub raw_digests: bool,
    pub messages: bool,
    /// Left out: always.
    pub hours: Option<Vec<Window>>,
    pub rates: Rates,
    pub typed_data: TypedDataRules,
    pub evm: EvmRules,
    pub solana: SolanaRules,
    pub bitcoin: BitcoinRules,
    /// Ed25519: who has to sign each command, too.
    #[serde(deserialize_with = "approver")]
    pub approver_public_key: Option<VerifyingKey>,
    /// Of the file's bytes, as `sha256sum` prints it.
    #[serde(skip)]
    pub sha256: [u8; 32],
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Rates {
    pub per_minute: Option<u32>,
    pub per_hour: Option<u32>,
    pub wallet_per_minute: Option<u32>,
    pub wallet_per_hour: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TypedDataRules {
    pub allow: bool,
    /// The contracts that may verify it. Left out: any, or none at all.
    pub contracts: Option<BTreeSet<EvmAddress>>,
    /// The primary types that are signed besides a Safe's transaction. Left out: those of the contracts above.
    pub types: Option<BTreeSet<String>>,
    /// Where neither list is given: any type.
    pub unknown: bool,
    pub permits: bool,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct EvmRules {
    /// By chain id.
    #[serde(deserialize_with = "unique")]
    pub chains: BTreeMap<u64, ChainRules>,
    /// For chains that have no rules of their own. Left out: they are refused if `chains` has any.
    pub any_chain: Option<ChainRules>,
    /// Types that cannot be read, and transactions without a chain id.
    pub unknown_transactions: bool,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct ChainRules {
    /// Who may receive: of the coin, of tokens that have no list of their own, and calls. Left out: anybody.
    pub destinations: Option<BTreeSet<EvmAddress>>,
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
    pub fee_max: Option<Amount>,
    pub tokens: Tokens<EvmAddress>,
    pub allow: BTreeSet<EvmRisk>,
}

#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum EvmRisk {
    Approvals,
    Delegatecalls,
    Upgrades,
    ContractCreation,
    UnknownCalls,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct SolanaRules {
    /// Owners or token accounts. Left out: anybody.
    pub destinations: Option<BTreeSet<SolanaAddress>>,
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
    pub fee_max: Option<Amount>,
    pub tokens: Tokens<SolanaAddress>,
    pub allow: BTreeSet<SolanaRisk>,
}

#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum SolanaRisk {
    Approvals,
    Authorities,
    CloseAccounts,
    Upgrades,
    UnknownInstructions,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct BitcoinRules {
    /// Addresses. Left out: anybody.
    pub destinations: Option<BTreeSet<BitcoinScript>>,
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
    pub fee_max: Option<Amount>,
}

impl Policy {
    pub fn parse(json: &str) -> Result<Self, String> {
        let invalid = |error: serde_json::Error| format!("the policy file is not valid: {error}");
        let mut policy: Policy = serde_json::from_str(json).map_err(invalid)?;
        check_values("", &serde_json::from_str(json).map_err(invalid)?)?;
        if policy.hours.iter().flatten().any(Window::is_empty) {
            return Err("the policy file has hours that end before they begin: a night is two windows".into());
        }
        policy.sha256 = Sha256::digest(json).into();
        Ok(policy)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            paused: Paused::default(),
            wallets: None,
            curves: Curves { secp256k1: true, ed25519: true },
            raw_digests: false,
            messages: true,
            hours: None,
            rates: Rates::default(),
            typed_data: TypedDataRules::default(),
            evm: EvmRules::default(),
            solana: SolanaRules::default(),
            bitcoin: BitcoinRules::default(),
            approver_public_key: None,
            sha256: Sha256::digest("{}").into(),
        }
    }
}

impl Default for TypedDataRules {
    fn default() -> Self {
        Self { allow: true, contracts: None, types: None, unknown: false, permits: false }
    }
}

impl EvmRules {
    /// `None`: the chain is refused.
    pub fn of(&self, chain_id: Option<u64>) -> Option<&ChainRules> {
        const PLAIN: &ChainRules = &ChainRules::PLAIN;
        let own = chain_id.and_then(|chain_id| self.chains.get(&chain_id));
        own.or(self.any_chain.as_ref()).or(if self.chains.is_empty() { Some(PLAIN) } else { None })
    }
}

impl ChainRules {
    const PLAIN: Self = Self {
        destinations: None,
        amount_max: None,
        daily_max: None,
        fee_max: None,
        tokens: Tokens::LeftOut,
        allow: BTreeSet::new(),
    };
}

/// Serde would take a list of values for an object, by their order, and null for a field that is left out: no limit.
fn check_values(name: &str, value: &Value) -> Result<(), String> {
    const LISTS: [&str; 9] =
        ["wallets", "curves", "hours", "days", "destinations", "contracts", "types", "allow", "chains"];
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| check_values(name, value)),
        Value::Null => Err("the policy file has a null: leave the field out, or give it a value".into()),
        Value::Array(_) if !LISTS.contains(&name) => Err("the policy file has a list where an object belongs".into()),
        Value::Array(values) => values.iter().try_for_each(|value| match value {
            Value::Array(_) => Err("the policy file has a list within a list".into()),
            _ => check_values(name, value),
        }),
        _ => Ok(()),
    }
}
