//! The live sessions. A session is taken out to be worked on and parked again after, so that its state is used once.
//! Its entry stays meanwhile, for the caps and for "in progress". Memory only: a restart ends every session.

use crate::crypto::channel::Channel;
use crate::keys::share::Share;
use crate::limits::Limits;
use crate::policy::Charge;
use crate::protocol::{Context, Protocol};
use crate::wire::command::Command;
use crate::wire::hello::Agreement;
use crate::wire::refusal::{RefusalCode, Refused};
use crate::wire::{Hello, Id};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use x25519_dalek::StaticSecret;

pub struct Session {
    pub facts: Facts,
    pub stage: Stage,
}

/// What a session is about. Frozen when it opens.
pub struct Facts {
    pub command: Command,
    pub agreement: Agreement,
    /// The root key's share, unless there is none yet.
    pub share: Option<Arc<Share>>,
    /// What it is counted as when it starts.
    pub charges: Vec<Charge>,
}

pub enum Stage {
    Opened { hello: Hello, ephemeral_secret: StaticSecret },
    Running { link: Link, protocol: Protocol },
}

/// How a running session reaches its peers.
pub struct Link {
    pub context: Context,
    pub channels: BTreeMap<u8, Channel>,
    /// The round whose messages we are sending, or have sent.
    pub round: u8,
}

/// What stays in the table while a session is worked on.
struct Entry {
    serial: u64,
    command_digest: [u8; 32],
    opened_at: Instant,
    root_public_key: Vec<u8>,
    peers: Vec<u8>,
    makes_share: bool,
    parked: Option<Box<Session>>,
}

/// Names one session among all that ever were, so that a late worker cannot park its state into a successor.
#[derive(Clone, Copy)]
pub struct Ticket {
    command_id: Id,
    serial: u64,
}

#[derive(Default)]
struct Table {
    entries: HashMap<Id, Entry>,
    serials: u64,
}

pub struct Sessions {
    table: Mutex<Table>,
    limits: Limits,
}

pub const UNKNOWN_SESSION: Refused = Refused::new(RefusalCode::UnknownSession, "No such session is live.");

impl Sessions {
    pub fn new(limits: Limits) -> Self {
        Self { table: Mutex::default(), limits }
    }

    /// Drops what has passed its deadline, and locks.
    fn table(&self) -> MutexGuard<'_, Table> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.retain(|_, entry| entry.opened_at.elapsed() < self.limits.session_deadline);
        table
    }

    pub fn sweep(&self) {
        drop(self.table());
    }

    pub fn live(&self) -> usize {
        self.table().entries.len()
    }

    /// The digest of the command under this id, if its session is live.
    pub fn command_digest(&self, command_id: Id) -> Option<[u8; 32]> {
        self.table().entries.get(&command_id).map(|entry| entry.command_digest)
    }

    pub fn makes_share(&self, command_id: Id) -> bool {
        self.table().entries.get(&command_id).is_some_and(|entry| entry.makes_share)
    }

    pub fn insert(&self, session: Session, me: u8) -> Result<(), Refused> {
        let mut table = self.table();
        let command_id = session.facts.command.command_id;
        let operation = &session.facts.command.operation;
        let peers: Vec<u8> = operation.participants().iter().copied().filter(|index| *index != me).collect();
        let root_public_key = session.facts.agreement.root_public_key.clone();
        if table.entries.len() >= self.limits.live_sessions {
            return Err(Refused::new(RefusalCode::Busy, "Too many sessions are live."));
        }
        if session.facts.share.is_some() {
            for peer in &peers {
                let live = table.entries.values().filter(|e| e.is_of(&root_public_key, *peer)).count();
                if live >= self.limits.live_sessions_a_pair {
                    return Err(Refused::by_peer(RefusalCode::Busy, *peer, "Too many sessions of this pair are live."));
                }
            }
        }
        if table.entries.contains_key(&command_id) {
            return Err(crate::storage::journal::COMMAND_USED);
        }
        table.serials += 1;
        let entry = Entry {
            serial: table.serials,
            command_digest: session.facts.agreement.command_digest(),
            opened_at: Instant::now(),
            root_public_key,
            peers,
            makes_share: !operation.is_signing(),
            parked: Some(Box::new(session)),
        };
        table.entries.insert(command_id, entry);
        Ok(())
    }

    /// Takes the state out; a second taker finds nothing.
    pub fn take(&self, command_id: Id) -> Result<(Ticket, Box<Session>), Refused> {
        let mut table = self.table();
        let entry = table.entries.get_mut(&command_id).ok_or(UNKNOWN_SESSION)?;
        let session = entry.parked.take().ok_or(UNKNOWN_SESSION)?;
        Ok((Ticket { command_id, serial: entry.serial }, session))
    }

    /// Refused if the session was ended meanwhile: its state is dropped, its messages must not leave.
    pub fn park(&self, ticket: Ticket, session: Box<Session>) -> Result<(), Refused> {
        let mut table = self.table();
        let entry = table.entries.get_mut(&ticket.command_id).filter(|entry| entry.serial == ticket.serial);
        entry.ok_or(UNKNOWN_SESSION)?.parked = Some(session);
        Ok(())
    }

    pub fn end(&self, ticket: Ticket) {
        let mut table = self.table();
        if table.entries.get(&ticket.command_id).is_some_and(|entry| entry.serial == ticket.serial) {
            table.entries.remove(&ticket.command_id);
        }
    }

    /// Ends every session of a key whose share was replaced.
    pub fn end_key(&self, root_public_key: &[u8]) {
        self.table().entries.retain(|_, entry| entry.root_public_key != root_public_key);
    }

    /// Ends every session of a banned pair, also those being worked on.
    pub fn end_pair(&self, root_public_key: &[u8], peer: u8) {
        self.table().entries.retain(|_, entry| !entry.is_of(root_public_key, peer));
    }
}

impl Entry {
    fn is_of(&self, root_public_key: &[u8], peer: u8) -> bool {
        self.root_public_key == root_public_key && self.peers.contains(&peer)
    }
}
