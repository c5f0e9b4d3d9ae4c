//! What the instructions of a Solana message do, as far as that can be told from the message alone. Accounts from
//! lookup tables cannot be read from it: an instruction whose meaning hangs on one is unknown.

use super::solana_account::*;
use super::solana_message::{Instruction, Message};
use std::collections::HashMap;
use std::sync::OnceLock;

#[derive(Debug, PartialEq, Eq)]
pub enum Does {
    /// Nothing that moves value: a memo, a nonce, an account for tokens, a price.
    Nothing,
    Transfer {
        to: Account,
        lamports: u64,
    },
    /// `mint` is `None` in the older form, which does not name it. `to` is a token account.
    TokenTransfer {
        program: Account,
        mint: Option<Account>,
        to: Account,
        amount: u64,
    },
    Approval,
    /// Another owner or authority of an account or a mint.
    Authority,
    CloseAccount,
    Upgrade,
    Unknown,
}

#[derive(Clone, Copy)]
enum Program {
    System,
    Token,
    AssociatedToken,
    ComputeBudget,
    Memo,
    Loader,
}

pub fn read_instruction(message: &Message, instruction: &Instruction) -> Does {
    let Instruction { program, accounts, data } = instruction;
    let account = |place: usize| accounts.get(place).and_then(|index| message.keys.get(usize::from(*index))).copied();
    match programs().get(program) {
        Some(Program::System) => system(account, data),
        Some(Program::Token) => token(*program, account, data),
        // Create, in its two spellings, and create unless it exists.
        Some(Program::AssociatedToken) if matches!(data, [] | [0] | [1]) => Does::Nothing,
        // Heap, units, loaded data and price: what `fee_max` knows. An older one could name a fee of its own.
        Some(Program::ComputeBudget) if matches!(data, [1 | 2 | 4, _, _, _, _] | [3, _, _, _, _, _, _, _, _]) => {
            Does::Nothing
        }
        Some(Program::Memo) => Does::Nothing,
        Some(Program::Loader) => Does::Upgrade,
        Some(Program::AssociatedToken | Program::ComputeBudget) | None => Does::Unknown,
    }
}

fn system(account: impl Fn(usize) -> Option<Account>, data: &[u8]) -> Does {
    let Some((kind, arguments)) = data.split_first_chunk::<4>() else { return Does::Unknown };
    match (u32::from_le_bytes(*kind), account(1), arguments) {
        (2, Some(to), arguments) => match arguments.try_into() {
            Ok(lamports) => Does::Transfer { to, lamports: u64::from_le_bytes(lamports) },
            Err(_) => Does::Unknown,
        },
        // AdvanceNonceAccount
        (4, _, []) => Does::Nothing,
        _ => Does::Unknown,
    }
}

fn token(program: Account, account: impl Fn(usize) -> Option<Account>, data: &[u8]) -> Does {
    let Some((kind, arguments)) = data.split_first() else { return Does::Unknown };
    match (kind, arguments.split_first_chunk::<8>()) {
        (3, Some((amount, []))) => match account(1) {
            Some(to) => Does::TokenTransfer { program, mint: None, to, amount: u64::from_le_bytes(*amount) },
            None => Does::Unknown,
        },
        // Source, mint, destination; behind the amount the decimals.
        (12, Some((amount, [_]))) => match (account(1), account(2)) {
            (Some(mint), Some(to)) => {
                Does::TokenTransfer { program, mint: Some(mint), to, amount: u64::from_le_bytes(*amount) }
            }
            _ => Does::Unknown,
        },
        (4 | 13, _) => Does::Approval,
        // Revoke
        (5, _) if arguments.is_empty() => Does::Nothing,
        (6, _) => Does::Authority,
        (9, _) => Does::CloseAccount,
        _ => Does::Unknown,
    }
}

/// What the network charges at most: 5000 lamports a signature, the price of the units that were asked for, and what
/// the new token accounts have to hold. It reads a budget wherever it begins and ignores what stands behind, so that is
/// what counts here. It refuses a message that sets one twice; the first is taken, as in the API.
pub fn fee_max(message: &Message) -> u128 {
    const LAMPORTS_A_SIGNATURE: u128 = 5_000;
    const UNITS_AN_INSTRUCTION: u128 = 200_000;
    const UNITS_MAX: u128 = 1_400_000;
    /// What an associated account of the newer token program has to hold, which is more than one of the older.
    const LAMPORTS_AN_ACCOUNT: u128 = 2_074_080;
    let (mut units, mut price, mut others, mut new_accounts) = (None, None, 0u128, 0u128);
    for Instruction { program, data, .. } in &message.instructions {
        let known = programs().get(program);
        if !matches!(known, Some(Program::ComputeBudget)) {
            others += 1;
            new_accounts += u128::from(matches!((known, data), (Some(Program::AssociatedToken), [] | [0 | 1, ..])));
            continue;
        }
        match (data.first(), data.get(1..).unwrap_or_default()) {
            (Some(2), limit) => {
                let read = limit.first_chunk().map_or(UNITS_MAX, |limit| u128::from(u32::from_le_bytes(*limit)));
                units = units.or(Some(read));
            }
            (Some(3), asked) => {
                let read = asked.first_chunk().map_or(u128::MAX, |price| u128::from(u64::from_le_bytes(*price)));
                price = price.or(Some(read));
            }
            _ => {}
        }
    }
    let units = units.unwrap_or(UNITS_AN_INSTRUCTION * others).min(UNITS_MAX);
    let priority = units.saturating_mul(price.unwrap_or(0)).div_ceil(1_000_000);
    let certain = LAMPORTS_A_SIGNATURE * message.signers as u128 + LAMPORTS_AN_ACCOUNT * new_accounts;
    priority.saturating_add(certain)
}

/// Whether every part of the message that sets a price is read whole. `fee_max` says more than enough where not.
pub fn names_its_fee(message: &Message) -> bool {
    message.instructions.iter().all(|instruction| {
        !matches!(programs().get(&instruction.program), Some(Program::ComputeBudget))
            || read_instruction(message, instruction) == Does::Nothing
    })
}

fn programs() -> &'static HashMap<Account, Program> {
    static PROGRAMS: OnceLock<HashMap<Account, Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let named = [
            (TOKEN, Program::Token),
            (TOKEN_2022, Program::Token),
            (ASSOCIATED_TOKEN, Program::AssociatedToken),
            (COMPUTE_BUDGET, Program::ComputeBudget),
            (MEMO, Program::Memo),
            (MEMO_1, Program::Memo),
            (UPGRADEABLE_LOADER, Program::Loader),
            (LOADER_4, Program::Loader),
        ];
        let named = named.map(|(name, program)| (read_account(name).expect("a program's address"), program));
        named.into_iter().chain([(SYSTEM, Program::System)]).collect()
    })
}
