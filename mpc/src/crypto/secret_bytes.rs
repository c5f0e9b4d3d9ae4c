//! Encoded secrets: the bytes are overwritten when they go, also those that a growing buffer leaves behind.

use borsh::BorshSerialize;
use serde::Serialize;
use std::io::{self, Write};
use zeroize::Zeroizing;

#[derive(Default)]
struct Growing(Zeroizing<Vec<u8>>);

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let needed = self.0.len() + bytes.len();
        if needed > self.0.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(needed.max(2 * self.0.capacity())));
            larger.extend_from_slice(&self.0);
            self.0 = larger;
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn postcard<T: Serialize>(value: &T) -> Zeroizing<Vec<u8>> {
    ::postcard::to_io(value, Growing::default()).expect("a value in memory encodes").0
}

pub fn borsh<T: BorshSerialize>(value: &T) -> Zeroizing<Vec<u8>> {
    let mut bytes = Growing::default();
    ::borsh::to_writer(&mut bytes, value).expect("a bounded value encodes");
    bytes.0
}
