//! Unsigned EVM transactions: legacy (before and since EIP-155), EIP-2930 and EIP-1559. Every other type, blobs
//! (EIP-4844) and delegations (EIP-7702) among them, is unreadable, and so is whatever has a second spelling.

use super::rlp::{Items, Unreadable};
use sha3::{Digest, Keccak256};

pub type Address = [u8; 20];

#[derive(Debug, PartialEq, Eq)]
pub struct Transaction<'a> {
    /// `None` before EIP-155: valid on every chain.
    pub chain_id: Option<u64>,
    pub fee_max: u128,
    pub call: Call<'a>,
}

/// What a transaction does, or one inside another.
#[derive(Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// `None` creates a contract.
    pub to: Option<Address>,
    pub value: u128,
    pub data: &'a [u8],
}

const EIP_2930: u8 = 1;
const EIP_1559: u8 = 2;

/// 0x and 40 hex digits. Capitals among small letters are a checksum (EIP-55), which finds misspelt ones.
pub fn read_address(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x")?;
    let address = hex::decode(digits).ok()?.try_into().ok()?;
    let hash = hex::encode(Keccak256::digest(digits.to_ascii_lowercase()));
    let sized =
        |(digit, hashed): (char, char)| !digit.is_ascii_alphabetic() || digit.is_ascii_uppercase() == (hashed >= '8');
    let of_one_size = digits == digits.to_ascii_lowercase() || digits == digits.to_ascii_uppercase();
    (of_one_size || digits.chars().zip(hash.chars()).all(sized)).then_some(address)
}

pub fn read_transaction(bytes: &[u8]) -> Result<Transaction<'_>, Unreadable> {
    match bytes.split_first().ok_or(Unreadable)? {
        (&EIP_2930, rest) => read_typed(rest, 1),
        (&EIP_1559, rest) => read_typed(rest, 2),
        (first, _) if *first >= 0xc0 => read_legacy(bytes),
        _ => Err(Unreadable),
    }
}

/// `prices`: one for EIP-2930; EIP-1559 has the tip, then the maximum.
fn read_typed(bytes: &[u8], prices: usize) -> Result<Transaction<'_>, Unreadable> {
    let mut items = Items::of_list(bytes)?;
    let chain_id = items.u64()?;
    items.u64()?; // The nonce.
    let mut price = [0; 32];
    for _ in 0..prices {
        price = items.word()?;
    }
    let (fee_max, call) = read_fee_and_call(&mut items, price)?;
    let mut entries = items.list()?;
    while !entries.is_empty() {
        let mut entry = entries.list()?;
        address(entry.bytes()?)?.ok_or(Unreadable)?;
        let mut keys = entry.list()?;
        while !keys.is_empty() {
            <[u8; 32]>::try_from(keys.bytes()?).map_err(|_| Unreadable)?;
        }
        entry.end()?;
    }
    items.end()?;
    Ok(Transaction { chain_id: Some(chain_id), fee_max, call })
}

fn read_legacy(bytes: &[u8]) -> Result<Transaction<'_>, Unreadable> {
    let mut items = Items::of_list(bytes)?;
    items.u64()?; // The nonce.
    let price = items.word()?;
    let (fee_max, call) = read_fee_and_call(&mut items, price)?;
    if items.is_empty() {
        return Ok(Transaction { chain_id: None, fee_max, call });
    }
    let chain_id = items.u64()?;
    // EIP-155: chain id, 0, 0. A chain id of 0 would read like none.
    if chain_id == 0 || items.u64()? != 0 || items.u64()? != 0 {
        return Err(Unreadable);
    }
    items.end()?;
    Ok(Transaction { chain_id: Some(chain_id), fee_max, call })
}

fn read_fee_and_call<'a>(items: &mut Items<'a>, price: [u8; 32]) -> Result<(u128, Call<'a>), Unreadable> {
    let gas_limit = items.u64()?;
    let to = address(items.bytes()?)?;
    let value = saturated(&items.word()?);
    let data = items.bytes()?;
    Ok((saturated(&price).saturating_mul(u128::from(gas_limit)), Call { to, value, data }))
}

fn address(bytes: &[u8]) -> Result<Option<Address>, Unreadable> {
    if bytes.is_empty() {
        return Ok(None);
    }
    bytes.try_into().map(Some).map_err(|_| Unreadable)
}

/// More than 128 bits count as the most there is: above every limit that can be set.
pub fn saturated(word: &[u8; 32]) -> u128 {
    let (high, low) = word.split_at(16);
    if high != [0; 16] {
        return u128::MAX;
    }
    low.iter().fold(0, |value, byte| value << 8 | u128::from(*byte))
}
