//! What the policy sees of a payload: where it may be valid, what it moves, and whether there is more to it than that.
//! The API's policy reads the same (src/policies): vectors/policy.json holds both together. Decides nothing.

use super::messages::is_blind_message;
use crate::chains::evm::{read_transaction, Address, Call};
use crate::chains::evm_call::{read_call, Asks};
use crate::chains::solana::{fee_max, names_its_fee, read_instruction, Does};
use crate::chains::solana_message;
use crate::chains::typed_data::{chain_id, safe_call};
use crate::wire::command::Payload;
use serde::Serialize;

#[derive(Serialize, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// `evm:` and the id of the chain, `evm` for any, `solana`, `bitcoin`; none for what may be valid anywhere.
    pub chain: Option<String>,
    pub movements: Vec<Movement>,
    /// It gives power away, or something of it is not understood: it may move anything besides.
    pub unknown: bool,
    /// What its network may take for it at most, in base units of the coin; none where that is not known.
    pub fee: Option<String>,
}

#[derive(Serialize, Debug, PartialEq, Eq)]
pub struct Movement {
    /// `native`, or the contract or mint.
    pub asset: Option<String>,
    /// Base units; what needs more than 128 bits counts as the most there is.
    pub amount: String,
    /// A token account where a token moves on Solana.
    pub destination: Option<String>,
}

const NATIVE: &str = "native";

pub fn seen(payload: &Payload) -> Seen {
    match payload {
        Payload::KeyTest => Seen::default(),
        Payload::RawDigest(_) => nothing_known(None),
        Payload::EvmMessage(_) if is_blind_message(payload) => nothing_known(on_evm(None)),
        Payload::EvmMessage(_) => Seen { chain: on_evm(None), fee: free(), ..Seen::default() },
        Payload::EvmTransaction(bytes) => match read_transaction(bytes) {
            Ok(transaction) => {
                let unknown = transaction.chain_id.is_none();
                let seen = with_call(on_evm(transaction.chain_id), &transaction.call, unknown);
                Seen { fee: Some(transaction.fee_max.to_string()), ..seen }
            }
            Err(_) => nothing_known(on_evm(None)),
        },
        Payload::EvmTypedData(data) => {
            let chain = on_evm(chain_id(data));
            let seen = match safe_call(data) {
                Some((call, is_plain)) => with_call(chain, &call, !is_plain),
                None => nothing_known(chain),
            };
            Seen { fee: free(), ..seen }
        }
        Payload::SolanaTransaction(message) => solana(message),
        Payload::SolanaMessage(_) if is_blind_message(payload) => nothing_known(Some("solana".into())),
        Payload::SolanaMessage(_) => Seen { chain: Some("solana".into()), fee: free(), ..Seen::default() },
        Payload::BitcoinInput(_) => nothing_known(Some("bitcoin".into())),
    }
}

fn on_evm(chain_id: Option<u64>) -> Option<String> {
    Some(chain_id.map_or("evm".into(), |id| format!("evm:{id}")))
}

fn nothing_known(chain: Option<String>) -> Seen {
    Seen { chain, unknown: true, ..Seen::default() }
}

/// Of what is no transaction.
fn free() -> Option<String> {
    Some("0".into())
}

fn with_call(chain: Option<String>, call: &Call, unknown: bool) -> Seen {
    let text = |address: Address| format!("0x{}", hex::encode(address));
    let coins = Movement { asset: Some(NATIVE.into()), amount: call.value.to_string(), destination: call.to.map(text) };
    if let (Some(token), Asks::TokenTransfer { to, amount }, 0) = (call.to, read_call(call.data), call.value) {
        let moved = Movement { asset: Some(text(token)), amount: amount.to_string(), destination: Some(text(to)) };
        return Seen { chain, movements: vec![moved], unknown, fee: None };
    }
    let is_plain = call.to.is_some() && call.data.is_empty();
    let movements = if is_plain || call.value > 0 { vec![coins] } else { vec![] };
    Seen { chain, movements, unknown: unknown || !is_plain, fee: None }
}

fn solana(bytes: &[u8]) -> Seen {
    let mut seen = Seen { chain: Some("solana".into()), ..Seen::default() };
    let Ok(message) = solana_message::read(bytes) else { return nothing_known(seen.chain) };
    seen.fee = names_its_fee(&message).then(|| fee_max(&message).to_string());
    let text = |account| bs58::encode(account).into_string();
    for instruction in &message.instructions {
        match read_instruction(&message, instruction) {
            Does::Nothing => {}
            Does::Transfer { to, lamports } => seen.movements.push(Movement {
                asset: Some(NATIVE.into()),
                amount: lamports.to_string(),
                destination: Some(text(to)),
            }),
            Does::TokenTransfer { mint, to, amount, .. } => seen.movements.push(Movement {
                asset: mint.map(text),
                amount: amount.to_string(),
                destination: Some(text(to)),
            }),
            Does::Approval | Does::Authority | Does::CloseAccount | Does::Upgrade | Does::Unknown => {
                seen.unknown = true
            }
        }
    }
    seen
}
