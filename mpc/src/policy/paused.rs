//! What an operator has paused: everything, wallets, chains. It comes before every rule and has a code of its own,
//! since what is paused may be asked for again. Keys are still made, refreshed, repaired and tested: nothing of that
//! moves anything.

use super::wallets::Wallets;
use crate::chains::evm::read_transaction;
use crate::chains::typed_data;
use crate::wire::command::Payload;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Curve, Id};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Paused {
    pub all: bool,
    pub wallets: Wallets,
    pub chains: BTreeSet<Chain>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chain {
    /// By its id.
    Evm(u64),
    Solana,
    Bitcoin,
}

impl<'de> Deserialize<'de> for Chain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.as_str() {
            "solana" => Ok(Chain::Solana),
            "bitcoin" => Ok(Chain::Bitcoin),
            id => {
                let id = id.parse().ok().filter(|number: &u64| number.to_string() == id);
                let words = "a chain to pause is \"solana\", \"bitcoin\" or the id of an EVM chain in a string";
                id.map(Chain::Evm).ok_or_else(|| D::Error::custom(words))
            }
        }
    }
}

const fn paused(sentence: &'static str) -> Refused {
    Refused::new(RefusalCode::Paused, sentence)
}

impl Paused {
    /// Anything at all.
    pub fn is_any(&self) -> bool {
        self.all || !self.wallets.is_empty() || !self.chains.is_empty()
    }

    /// `workspace_id`: what the key's statement says.
    pub fn check(
        &self,
        wallet_id: &Id,
        workspace_id: Option<Id>,
        curve: Curve,
        payload: &Payload,
    ) -> Result<(), Refused> {
        if self.all {
            return Err(paused("This node signs nothing for now."));
        }
        if self.wallets.may_cover(wallet_id, workspace_id) {
            return Err(paused("This node signs nothing for this wallet for now."));
        }
        if self.chains.iter().any(|chain| may_be_for(*chain, curve, payload)) {
            return Err(paused("This node signs nothing for this chain for now."));
        }
        Ok(())
    }
}

/// What does not say which chain it is for may be for any.
fn may_be_for(chain: Chain, curve: Curve, payload: &Payload) -> bool {
    let evm = |said: Option<u64>| matches!(chain, Chain::Evm(id) if said.is_none_or(|said| said == id));
    match payload {
        Payload::KeyTest => false,
        Payload::RawDigest(_) => (chain == Chain::Solana) == (curve == Curve::Ed25519),
        Payload::EvmTransaction(bytes) => evm(read_transaction(bytes).ok().and_then(|read| read.chain_id)),
        // A contract may take one for its owner's order.
        Payload::EvmMessage(_) => evm(None),
        Payload::EvmTypedData(data) => evm(typed_data::chain_id(data)),
        Payload::SolanaTransaction(_) | Payload::SolanaMessage(_) => chain == Chain::Solana,
        Payload::BitcoinInput(_) => chain == Chain::Bitcoin,
    }
}
