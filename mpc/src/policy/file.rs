//! The policy file: strict JSON. A field that is not known is an error, so that a misspelt limit is none by accident.
//! What is left out is as in the production default, which is the file `{}`.

use super::hours::Window;
use crate::chains::bitcoin_address::script_of;
use crate::chains::evm::Address;
use crate::chains::solana_account::{read_account, Account};
use crate::wire::Id;
use ed25519_dalek::VerifyingKey;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Left out: all wallets.
    #[serde(deserialize_with = "wallets")]
    pub wallets: Option<BTreeSet<Id>>,
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
}

pub struct Curves {
    pub secp256k1: bool,
    pub ed25519: bool,
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
    /// By contract. Left out: any token, without limits.
    #[serde(deserialize_with = "unique_tokens")]
    pub tokens: Option<BTreeMap<EvmAddress, TokenRules<EvmAddress>>>,
    pub allow: BTreeSet<EvmRisk>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenRules<A: Ord> {
    #[serde(bound(deserialize = "A: Deserialize<'de>"))]
    pub destinations: Option<BTreeSet<A>>,
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
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
    /// By mint. Left out: any token, without limits.
    #[serde(deserialize_with = "unique_tokens")]
    pub tokens: Option<BTreeMap<SolanaAddress, TokenRules<SolanaAddress>>>,
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
        let policy: Policy = serde_json::from_str(json).map_err(invalid)?;
        check_lists("", &serde_json::from_str(json).map_err(invalid)?)?;
        if policy.hours.iter().flatten().any(Window::is_empty) {
            return Err("the policy file has hours that end before they begin: a night is two windows".into());
        }
        Ok(policy)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
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
        }
    }
}

impl Default for TypedDataRules {
    fn default() -> Self {
        Self { allow: true, contracts: None, permits: false }
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
        tokens: None,
        allow: BTreeSet::new(),
    };
}

impl<A: Ord> Default for TokenRules<A> {
    fn default() -> Self {
        Self { destinations: None, amount_max: None, daily_max: None }
    }
}

/// In base units, as decimal digits in a string: JSON's numbers are not exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub u128);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        // The greatest number stands for all that are greater: it cannot be a limit.
        let amount = text.parse().ok().filter(|amount| plain && *amount < u128::MAX);
        amount.map(Amount).ok_or_else(|| D::Error::custom("an amount is decimal digits in a string, of base units"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EvmAddress(pub Address);

impl<'de> Deserialize<'de> for EvmAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = text.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let address = bytes.and_then(|bytes| bytes.try_into().ok());
        address.map(EvmAddress).ok_or_else(|| D::Error::custom("an EVM address is 0x and 40 hex digits"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SolanaAddress(pub Account);

impl<'de> Deserialize<'de> for SolanaAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let account = read_account(&String::deserialize(deserializer)?);
        account.map(SolanaAddress).ok_or_else(|| D::Error::custom("a Solana address is base58 of 32 bytes"))
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BitcoinScript(pub Vec<u8>);

impl<'de> Deserialize<'de> for BitcoinScript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let script = script_of(&String::deserialize(deserializer)?);
        script.map(BitcoinScript).ok_or_else(|| D::Error::custom("a Bitcoin destination is an address"))
    }
}

/// Serde would take a list of values for an object, by their order.
fn check_lists(name: &str, value: &Value) -> Result<(), String> {
    const LISTS: [&str; 7] = ["wallets", "curves", "hours", "days", "destinations", "contracts", "allow"];
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| check_lists(name, value)),
        Value::Array(_) if !LISTS.contains(&name) => Err("the policy file has a list where an object belongs".into()),
        Value::Array(values) => values.iter().try_for_each(|value| match value {
            Value::Array(_) => Err("the policy file has a list within a list".into()),
            _ => check_lists(name, value),
        }),
        _ => Ok(()),
    }
}

fn wallets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BTreeSet<Id>>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: &String| hex::decode(text.replace('-', "")).ok().and_then(|bytes| bytes.try_into().ok());
    let ids: Option<BTreeSet<Id>> = texts.iter().map(read).collect();
    ids.map(Some).ok_or_else(|| D::Error::custom("a wallet is named by its UUID"))
}

fn curves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Curves, D::Error> {
    #[derive(Deserialize, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Secp256k1,
        Ed25519,
    }
    let names = Vec::<Name>::deserialize(deserializer)?;
    Ok(Curves { secp256k1: names.contains(&Name::Secp256k1), ed25519: names.contains(&Name::Ed25519) })
}

fn approver<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<VerifyingKey>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes: Option<[u8; 32]> = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok()).filter(|key| !key.is_weak());
    key.map(Some).ok_or_else(|| D::Error::custom("approver_public_key is not an Ed25519 key as 32 bytes of hex"))
}

fn unique_tokens<'de, D, K, V>(deserializer: D) -> Result<Option<BTreeMap<K, V>>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord,
    V: Deserialize<'de>,
{
    unique(deserializer).map(Some)
}

/// A map in which a key that stands twice is an error: serde's own would take the last.
fn unique<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord,
    V: Deserialize<'de>,
{
    struct Unique<K, V>(PhantomData<(K, V)>);
    impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Unique<K, V> {
        type Value = BTreeMap<K, V>;
        fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
            formatter.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut map = BTreeMap::new();
            while let Some((key, value)) = access.next_entry()? {
                if map.insert(key, value).is_some() {
                    return Err(A::Error::custom("a name stands twice"));
                }
            }
            Ok(map)
        }
    }
    deserializer.deserialize_map(Unique(PhantomData))
}
