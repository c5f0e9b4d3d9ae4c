//! EVM transactions and calls as other software writes them, and the ways to write them wrongly.

use sha3::{Digest, Keccak256};

/// The fields of an unsigned transaction, in whatever type it is written.
#[derive(Clone)]
pub struct Transaction {
    pub chain_id: u64,
    pub nonce: u64,
    pub price: u128,
    pub gas: u64,
    pub to: Vec<u8>,
    /// Big-endian, without leading zeros.
    pub value: Vec<u8>,
    pub data: Vec<u8>,
}

impl Transaction {
    pub fn plain(chain_id: u64, to: [u8; 20], value: u128) -> Self {
        let (to, value) = (to.to_vec(), minimal(value));
        Self { chain_id, nonce: 7, price: 30, gas: 21_000, to, value, data: vec![] }
    }

    fn middle(&self) -> Vec<Vec<u8>> {
        vec![integer(self.gas.into()), bytes(&self.to), bytes(&self.value), bytes(&self.data)]
    }

    fn head(&self) -> Vec<Vec<u8>> {
        vec![integer(self.nonce.into()), integer(self.price)]
    }

    pub fn before_eip_155(&self) -> Vec<u8> {
        list(&[self.head(), self.middle()].concat())
    }

    pub fn legacy(&self) -> Vec<u8> {
        let replay = vec![integer(self.chain_id.into()), integer(0), integer(0)];
        list(&[self.head(), self.middle(), replay].concat())
    }

    pub fn eip_2930(&self) -> Vec<u8> {
        let access = list(&[list(&[bytes(&[0xab; 20]), list(&[bytes(&[1; 32])])])]);
        let items = [vec![integer(self.chain_id.into())], self.head(), self.middle(), vec![access]].concat();
        [vec![1], list(&items)].concat()
    }

    pub fn eip_1559_items(&self) -> Vec<Vec<u8>> {
        let head = vec![integer(self.chain_id.into()), integer(self.nonce.into()), integer(1), integer(self.price)];
        [head, self.middle(), vec![list(&[])]].concat()
    }

    pub fn eip_1559(&self) -> Vec<u8> {
        [vec![2], list(&self.eip_1559_items())].concat()
    }

    /// EIP-4844: a price and the hashes of blobs.
    pub fn with_blobs(&self) -> Vec<u8> {
        let blobs = vec![integer(1), list(&[bytes(&[1; 32])])];
        [vec![3], list(&[self.eip_1559_items(), blobs].concat())].concat()
    }

    /// EIP-7702: an authorization for foreign code.
    pub fn with_delegation(&self) -> Vec<u8> {
        let authorization =
            list(&[integer(1), bytes(&[0xbb; 20]), integer(0), integer(1), bytes(&[2; 32]), bytes(&[3; 32])]);
        [vec![4], list(&[self.eip_1559_items(), vec![list(&[authorization])]].concat())].concat()
    }
}

pub fn minimal(value: u128) -> Vec<u8> {
    value.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect()
}

pub fn integer(value: u128) -> Vec<u8> {
    bytes(&minimal(value))
}

pub fn bytes(content: &[u8]) -> Vec<u8> {
    match content {
        [single] if *single < 0x80 => vec![*single],
        _ => [prefix(0x80, content.len()), content.to_vec()].concat(),
    }
}

pub fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let content = items.concat();
    [prefix(0xc0, content.len()), content].concat()
}

fn prefix(base: u8, size: usize) -> Vec<u8> {
    if size < 56 {
        return vec![base + size as u8];
    }
    let digits = minimal(size as u128);
    [vec![base + 55 + digits.len() as u8], digits].concat()
}

/// A function's selector and its arguments, a word each.
pub fn call(signature: &str, words: &[[u8; 32]]) -> Vec<u8> {
    [&Keccak256::digest(signature)[..4], &words.concat()].concat()
}

pub fn address_word(address: [u8; 20]) -> [u8; 32] {
    let mut word = [0; 32];
    word[12..].copy_from_slice(&address);
    word
}

pub fn number_word(value: u128) -> [u8; 32] {
    let mut word = [0; 32];
    word[16..].copy_from_slice(&value.to_be_bytes());
    word
}
