//! Bitcoin transactions: a payment with its change, and what a thief would make of it.

use super::{benign, hostile, invalid, Case, Keys, Random};
use crate::samples::bitcoin::input;
use mpc_node::chains::bitcoin::{BitcoinInput, Coin};
use mpc_node::chains::bitcoin_address::script_of;
use mpc_node::wire::command::Payload;

const ALLOWED: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

pub fn cases(random: &mut Random, keys: &Keys) -> Vec<Case> {
    let own = keys.bitcoin_script.clone();
    let allowed = script_of(ALLOWED).unwrap();
    // Two coins: what a case changes in one input must not contradict another case.
    let first = 400_000 + random.up_to(1 << 30);
    let coins = || vec![Coin { amount: first, script: own.clone() }, Coin { amount: 100_000, script: own.clone() }];
    let (amount, fee) = (random.up_to(95_000), random.up_to(5_000));
    let paying = |amount: u64, script: &[u8], fee: u64| {
        let change = Coin { amount: first + 100_000 - amount - fee, script: own.clone() };
        input(0, coins(), &[Coin { amount, script: script.to_vec() }, change])
    };
    let genuine = paying(amount, &allowed, fee);
    let changed = |change: fn(&mut BitcoinInput)| {
        let mut input = genuine.clone();
        change(&mut input);
        Payload::BitcoinInput(input)
    };
    let payload = Payload::BitcoinInput;
    let thief = [&[0x00, 0x14][..], &random.bytes::<20>()].concat();
    let data = [&[0x6a, 0x20][..], &random.bytes::<32>()].concat();
    let foreign = Coin { amount: 500_000, script: thief.clone() };
    let above = vec![Coin { amount: first + 100_001, script: own.clone() }];
    vec![
        benign("a payment", payload(genuine.clone())),
        benign("its other input", changed(|input| input.index = 1)),
        hostile("to another", payload(paying(amount, &thief, fee)), "this destination"),
        hostile("to nobody", payload(paying(amount, &data, fee)), "this destination"),
        hostile("too much with the fee", payload(paying(95_001, &allowed, 5_000)), "so high an amount"),
        hostile("too much", payload(paying(100_000 + random.up_to(100_000), &allowed, fee)), "so high an amount"),
        hostile("a high fee", payload(paying(amount, &allowed, 5_000 + random.up_to(100_000))), "so high a fee"),
        hostile("more than the coins", payload(input(0, coins(), &above)), "above the coins"),
        invalid("SIGHASH_NONE", changed(|input| input.sighash_type = 2), "SIGHASH_ALL"),
        invalid("SIGHASH_SINGLE", changed(|input| input.sighash_type = 3), "SIGHASH_ALL"),
        invalid("ANYONECANPAY", changed(|input| input.sighash_type = 0x81), "SIGHASH_ALL"),
        invalid("no such input", changed(|input| input.index = 2), "no such input"),
        invalid("a coin too few", changed(|input| input.coins.truncate(1)), "one coin for each"),
        invalid("another's coin", payload(input(0, vec![foreign], &[])), "could not be read"),
        invalid("another key's coin", changed(|input| input.coins[0].script[21] ^= 1), "not this key's"),
        invalid("a coin of another kind", changed(|input| input.coins[0].script = vec![0x51]), "no P2WPKH"),
        invalid("above all bitcoins", changed(|input| input.coins[1].amount = u64::MAX), "above all bitcoins"),
        invalid("a byte behind", changed(|input| input.transaction.push(0)), "could not be read"),
        invalid("a byte less", changed(|input| input.transaction.truncate(100)), "could not be read"),
        invalid("a padded length", changed(|input| splice(input, 4, &[0xfd, 2, 0])), "could not be read"),
        invalid("a signature script", changed(|input| splice(input, 41, &[1, 0])), "signed already"),
    ]
}

/// Other bytes in the place of one.
fn splice(input: &mut BitcoinInput, at: usize, bytes: &[u8]) {
    input.transaction.splice(at..=at, bytes.iter().copied());
}
