//! What is measured: functions that the node runs on secrets, and two that try the harness.

mod curves;
mod encoders;
mod harness;
mod oblivious_transfer;

use crate::case::{Case, Class};
use rand_core::{OsRng, RngCore};

pub fn all() -> Vec<Case> {
    [harness::cases(), oblivious_transfer::cases(), encoders::cases(), curves::cases()].into_iter().flatten().collect()
}

/// A secret of 32 bytes: all zero but for the last one, or drawn.
fn secret(class: Class) -> [u8; 32] {
    let mut drawn = [0; 32];
    OsRng.fill_bytes(&mut drawn);
    let mut fixed = [0; 32];
    fixed[31] = 1;
    // Both are made, whatever the class is.
    match class {
        Class::Fixed => fixed,
        Class::Random => drawn,
    }
}
