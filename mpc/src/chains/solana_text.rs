//! Text that is signed on Solana as it is, without a prefix: what a wallet's `signMessage` signs. Nothing sets it apart
//! from a transaction but that it is text, so nothing else can be signed under that name.

use super::solana_message;

pub type Misfit = &'static str;

/// UTF-8 without control characters but those between lines and words. The bytes of a transaction have zeros in its
/// header or its accounts; should they ever read as text, they still read as a transaction.
pub fn check(text: &[u8]) -> Result<(), Misfit> {
    if !is_text(text) {
        return Err("The Solana message is not text.");
    }
    if solana_message::read(text).is_ok() {
        return Err("The Solana message is a transaction.");
    }
    Ok(())
}

pub fn is_text(bytes: &[u8]) -> bool {
    let says_something =
        |text: &str| !text.is_empty() && text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'));
    std::str::from_utf8(bytes).is_ok_and(says_something)
}
