//! A share of a key together with what the nodes have stated about that key.

use super::key_material::KeyMaterial;
use crate::wire::key_statement::{Confirmation, KeyStatement};

/// A share with what all nodes stated about its key.
pub struct Share {
    pub statement: KeyStatement,
    /// Of this node when prepared, of all nodes when committed.
    pub confirmations: Vec<Confirmation>,
    pub material: KeyMaterial,
    /// Committed. A prepared share does not sign, nor does a repaired or restored one.
    pub signs: bool,
}

impl Share {
    /// About what it takes in memory.
    pub fn size_bytes(&self) -> usize {
        const STATEMENTS_BYTES: usize = 2048;
        STATEMENTS_BYTES + self.material.size_bytes()
    }
}
