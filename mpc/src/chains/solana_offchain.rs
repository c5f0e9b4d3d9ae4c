//! Solana's envelope of messages that are not for the chain (off-chain message signing, version 0), read whole or
//! refused; and what else a message on Solana may be. The envelope begins as no text and no transaction does.

use super::solana_text::{self, is_text, Misfit};

const DOMAIN: &[u8] = b"\xffsolana offchain";
/// Version, application domain, format, and the number of signers.
const HEADER: usize = 1 + 32 + 1 + 1;
const TRUNCATED: Misfit = "The off-chain message ends too early.";

pub struct Envelope<'a> {
    /// Whose signatures it asks for.
    pub signers: &'a [[u8; 32]],
    pub message: &'a [u8],
}

/// Whether the bytes are meant to be one, of whatever version.
pub fn is_meant(bytes: &[u8]) -> bool {
    bytes.starts_with(DOMAIN)
}

pub fn read(bytes: &[u8]) -> Result<Envelope<'_>, Misfit> {
    let rest = bytes.strip_prefix(DOMAIN).ok_or("The off-chain message does not begin as one.")?;
    let (header, rest) = rest.split_at_checked(HEADER).ok_or(TRUNCATED)?;
    let (version, format, count) = (header[0], header[33], usize::from(header[34]));
    if version != 0 {
        return Err("The off-chain message has an unknown version.");
    }
    let size_max = match format {
        0 | 1 => 1232,
        2 => 65_535,
        _ => return Err("The off-chain message has an unknown format."),
    };
    if bytes.len() > size_max {
        return Err("The off-chain message is too long for its format.");
    }
    let (signers, rest) = rest.split_at_checked(32 * count).ok_or(TRUNCATED)?;
    let (length, message) = rest.split_first_chunk().ok_or(TRUNCATED)?;
    if signers.is_empty() || usize::from(u16::from_le_bytes(*length)) != message.len() {
        return Err("The off-chain message has no signer, or another length than it says.");
    }
    if !is_text(message) || (format == 0 && !message.iter().all(|byte| (0x20..=0x7e).contains(byte))) {
        return Err("The off-chain message is not text of its format.");
    }
    Ok(Envelope { signers: signers.as_chunks().0, message })
}

/// What a node signs as a message on Solana: an envelope, or text as it is.
pub fn check_message(bytes: &[u8]) -> Result<(), Misfit> {
    if is_meant(bytes) {
        return read(bytes).map(drop);
    }
    solana_text::check(bytes)
}

/// What such a message says: without its envelope, if it has one.
pub fn said(bytes: &[u8]) -> &[u8] {
    read(bytes).map_or(bytes, |envelope| envelope.message)
}
