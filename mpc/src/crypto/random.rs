//! Random bytes from the operating system, and nothing else.

use rand_core::{OsRng, RngCore};

pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    OsRng.fill_bytes(&mut bytes);
    bytes
}
