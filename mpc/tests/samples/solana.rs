//! Messages that @solana/web3.js 1.99.0 compiled: a transfer of a million lamports, and a call of another program with
//! a second signer, once as a legacy message and once as version 0 with two accounts from an address table.

const LEGACY: &str = "020103070505050505050505050505050505050505050505050505050505050505050505070707070707070707\
    07070707070707070707070707070707070707070707070606060606060606060606060606060606060606060606060606060606060606\
    0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0000000000000000000000000000000000000000000000\
    00000000000000000008080808080808080808080808080808080808080808080808080808080808080b0b0b0b0b0b0b0b0b0b0b0b0b0b\
    0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b09090909090909090909090909090909090909090909090909090909090909090204020002\
    0c0200000040420f000000000005030103060568656c6c6f";
const VERSION_0: &str =
    "8002010205050505050505050505050505050505050505050505050505050505050505050507070707070707070707070\
    7070707070707070707070707070707070707070706060606060606060606060606060606060606060606060606060606060606060000\
    0000000000000000000000000000000000000000000000000000000000000808080808080808080808080808080808080808080808080808\
    080808080808090909090909090909090909090909090909090909090909090909090909090902030200020c0200000040420f00000000000\
    4030105060568656c6c6f010c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c01000101";

/// The signers after the payer.
pub const SECOND_SIGNER: [u8; 32] = [7; 32];
/// An account that does not sign.
pub const RECEIVER: [u8; 32] = [6; 32];

pub fn legacy(payer: [u8; 32]) -> Vec<u8> {
    with_payer(LEGACY, 4, payer)
}

pub fn version_0(payer: [u8; 32]) -> Vec<u8> {
    with_payer(VERSION_0, 5, payer)
}

fn with_payer(message: &str, offset: usize, payer: [u8; 32]) -> Vec<u8> {
    let mut message = hex::decode(message).unwrap();
    assert_eq!(message[offset..offset + 32], [5; 32], "the payer's key stands where it is replaced");
    message[offset..offset + 32].copy_from_slice(&payer);
    message
}

pub struct Instruction {
    pub program: [u8; 32],
    pub accounts: Vec<[u8; 32]>,
    pub data: Vec<u8>,
}

/// A legacy message with one signer.
pub fn compiled(payer: [u8; 32], instructions: &[Instruction]) -> Vec<u8> {
    let (keys, body) = parts(payer, instructions);
    [vec![1, 0, 0], keys, vec![9; 32], body].concat()
}

/// Version 0. The `looked_up` account of the first instruction is not among the message's keys but in a table.
pub fn compiled_with_lookup(payer: [u8; 32], instructions: &[Instruction], looked_up: [u8; 32]) -> Vec<u8> {
    let (keys, mut body) = parts(payer, instructions);
    let at = keys[1..].chunks(32).position(|key| key == looked_up).expect("one of its accounts");
    let count = keys[0];
    // Behind the instructions' count, the program and the accounts' count.
    for index in &mut body[3..] {
        if usize::from(*index) == at {
            *index = count;
            break;
        }
    }
    [vec![0x80, 1, 0, 0], keys, vec![9; 32], body, vec![1], vec![12; 32], vec![1, 0, 0]].concat()
}

fn parts(payer: [u8; 32], instructions: &[Instruction]) -> (Vec<u8>, Vec<u8>) {
    let mut keys = vec![payer];
    let mut index = |key: &[u8; 32]| -> u8 {
        let at = keys.iter().position(|known| known == key).unwrap_or_else(|| {
            keys.push(*key);
            keys.len() - 1
        });
        at as u8
    };
    let mut body = vec![instructions.len() as u8];
    for Instruction { program, accounts, data } in instructions {
        let accounts: Vec<u8> = accounts.iter().map(&mut index).collect();
        let head = [index(program), accounts.len() as u8];
        body.extend([&head[..], &accounts, &[data.len() as u8], data].concat());
    }
    ([vec![keys.len() as u8], keys.concat()].concat(), body)
}

/// An off-chain message of printable ASCII, in Solana's envelope.
pub fn offchain(signers: &[[u8; 32]], message: &[u8]) -> Vec<u8> {
    let length = u16::try_from(message.len()).expect("short").to_le_bytes();
    let header = [b"\xffsolana offchain".as_slice(), &[0], &[7; 32], &[0, signers.len() as u8]].concat();
    [header.as_slice(), signers.as_flattened(), &length, message].concat()
}
