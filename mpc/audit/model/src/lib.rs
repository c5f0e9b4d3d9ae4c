//! The life of one key's shares at three nodes, two of which sign, as a model whose every state a machine looks at:
//! refreshes, commits, acknowledgements, settlements, repairs and replaced machines, with crashes, with messages that
//! are lost, repeated and reordered, with one bad node or with a thief who is in one machine after another.
//!
//! A step of the model is a request that a node of the program answers, and says which function it stands for. The
//! cryptography is left out: a share is the name of the session that made it, and two nodes sign together, or have the
//! key together, exactly if they have shares of one session.

pub mod properties;
pub mod recovery;
pub mod rules;
pub mod state;
pub mod steps;

pub use rules::{Bounds, Model, Rules};
pub use state::{Node, Session, State, NODES, THRESHOLD};
