//! What is on the nodes' disks, what has been said, and what the thief knows.

pub const NODES: usize = 3;
pub const THRESHOLD: usize = 2;
/// The generation, and so many refreshes.
pub const SESSIONS: usize = 5;
/// The session that made the key. Its share is what every node begins with.
pub const GENERATION: u8 = 0;

/// A set of sessions or of nodes.
pub type Set = u8;

pub fn has(set: Set, member: usize) -> bool {
    set & (1 << member) != 0
}

pub fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..8).filter(move |member| has(set, *member))
}

pub const ALL: Set = (1 << NODES) - 1;

/// What a `KeyStatement` says, as far as the rules look at it. Its number stands for the session id, so that of two
/// sessions the one with the smaller number wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Session {
    pub begun: bool,
    pub epoch: u8,
    pub roster: u8,
    /// Which nodes have signed a `Confirmation` of it.
    pub confirmed: Set,
    /// Which nodes have signed an `Acknowledgement` of it.
    pub acknowledged: Set,
    /// Of which nodes the thief has the share.
    pub stolen: Set,
}

/// The share that is the key at a node: `.committed`, or `.unrefreshed` when it does not sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    pub session: u8,
    pub signs: bool,
}

/// One node's disk, and the rounds that it is in the midst of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Node {
    pub held: Option<Held>,
    /// Sessions of which there is a `.prepared` file.
    pub prepared: Set,
    /// Those among them that were the key here: all nodes' confirmations are in the file.
    pub was_the_key: Set,
    /// The journal's `Acknowledged`.
    pub acknowledged: Option<u8>,
    /// Sessions whose last round this node has not ended: it may still prepare. Memory only.
    pub live: Set,
    /// The `cluster.json` that it runs with.
    pub roster: u8,
    /// The session on which it has answered `Settled` last. Only the properties look at it.
    pub settled: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub nodes: [Node; NODES],
    pub sessions: [Session; SESSIONS],
    /// Which machine each place has in each roster; the last one is that of the newest `cluster.json`.
    pub rosters: Vec<[u8; NODES]>,
    pub thief: Thief,
    /// The bad machine, until it is replaced.
    pub bad: Option<usize>,
}

/// Where the thief is, and whether a refresh has counted as healed since he left his first machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thief {
    Nowhere,
    In(usize),
    /// Left that one.
    Left {
        from: usize,
        healed: bool,
    },
    /// In another one since.
    Back {
        healed: bool,
    },
}

impl State {
    pub fn session(&self, number: u8) -> &Session {
        &self.sessions[usize::from(number)]
    }

    pub fn newest_roster(&self) -> u8 {
        (self.rosters.len() - 1) as u8
    }

    pub fn is_honest(&self, node: usize) -> bool {
        self.bad != Some(node)
    }

    pub fn honest(&self) -> impl Iterator<Item = usize> + '_ {
        (0..NODES).filter(|node| self.is_honest(*node))
    }

    /// Every session of which the node has a share on its disk.
    pub fn on_disk(&self, node: usize) -> Set {
        let Node { held, prepared, .. } = self.nodes[node];
        prepared | held.map_or(0, |held| 1 << held.session)
    }

    /// Whether the machine that is at this place now was there in that roster.
    pub fn is_same_machine(&self, node: usize, roster: u8) -> bool {
        self.rosters[usize::from(roster)][node] == self.rosters[self.rosters.len() - 1][node]
    }
}
