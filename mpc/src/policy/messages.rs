//! EIP-191 messages.

/// 32 bytes: under the prefix of EIP-191 a Safe and ERC-4337 accounts take them for the approval of whatever they are
/// the hash of. Other contracts take the hex digits of a hash as text.
pub fn is_digest(message: &[u8]) -> bool {
    let digits = message.strip_prefix(b"0x").or(message.strip_prefix(b"0X")).unwrap_or(message);
    message.len() == 32 || digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit)
}
