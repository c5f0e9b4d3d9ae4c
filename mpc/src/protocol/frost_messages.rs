//! FROST's identifiers and its own encodings, decoded strictly: the crate's decoders ignore trailing bytes.

use super::Fault;
use frost_ed25519::{Error, Identifier};
use zeroize::Zeroizing;

pub fn identifier(index: u8) -> Identifier {
    u16::from(index).try_into().expect("indexes start at 1")
}

/// FROST can tell whose proof or share is false.
pub fn fault(error: Error, detail: &'static str) -> Fault {
    let culprit =
        error.culprits().first().and_then(|culprit| (1..=u8::MAX).find(|index| identifier(*index) == *culprit));
    culprit.map_or(Fault::Abort(detail), |peer| Fault::AbortBy(peer, detail))
}

/// Our own value to bytes; fails only for an identity element, which no honest value is.
pub fn encoded(bytes: Result<Vec<u8>, Error>) -> Result<Vec<u8>, Fault> {
    bytes.map_err(|_| Fault::Abort("A value could not be encoded."))
}

/// Decodes, and compares with what the value encodes to.
pub fn decoded<T>(
    peer: u8,
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<T, Error>,
    encode: impl Fn(&T) -> Result<Vec<u8>, Error>,
) -> Result<T, Fault> {
    let value = decode(bytes).ok();
    value
        .filter(|value| encode(value).map(Zeroizing::new).is_ok_and(|again| again.as_slice() == bytes))
        .ok_or(Fault::AbortBy(peer, "A peer's message could not be decoded."))
}
