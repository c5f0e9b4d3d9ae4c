//! Which protocol is looked at, and how far. The former protocols are kept so that a test can say that what was wrong
//! with them is found.

/// What a node does. Each field is a decision; `now` is the program as it is.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Decision 120: nodes acknowledge one share of an epoch, and erase every other one when all have.
    pub acknowledges: bool,
    /// `REFRESH_EPOCHS_AHEAD` of limits.rs: 4 since decision 120, 1 before.
    pub epochs_ahead: u8,
    /// `REFRESHED_KEPT` of limits.rs, scaled down: 32 in the program.
    pub refreshed_kept: u8,
    /// Decision 121: of a key of an earlier roster the word of as many helpers as sign is enough.
    pub believes_helpers: bool,
    /// Decision 129: a certificate of the share that a node has acknowledged brings it back to it.
    pub comes_back: bool,
    /// Decision 130: no refresh goes to an epoch below one of which a share is prepared.
    pub not_below_prepared: bool,
    /// Decision 130: a refresh counts only if nothing is left of a later epoch either.
    pub shows_all: bool,
}

impl Rules {
    /// Before decisions 120 to 122.
    pub const fn before_acknowledgements() -> Self {
        Self {
            acknowledges: false,
            epochs_ahead: 1,
            refreshed_kept: 2,
            believes_helpers: false,
            comes_back: false,
            not_below_prepared: false,
            shows_all: false,
        }
    }

    /// By decisions 120 to 122.
    pub const fn with_acknowledgements() -> Self {
        Self { acknowledges: true, epochs_ahead: 4, believes_helpers: true, ..Self::before_acknowledgements() }
    }

    /// As the program is.
    pub const fn now() -> Self {
        Self { comes_back: true, not_below_prepared: true, shows_all: true, ..Self::with_acknowledgements() }
    }
}

/// Who is against the nodes, besides a network that loses, repeats and reorders all it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// Nobody: machines crash and are lost, and the coordinator carries a certificate of an earlier roster only where a
    /// node has committed it. Who carries any other can undo the repair of a second machine: see README.md.
    Loss,
    /// The last node confirms and acknowledges whatever it likes, and may fall silent for ever.
    BadNode,
    /// Reads what one machine has, leaves it, and is in another one later.
    Thief,
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many refreshes are begun at most.
    pub refreshes: u8,
    /// The highest epoch.
    pub epochs: u8,
    /// How many machines are replaced at most.
    pub replacements: u8,
    /// Whether a node may write its prepared share after others went on. Without it all that prepare do so at once.
    pub late: bool,
    /// Whether a repaired share helps to repair another: on ed25519 it does, on secp256k1 it lacks the seeds.
    pub repaired_helps: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub rules: Rules,
    pub adversary: Adversary,
    pub bounds: Bounds,
}
