//! An unsigned Bitcoin transaction with the coins that it spends, and what one input of it signs (BIP-143,
//! SIGHASH_ALL). One spelling for a length, nothing left over. Of the coins the digest covers this input's amount
//! alone; what is said of the others is the orchestrator's word.

use crate::limits::PAYLOAD_BYTES;
use borsh::{BorshDeserialize, BorshSerialize};
use sha2::{Digest, Sha256};

pub type Misfit = &'static str;

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct BitcoinInput {
    /// Without witnesses and signature scripts.
    pub transaction: Vec<u8>,
    /// The input to sign.
    pub index: u32,
    /// What each input spends, in their order.
    pub coins: Vec<Coin>,
    /// 1: SIGHASH_ALL, the only one.
    pub sighash_type: u32,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    /// In satoshis.
    pub amount: u64,
    pub script: Vec<u8>,
}

pub struct Transaction<'a> {
    version: &'a [u8],
    /// Outpoint and sequence, as serialized.
    inputs: Vec<(&'a [u8], &'a [u8])>,
    pub outputs: Vec<Output<'a>>,
    outputs_bytes: &'a [u8],
    lock_time: &'a [u8],
}

pub struct Output<'a> {
    pub amount: u64,
    pub script: &'a [u8],
}

/// 21 million bitcoins.
const SATOSHIS_MAX: u64 = 2_100_000_000_000_000;
const SIGHASH_ALL: u32 = 1;
const UNREADABLE: Misfit = "The Bitcoin transaction could not be read.";

/// 0 and the 20 bytes of a public key's hash: P2WPKH.
pub fn key_script(hash: &[u8; 20]) -> Vec<u8> {
    [&[0x00, 0x14], hash.as_slice()].concat()
}

impl BitcoinInput {
    pub fn read(&self) -> Result<Transaction<'_>, Misfit> {
        if self.transaction.len() > PAYLOAD_BYTES {
            return Err("The Bitcoin transaction is too long.");
        }
        let transaction = read_transaction(&self.transaction)?;
        if self.sighash_type != SIGHASH_ALL {
            return Err("A Bitcoin input is signed with SIGHASH_ALL only.");
        }
        if self.coins.len() != transaction.inputs.len() {
            return Err("The Bitcoin transaction needs one coin for each input.");
        }
        let amounts = || self.coins.iter().map(|coin| coin.amount).chain(transaction.outputs.iter().map(|o| o.amount));
        if amounts().any(|amount| amount > SATOSHIS_MAX) {
            return Err("An amount of the Bitcoin transaction is above all bitcoins.");
        }
        self.coin()?;
        Ok(transaction)
    }

    /// The coin of the input to sign.
    pub fn coin(&self) -> Result<&Coin, Misfit> {
        let coin = usize::try_from(self.index).ok().and_then(|index| self.coins.get(index));
        coin.ok_or("The Bitcoin transaction has no such input.")
    }

    /// What the coins are more than the outputs; `None` when they are less.
    pub fn fee(&self, transaction: &Transaction) -> Option<u128> {
        let sum = |amounts: &mut dyn Iterator<Item = u64>| amounts.map(u128::from).sum::<u128>();
        let paid = sum(&mut transaction.outputs.iter().map(|output| output.amount));
        sum(&mut self.coins.iter().map(|coin| coin.amount)).checked_sub(paid)
    }

    /// BIP-143: SHA-256 twice, over hashes of all outpoints, sequences and outputs, and this input's own coin.
    pub fn digest(&self) -> Result<[u8; 32], Misfit> {
        let transaction = self.read()?;
        let coin = self.coin()?;
        let [0x00, 0x14, hash @ ..] = coin.script.as_slice() else { return Err(NO_KEY_SCRIPT) };
        let hash: &[u8; 20] = hash.try_into().map_err(|_| NO_KEY_SCRIPT)?;
        let (outpoint, sequence) = transaction.inputs.get(self.index as usize).copied().ok_or(UNREADABLE)?;
        let outpoints: Vec<&[u8]> = transaction.inputs.iter().map(|input| input.0).collect();
        let sequences: Vec<&[u8]> = transaction.inputs.iter().map(|input| input.1).collect();
        let preimage = [
            transaction.version,
            &twice(&outpoints.concat()),
            &twice(&sequences.concat()),
            outpoint,
            // The script of a payment to the key's hash, with its length.
            &[0x19, 0x76, 0xa9, 0x14],
            hash,
            &[0x88, 0xac],
            &coin.amount.to_le_bytes(),
            sequence,
            &twice(transaction.outputs_bytes),
            transaction.lock_time,
            &SIGHASH_ALL.to_le_bytes(),
        ];
        Ok(twice(&preimage.concat()))
    }
}

const NO_KEY_SCRIPT: Misfit = "The coin of the Bitcoin input is no P2WPKH output.";

fn twice(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(bytes)).into()
}

fn read_transaction(bytes: &[u8]) -> Result<Transaction<'_>, Misfit> {
    let mut reader = Reader(bytes);
    let version = reader.take(4)?;
    let count = reader.length()?;
    let mut inputs = vec![];
    for _ in 0..count {
        let outpoint = reader.take(36)?;
        // The place of a signature script: empty as long as nothing is signed, and for P2WPKH for ever.
        if reader.length()? != 0 {
            return Err("The Bitcoin transaction is signed already.");
        }
        inputs.push((outpoint, reader.take(4)?));
    }
    let before = reader.0;
    let mut outputs = vec![];
    let count = reader.length()?;
    let outputs_at = before.len() - reader.0.len();
    for _ in 0..count {
        let amount = u64::from_le_bytes(reader.take(8)?.try_into().map_err(|_| UNREADABLE)?);
        let size = reader.length()?;
        outputs.push(Output { amount, script: reader.take(size)? });
    }
    let outputs_bytes = &before[outputs_at..before.len() - reader.0.len()];
    let lock_time = reader.take(4)?;
    if !reader.0.is_empty() || inputs.is_empty() || outputs.is_empty() {
        return Err(UNREADABLE);
    }
    Ok(Transaction { version, inputs, outputs, outputs_bytes, lock_time })
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8], Misfit> {
        let (taken, rest) = self.0.split_at_checked(size).ok_or(UNREADABLE)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A compact size below 2^16, in its shortest form: nothing longer fits a payload.
    fn length(&mut self) -> Result<usize, Misfit> {
        match self.take(1)?[0] {
            small @ 0..=0xfc => Ok(usize::from(small)),
            0xfd => {
                let size = self.take(2)?;
                let size = usize::from(u16::from_le_bytes([size[0], size[1]]));
                if size < 0xfd {
                    Err(UNREADABLE)
                } else {
                    Ok(size)
                }
            }
            _ => Err(UNREADABLE),
        }
    }
}
