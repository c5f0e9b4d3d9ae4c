//! Unsigned Bitcoin transactions, byte by byte.

use mpc_node::chains::bitcoin::{key_script, BitcoinInput, Coin};
use mpc_node::keys::derive_secp256k1::key_hash;

/// One input a coin, spent from made-up transactions.
pub fn spending(coins: &[Coin], outputs: &[Coin]) -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0, coins.len() as u8];
    for at in 0..coins.len() {
        bytes.extend([&[at as u8 + 1; 32][..], &[0, 0, 0, 0, 0], &[0xfd, 0xff, 0xff, 0xff]].concat());
    }
    bytes.push(outputs.len() as u8);
    for Coin { amount, script } in outputs {
        bytes.extend([&amount.to_le_bytes()[..], &[script.len() as u8], script].concat());
    }
    bytes.extend([0; 4]);
    bytes
}

pub fn input(index: u32, coins: Vec<Coin>, outputs: &[Coin]) -> BitcoinInput {
    BitcoinInput { transaction: spending(&coins, outputs), index, coins, sighash_type: 1 }
}

pub fn coin(amount: u64, script: &[u8]) -> Coin {
    Coin { amount, script: script.to_vec() }
}

/// BIP-143, "Native P2WPKH": the second input, its public key and its digest.
pub const BIP_143_KEY: &str = "025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357";
pub const BIP_143_DIGEST: &str = "c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670";
const BIP_143_TRANSACTION: &str = "0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f\
    0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206\
    000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce\
    2f0167faa815988ac11000000";

pub fn bip_143() -> BitcoinInput {
    let key = hex::decode(BIP_143_KEY).unwrap().try_into().unwrap();
    let first = Coin { amount: 625_000_000, script: vec![0x51] };
    let second = Coin { amount: 600_000_000, script: key_script(&key_hash(&key)) };
    let transaction = hex::decode(BIP_143_TRANSACTION).unwrap();
    BitcoinInput { transaction, index: 1, coins: vec![first, second], sighash_type: 1 }
}
