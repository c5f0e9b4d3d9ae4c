//! Encodes the protocol crates' messages, and decodes only what encodes back to the same bytes: no trailing bytes, no
//! second spelling of a number, no narrowing.

use crate::crypto::secret_bytes;
use serde::{de::DeserializeOwned, Serialize};
use zeroize::Zeroizing;

pub fn to_bytes<T: Serialize>(value: &T) -> Zeroizing<Vec<u8>> {
    secret_bytes::postcard(value)
}

pub fn from_bytes<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes::<T>(bytes).ok()?;
    (rest.is_empty() && to_bytes(&value).as_slice() == bytes).then_some(value)
}
