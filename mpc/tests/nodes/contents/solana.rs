//! Goal: only a whole Solana message passes as one, and it tells who must sign. Method: messages that Solana's own
//! library compiled, cut, extended and spoilt one thing at a time, with the sentence that must name it.

use crate::samples::solana::*;
use mpc_node::chains::solana_message::required_signers;

const PAYER: [u8; 32] = [5; 32];
/// Where the legacy message's parts begin: header, account keys, blockhash, instructions.
const KEYS_AT: usize = 3;
const INSTRUCTIONS_AT: usize = KEYS_AT + 1 + 7 * 32 + 32;

#[track_caller]
fn refuses(message: &[u8], sentence: &str) {
    let detail = required_signers(message).expect_err("refused");
    assert!(detail.contains(sentence), "{detail}");
}

fn changed(mut message: Vec<u8>, at: usize, byte: u8) -> Vec<u8> {
    message[at] = byte;
    message
}

/// One signer, one program, one instruction with these many bytes of data.
fn with_data(length: &[u8], size: usize) -> Vec<u8> {
    let keys = [[1, 0, 1, 2].as_slice(), &PAYER, &[8; 32], &[9; 32]].concat();
    [keys.as_slice(), &[1, 1, 0], length, &vec![0xaa; size]].concat()
}

#[test]
fn messages_of_other_software_are_read() {
    for message in [legacy(PAYER), version_0(PAYER)] {
        assert_eq!(required_signers(&message), Ok([PAYER, SECOND_SIGNER].as_slice()));
    }
    assert_eq!(required_signers(&with_data(&[0xac, 0x02], 300)), Ok([PAYER].as_slice()));
}

#[test]
fn a_message_is_whole() {
    for message in [legacy(PAYER), version_0(PAYER), with_data(&[3], 3)] {
        for length in 0..message.len() {
            assert!(required_signers(&message[..length]).is_err(), "cut to {length}");
        }
        refuses(&[message.as_slice(), &[0]].concat(), "left over");
    }
    // A legacy message has no lookups, and a message of version 0 has them even when there are none.
    refuses(&legacy(PAYER)[1..], "");
    refuses(&[[0x80].as_slice(), &legacy(PAYER)].concat(), "too early");
    assert!(required_signers(&[[0x80].as_slice(), &legacy(PAYER), &[0]].concat()).is_ok());
}

#[test]
fn a_message_fits_a_packet() {
    let overhead = with_data(&[0x80, 0x09], 0).len();
    let size = 1232 - overhead;
    let compact = [(size & 0x7f | 0x80) as u8, (size >> 7) as u8];
    assert_eq!(with_data(&compact, size).len(), 1232);
    assert!(required_signers(&with_data(&compact, size)).is_ok());
    refuses(&with_data(&[compact[0] + 1, compact[1]], size + 1), "too long");
}

#[test]
fn only_known_versions_are_read() {
    for version in 0x81..=0xff {
        refuses(&changed(version_0(PAYER), 0, version), "unknown version");
    }
}

#[test]
fn the_header_fits_the_keys() {
    refuses(&changed(legacy(PAYER), 0, 0), "header");
    refuses(&changed(legacy(PAYER), 0, 1), "header"); // One signer, who is read-only: nobody pays.
    refuses(&changed(legacy(PAYER), 0, 5), "header"); // Five signers and three others, of seven keys.
    refuses(&changed(legacy(PAYER), 1, 2), "header");
    refuses(&changed(legacy(PAYER), 2, 6), "header");
    assert!(required_signers(&changed(legacy(PAYER), 2, 5)).is_ok());
    // No keys at all.
    refuses(&[[1, 0, 0, 0].as_slice(), &[9; 32], &[0]].concat(), "header");
}

#[test]
fn indexes_are_in_range() {
    let instruction = INSTRUCTIONS_AT + 1; // program, account count, accounts, data
    for (program, named) in [(0, false), (1, true), (6, true), (7, false), (255, false)] {
        assert_eq!(required_signers(&changed(legacy(PAYER), instruction, program)).is_ok(), named, "program {program}");
    }
    refuses(&changed(legacy(PAYER), instruction, 0), "no program");
    refuses(&changed(legacy(PAYER), instruction, 7), "no program");
    assert!(required_signers(&changed(legacy(PAYER), instruction + 2, 6)).is_ok());
    refuses(&changed(legacy(PAYER), instruction + 2, 7), "no account");
    // Version 0: five keys of its own, two from a table; programs come from its own alone.
    let first = 1 + KEYS_AT + 1 + 5 * 32 + 32 + 1;
    refuses(&changed(version_0(PAYER), first, 5), "no program");
    assert!(required_signers(&changed(version_0(PAYER), first + 2, 6)).is_ok());
    refuses(&changed(version_0(PAYER), first + 2, 7), "no account");
}

#[test]
fn lookups_add_accounts() {
    let message = version_0(PAYER);
    let without = &message[..message.len() - 4]; // one writable: 0; one read-only: 1
    assert_eq!(message[message.len() - 4..], [1, 0, 1, 1]);
    refuses(&[without, &[0, 0]].concat(), "adds no account");
    assert!(required_signers(&[without, &[2, 0, 1, 0]].concat()).is_ok());
    refuses(&[without, &[0, 1, 1]].concat(), "no account");
    // 251 more accounts make 256 with the five keys; 252 are too many.
    let many = |count: u8| [without, &[count, 1], &vec![0; usize::from(count)], &[0]].concat();
    assert!(required_signers(&many(251)).is_ok());
    refuses(&many(252), "too many accounts");
}

#[test]
fn lengths_have_one_form() {
    assert!(required_signers(&with_data(&[3], 3)).is_ok());
    for padded in [&[0x83, 0x00][..], &[0x83, 0x80, 0x00], &[0x83, 0x80, 0x80, 0x00]] {
        refuses(&with_data(padded, 3), "compact-u16");
    }
    refuses(&with_data(&[0xff, 0xff, 0x04], 3), "compact-u16");
    refuses(&with_data(&[0xff, 0xff, 0x03], 3), "too early");
}
