//! EVM transactions: allowed ones in every type, and what a thief would make of them.

use super::{benign, hostile, invalid, Case, Keys, Random};
use crate::samples::evm::*;
use mpc_node::wire::command::Payload;

const CHAIN: u64 = 1;
const ALLOWED: [[u8; 20]; 2] = [[0xd1; 20], [0xd2; 20]];
const TOKEN: [u8; 20] = [0xa1; 20];
const TOKEN_WITH_OWN_LIST: [u8; 20] = [0xa2; 20];
const OWN_LIST: [u8; 20] = [0xd3; 20];
const TRANSFER: &str = "transfer(address,uint256)";
const READ: &str = "cannot read";
const CALL: &str = "does not know";

fn payload(transaction: &Transaction) -> Payload {
    Payload::EvmTransaction(transaction.eip_1559())
}

/// Its fee is 21,000.
fn sending(to: [u8; 20], value: u128) -> Transaction {
    Transaction { price: 1, ..Transaction::plain(CHAIN, to, value) }
}

fn to_token(token: [u8; 20], data: Vec<u8>) -> Transaction {
    Transaction { gas: 60_000, data, ..sending(token, 0) }
}

fn token_transfer(token: [u8; 20], to: [u8; 20], amount: u128) -> Transaction {
    to_token(token, call(TRANSFER, &[address_word(to), number_word(amount)]))
}

pub fn cases(random: &mut Random, keys: &Keys) -> Vec<Case> {
    let to = *random.pick(&ALLOWED);
    let plain = sending(to, random.up_to(979_000).into());
    let tokens = token_transfer(TOKEN, to, random.up_to(500).into());
    let mut cases = vec![
        benign("EIP-1559", payload(&plain)),
        benign("EIP-2930", Payload::EvmTransaction(plain.eip_2930())),
        benign("legacy", Payload::EvmTransaction(plain.legacy())),
        benign("a token", payload(&tokens)),
        benign("a token to its own list", payload(&token_transfer(TOKEN_WITH_OWN_LIST, OWN_LIST, 900))),
        benign("back to its own address", payload(&sending(keys.evm, 0))),
        hostile("a call of its own address", payload(&to_token(keys.evm, call("f()", &[]))), CALL),
        hostile("too much to its own address", payload(&sending(keys.evm, 979_001)), "so high an amount"),
        benign("the most that is allowed", payload(&sending(to, 979_000))),
    ];
    cases.extend(elsewhere(random, &plain));
    cases.extend(disguised(random, to));
    cases.extend(powers(random, to));
    cases.extend(misspelt(&plain));
    cases
}

fn elsewhere(random: &mut Random, plain: &Transaction) -> Vec<Case> {
    let thief: [u8; 20] = random.bytes();
    let other_chain = Transaction { chain_id: CHAIN + random.up_to(1 << 40), ..plain.clone() };
    let above = sending(ALLOWED[0], 1_000_000 + u128::from(random.next()));
    // A number whose lower half is small.
    let wide = Transaction { value: [&[1][..], &[0; 16]].concat(), ..plain.clone() };
    let dear = Transaction { price: 10_000_000 / 21_000 + u128::from(random.up_to(1 << 30)), ..plain.clone() };
    let huge_price = Transaction { price: u128::MAX, ..plain.clone() };
    let mut wide_amount = number_word(1);
    wide_amount[0] = 0x80;
    let wide_token = to_token(TOKEN, call(TRANSFER, &[address_word(ALLOWED[0]), wide_amount]));
    let creation = Transaction { to: vec![], data: random.bytes::<40>().to_vec(), ..plain.clone() };
    vec![
        hostile("another chain", payload(&other_chain), "this chain"),
        hostile("another chain, legacy", Payload::EvmTransaction(other_chain.legacy()), "this chain"),
        hostile("another destination", payload(&sending(thief, 1)), "this destination"),
        hostile("an amount above the limit", payload(&above), "so high an amount"),
        hostile("an amount of more than 128 bits", payload(&wide), "so high an amount"),
        hostile("a high fee", payload(&dear), "so high a fee"),
        hostile("a fee that overflows", payload(&huge_price), "so high a fee"),
        hostile("tokens to another", payload(&token_transfer(TOKEN, thief, 1)), "this destination"),
        hostile(
            "tokens past their own list",
            payload(&token_transfer(TOKEN_WITH_OWN_LIST, ALLOWED[0], 1)),
            "this destination",
        ),
        hostile("too many tokens", payload(&token_transfer(TOKEN, ALLOWED[0], 501)), "so high an amount"),
        hostile("tokens of more than 128 bits", payload(&wide_token), "so high an amount"),
        hostile("another token", payload(&token_transfer(thief, ALLOWED[0], 1)), "this token"),
        hostile("a new contract", payload(&creation), "create contracts"),
        hostile("no chain at all", Payload::EvmTransaction(plain.before_eip_155()), "names no chain"),
        hostile("blobs", Payload::EvmTransaction(plain.with_blobs()), READ),
        hostile("a delegation", Payload::EvmTransaction(plain.with_delegation()), READ),
        hostile("a type of tomorrow", Payload::EvmTransaction([vec![5], plain.eip_1559()].concat()), READ),
        invalid(
            "a message as a transaction",
            Payload::EvmTransaction(b"\x19Ethereum Signed Message:\n1a".to_vec()),
            "serialized",
        ),
        invalid("nothing as a transaction", Payload::EvmTransaction(vec![]), "serialized"),
    ]
}

/// Calls that look like an allowed transfer of tokens.
fn disguised(random: &mut Random, to: [u8; 20]) -> Vec<Case> {
    let genuine = call(TRANSFER, &[address_word(to), number_word(1)]);
    let mut dirty = genuine.clone();
    dirty[4 + random.next() as usize % 12] = random.up_to(255) as u8;
    let padded = [genuine.clone(), vec![0; random.up_to(64) as usize]].concat();
    let cut = genuine[..genuine.len() - random.up_to(67) as usize].to_vec();
    let with_coins = Transaction { value: minimal(random.up_to(9).into()), ..to_token(TOKEN, genuine) };
    let unknown = call(&format!("f{}()", random.next()), &[]);
    let multicall = call("multicall(bytes[])", &[number_word(32), number_word(0)]);
    let batch = call("multiSend(bytes)", &[number_word(32), number_word(0)]);
    vec![
        hostile("padded behind", payload(&to_token(TOKEN, padded)), CALL),
        hostile("something above the address", payload(&to_token(TOKEN, dirty)), CALL),
        hostile("cut short", payload(&to_token(TOKEN, cut)), CALL),
        hostile("with coins on top", payload(&with_coins), CALL),
        hostile("an unknown call", payload(&to_token(to, unknown)), CALL),
        hostile("a multicall", payload(&to_token(to, multicall)), CALL),
        hostile("a batch", payload(&to_token(to, batch)), CALL),
    ]
}

/// T8: what gives power away, to an allowed contract too.
fn powers(random: &mut Random, to: [u8; 20]) -> Vec<Case> {
    let (thief, much) = (address_word(random.bytes()), [0xff; 32]);
    let approvals = [
        call("approve(address,uint256)", &[thief, much]),
        call("increaseAllowance(address,uint256)", &[thief, much]),
        call("setApprovalForAll(address,bool)", &[thief, number_word(1)]),
        call("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", &[thief; 7]),
        call("approve(address,address,uint160,uint48)", &[thief; 4]),
        call("transferFrom(address,address,uint256)", &[thief, address_word(to), number_word(1)]),
    ];
    let upgrades = [
        call("upgradeTo(address)", &[thief]),
        call("upgradeToAndCall(address,bytes)", &[thief, number_word(64), number_word(0)]),
        call("transferOwnership(address)", &[thief]),
        call("grantRole(bytes32,address)", &[[0; 32], thief]),
        call("swapOwner(address,address,address)", &[thief; 3]),
        call("enableModule(address)", &[thief]),
    ];
    let safe = |operation: [u8; 32]| {
        let words =
            [address_word(to), [0; 32], number_word(320), operation, [0; 32], [0; 32], [0; 32], [0; 32], [0; 32]];
        let signature = "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)";
        call(signature, &[&words[..], &[number_word(352), [0; 32], [0; 32]]].concat())
    };
    let mut odd = [0; 32];
    odd[random.next() as usize % 31] = 1;
    let contract = *random.pick(&[TOKEN, to]);
    let named = |kind: &str, calls: &[Vec<u8>], words| -> Vec<Case> {
        let case = |(at, data): (usize, &Vec<u8>)| {
            hostile(format!("{kind} {at}"), payload(&to_token(contract, data.clone())), words)
        };
        calls.iter().enumerate().map(case).collect()
    };
    [
        named("approval", &approvals, "approvals"),
        named("upgrade", &upgrades, "upgrades"),
        named("delegatecall", &[safe(number_word(1)), safe(number_word(2)), safe(odd)], "delegatecalls"),
        named("a call through a Safe", &[safe([0; 32])], CALL),
    ]
    .concat()
}

/// A second spelling of an allowed transaction.
fn misspelt(plain: &Transaction) -> Vec<Case> {
    let with = |at: usize, item: Vec<u8>| {
        let mut items = plain.eip_1559_items();
        items[at] = item;
        [vec![2], list(&items)].concat()
    };
    let (items, whole) = (plain.eip_1559_items(), plain.eip_1559());
    let spelt = [
        ("a number with a leading zero", with(1, vec![0x82, 0, 7])),
        ("zero as a byte", with(1, vec![0])),
        ("a small byte with a length", with(1, vec![0x81, 7])),
        ("a long length that is short", with(5, [vec![0xb8, 20], plain.to.clone()].concat())),
        ("a short address", with(5, bytes(&plain.to[1..]))),
        ("a long address", with(5, bytes(&[0xd1; 21]))),
        ("a number of 33 bytes", with(6, bytes(&[1; 33]))),
        ("a list as a number", with(1, list(&[]))),
        ("no access list", with(8, bytes(&[]))),
        ("an access list of other things", with(8, list(&[bytes(&[1; 20])]))),
        ("a field too many", [vec![2], list(&[items.clone(), vec![bytes(&[])]].concat())].concat()),
        ("a field too few", [vec![2], list(&items[..8])].concat()),
        ("a byte behind", [whole.clone(), vec![0]].concat()),
        ("a byte less", whole[..whole.len() - 1].to_vec()),
    ];
    spelt.into_iter().map(|(name, bytes)| hostile(name, Payload::EvmTransaction(bytes), READ)).collect()
}
