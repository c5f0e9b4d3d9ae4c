//! The values of the policy file, as serde reads them: each in one spelling, and every error a sentence.

use crate::chains::bitcoin_address::script_of;
use crate::chains::evm::{read_address, Address};
use crate::chains::solana_account::{read_account, Account};
use crate::crypto::signatures::pinned_key;
use ed25519_dalek::VerifyingKey;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::marker::PhantomData;

pub struct Curves {
    pub secp256k1: bool,
    pub ed25519: bool,
}

/// In base units, as decimal digits in a string: JSON's numbers are not exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
        let sentence =
            "an EVM address is 0x and 40 hex digits, with the checksum of EIP-55 if in letters of both sizes";
        read_address(&text).map(EvmAddress).ok_or_else(|| D::Error::custom(sentence))
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

pub fn curves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Curves, D::Error> {
    #[derive(Deserialize, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Secp256k1,
        Ed25519,
    }
    let names = Vec::<Name>::deserialize(deserializer)?;
    Ok(Curves { secp256k1: names.contains(&Name::Secp256k1), ed25519: names.contains(&Name::Ed25519) })
}

pub fn approver<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<VerifyingKey>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes: Option<[u8; 32]> = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    let key = bytes.and_then(|bytes| pinned_key(&bytes));
    key.map(Some).ok_or_else(|| D::Error::custom("approver_public_key is not an Ed25519 key as 32 bytes of hex"))
}

/// A map in which a key that stands twice is an error: serde's own would take the last.
pub fn unique<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
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
