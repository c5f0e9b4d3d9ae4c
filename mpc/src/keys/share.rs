//! A share of a key together with what the nodes have stated about that key.

use super::children::{Children, CHILDREN_BYTES};
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
    /// Of its material.
    pub children: Children,
}

impl Share {
    /// The key that signs at `path`. `None` where there is none.
    pub fn derive(&self, path: &[u32]) -> Option<KeyMaterial> {
        self.children.derive(&self.material, path)
    }

    /// Whether it is another one of the same epoch and roster, and signs: a share that was acknowledged may come back
    /// in its place. One that was repaired or restored makes place for a refresh only.
    pub fn can_give_way_to(&self, statement: &KeyStatement) -> bool {
        let of = |statement: &KeyStatement| (statement.epoch, statement.roster);
        self.signs && of(&self.statement) == of(statement) && self.statement.session_id != statement.session_id
    }

    /// About what it takes in memory.
    pub fn size_bytes(&self) -> usize {
        const STATEMENTS_BYTES: usize = 2048;
        STATEMENTS_BYTES + self.material.size_bytes() + CHILDREN_BYTES
    }
}
