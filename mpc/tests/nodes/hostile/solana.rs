//! Solana messages: transfers of the coin and of tokens, and what else an instruction could do.

use super::{benign, hostile, invalid, Case, Keys, Random};
use crate::samples::solana::{compiled, compiled_with_lookup, Instruction};
use mpc_node::chains::solana_account::*;
use mpc_node::wire::command::Payload;

/// As policy.json spells them.
const ALLOWED: Account = [2; 32];
const MINT: Account = [3; 32];
const SOURCE: Account = [0x51; 32];

fn program(name: &str) -> Account {
    read_account(name).unwrap()
}

fn instruction(program: Account, accounts: &[Account], data: &[&[u8]]) -> Instruction {
    Instruction { program, accounts: accounts.to_vec(), data: data.concat() }
}

fn transfer(from: Account, to: Account, lamports: u64) -> Instruction {
    instruction(SYSTEM, &[from, to], &[&[2, 0, 0, 0], &lamports.to_le_bytes()])
}

fn token_transfer(owner: Account, mint: Account, to: Account, amount: u64) -> Instruction {
    instruction(program(TOKEN), &[SOURCE, mint, to, owner], &[&[12], &amount.to_le_bytes(), &[6]])
}

fn budget(kind: u8, value: &[u8]) -> Instruction {
    instruction(program(COMPUTE_BUDGET), &[], &[&[kind], value])
}

pub fn cases(random: &mut Random, keys: &Keys) -> Vec<Case> {
    let me = keys.solana;
    let message = |instructions: &[Instruction]| Payload::SolanaTransaction(compiled(me, instructions));
    let own_account = associated_token_account(&ALLOWED, &program(TOKEN), &MINT).unwrap();
    let create =
        instruction(program(ASSOCIATED_TOKEN), &[me, own_account, ALLOWED, MINT, SYSTEM, program(TOKEN)], &[&[1]]);
    let memo = instruction(program(MEMO), &[me], &[b"thanks"]);
    let nonce = instruction(SYSTEM, &[SOURCE, [8; 32], me], &[&[4, 0, 0, 0]]);
    let (limit, price) = (budget(2, &100_000u32.to_le_bytes()), budget(3, &100_000u64.to_le_bytes()));
    let mut cases = vec![
        benign("a transfer", message(&[transfer(me, ALLOWED, random.up_to(3_995_000))])),
        benign(
            "a transfer with a memo, a nonce and a price",
            message(&[nonce, limit, price, transfer(me, ALLOWED, 1), memo]),
        ),
        benign("tokens", message(&[create, token_transfer(me, MINT, own_account, random.up_to(700))])),
        benign("tokens to the account itself", message(&[token_transfer(me, MINT, ALLOWED, 700)])),
    ];
    let thief: Account = random.bytes();
    let ok = || transfer(me, ALLOWED, 1);
    let half = 2_000_000 + random.up_to(1_000_000);
    let foreign = associated_token_account(&thief, &program(TOKEN), &MINT).unwrap();
    let dear = budget(3, &(11_000_000 + random.up_to(1 << 40)).to_le_bytes());
    cases.extend([
        hostile("to another", message(&[transfer(me, thief, 1)]), "this destination"),
        hostile("to another, behind an allowed one", message(&[ok(), transfer(me, thief, 1)]), "this destination"),
        hostile("too much", message(&[transfer(me, ALLOWED, 3_995_000 + random.up_to(1 << 40))]), "so high an amount"),
        hostile(
            "too much in two parts",
            message(&[transfer(me, ALLOWED, half), transfer(me, ALLOWED, half)]),
            "so high an amount",
        ),
        hostile("a high fee", message(&[dear, ok()]), "so high a fee"),
        hostile("tokens to another's account", message(&[token_transfer(me, MINT, foreign, 1)]), "this destination"),
        hostile("too many tokens", message(&[token_transfer(me, MINT, own_account, 701)]), "so high an amount"),
        hostile(
            "too many tokens in two parts",
            message(&[token_transfer(me, MINT, own_account, 400), token_transfer(me, MINT, own_account, 400)]),
            "so high an amount",
        ),
        hostile("another token", message(&[token_transfer(me, thief, ALLOWED, 1)]), "this token"),
    ]);
    let token = |data: &[&[u8]]| message(&[ok(), instruction(program(TOKEN), &[SOURCE, thief, me], data)]);
    let amount = 1u64.to_le_bytes();
    cases.extend([
        hostile("tokens of no named mint", token(&[&[3], &amount]), "this token"),
        hostile("approve", token(&[&[4], &amount]), "approvals"),
        hostile("approve checked", token(&[&[13], &amount, &[6]]), "approvals"),
        hostile("set authority", token(&[&[6, 2, 1], &thief]), "authorities"),
        hostile("close account", token(&[&[9]]), "close accounts"),
        hostile("mint to", token(&[&[7], &amount]), "does not know"),
        hostile("a transfer with more behind", token(&[&[3], &amount, &[0]]), "does not know"),
        hostile("an empty instruction", token(&[]), "does not know"),
    ]);
    let call = |program: Account, data: &[&[u8]]| message(&[ok(), instruction(program, &[SOURCE, thief, me], data)]);
    cases.extend([
        hostile("an upgrade", call(program(UPGRADEABLE_LOADER), &[&[3, 0, 0, 0]]), "upgrades"),
        hostile("an unknown program", call(random.bytes(), &[&random.bytes::<9>()]), "does not know"),
        hostile("assign", call(SYSTEM, &[&[1, 0, 0, 0], &thief]), "does not know"),
        hostile("create with coins", call(SYSTEM, &[&[0, 0, 0, 0], &[0xff; 16], &thief]), "does not know"),
        hostile("transfer with a seed", call(SYSTEM, &[&[11, 0, 0, 0], &amount, &[0; 8], &thief]), "does not know"),
        hostile("withdraw a nonce", call(SYSTEM, &[&[5, 0, 0, 0], &amount]), "does not know"),
        hostile("new authority of a nonce", call(SYSTEM, &[&[7, 0, 0, 0], &thief]), "does not know"),
        hostile("a transfer cut short", call(SYSTEM, &[&[2, 0, 0, 0], &amount[..7]]), "does not know"),
        hostile("a fee of its own", message(&[budget(0, &[0xff; 8]), ok()]), "does not know"),
        hostile("recover nested", call(program(ASSOCIATED_TOKEN), &[&[2]]), "does not know"),
    ]);
    let looked_up = compiled_with_lookup(me, &[ok()], ALLOWED);
    cases.push(hostile("a receiver from a table", Payload::SolanaTransaction(looked_up), "does not know"));
    let behind = [compiled(me, &[ok()]), vec![0]].concat();
    cases.push(invalid("a byte behind a message", Payload::SolanaTransaction(behind), "left over"));
    let others = compiled(thief, &[transfer(thief, ALLOWED, 1)]);
    cases.push(invalid("another's message", Payload::SolanaTransaction(others), "not a signer"));
    cases
}
