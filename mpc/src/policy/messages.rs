//! Messages: EIP-191, and on Solana.

use crate::chains::solana_offchain::said;
use crate::wire::command::Payload;

/// Whether it is a message that is a digest and nothing else.
pub fn is_blind_message(payload: &Payload) -> bool {
    match payload {
        Payload::EvmMessage(message) => is_digest(message),
        Payload::SolanaMessage(message) => is_digest(said(message)),
        _ => false,
    }
}

/// 32 bytes: under the prefix of EIP-191 a Safe and ERC-4337 accounts take them for the approval of whatever they are
/// the hash of. Other contracts take the hex digits of a hash as text.
fn is_digest(message: &[u8]) -> bool {
    let digits = message.strip_prefix(b"0x").or(message.strip_prefix(b"0X")).unwrap_or(message);
    message.len() == 32 || digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit)
}
