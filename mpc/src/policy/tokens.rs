//! The rules of tokens, and how the policy file says which tokens have any.

use super::refusals::REFUSED_TOKEN;
use super::values::{unique, Amount};
use crate::wire::refusal::Refused;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// By contract or mint.
#[derive(Default)]
pub enum Tokens<A: Ord> {
    /// Any, without limits; none where the coin has a limit: on some chains it has a token contract, too.
    #[default]
    LeftOut,
    /// `"any"`: without limits, whatever the coin has.
    Any,
    Listed(BTreeMap<A, TokenRules<A>>),
}

impl<A: Ord> Tokens<A> {
    /// The rules of one, `None` if it has none. `coin`: the limits of the coin beside it.
    pub fn of(&self, token: Option<A>, coin: [Option<Amount>; 2]) -> Result<Option<&TokenRules<A>>, Refused> {
        match self {
            Self::LeftOut if coin != [None, None] => Err(REFUSED_TOKEN),
            Self::LeftOut | Self::Any => Ok(None),
            Self::Listed(listed) => token.and_then(|token| listed.get(&token)).map(Some).ok_or(REFUSED_TOKEN),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenRules<A: Ord> {
    #[serde(bound(deserialize = "A: Deserialize<'de>"))]
    pub destinations: Option<BTreeSet<A>>,
    pub amount_max: Option<Amount>,
    pub daily_max: Option<Amount>,
}

impl<A: Ord> Default for TokenRules<A> {
    fn default() -> Self {
        Self { destinations: None, amount_max: None, daily_max: None }
    }
}

/// `"any"`, or a map in which no token stands twice.
impl<'de, A: Deserialize<'de> + Ord> Deserialize<'de> for Tokens<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyOrListed<A>(PhantomData<A>);
        impl<'de, A: Deserialize<'de> + Ord> Visitor<'de> for AnyOrListed<A> {
            type Value = Tokens<A>;
            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("an object, or \"any\"")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                if text == "any" {
                    Ok(Tokens::Any)
                } else {
                    Err(E::invalid_value(Unexpected::Str(text), &self))
                }
            }
            fn visit_map<M: MapAccess<'de>>(self, access: M) -> Result<Self::Value, M::Error> {
                unique(MapAccessDeserializer::new(access)).map(Tokens::Listed)
            }
        }
        deserializer.deserialize_any(AnyOrListed(PhantomData))
    }
}
