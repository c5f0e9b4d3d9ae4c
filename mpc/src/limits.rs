//! The bounds of a node, and its clock, in one place. Tests shorten the times and set the clock wrong; nothing else
//! changes them.

use crate::clock::Clock;
use std::time::Duration;

pub const SIGN_ENVELOPE_BYTES: usize = 96 * 1024;
pub const GENERATE_ENVELOPE_BYTES: usize = 256 * 1024;
pub const FRAME_BYTES: usize = 640 * 1024;
/// With the orchestrator's certificate.
pub const CONNECTIONS: usize = 32;
/// Beyond them the oldest goes: who has the certificate is through in a moment.
pub const HANDSHAKES: usize = 256;
/// What requests take of the memory, over all connections, until their answers are sent; a small one counts as a page.
pub const REQUEST_BYTES: usize = 32 * 1024 * 1024;
pub const REQUEST_PAGE_BYTES: usize = 32 * 1024;
pub const REQUESTS_A_CONNECTION: usize = 64;
pub const PAYLOAD_BYTES: usize = 64 * 1024;
/// A transaction's packet on Solana: the message has no more room than that.
pub const SOLANA_MESSAGE_BYTES: usize = 1232;
/// EIP-712: structs and arrays around a value, struct types, and the bytes of all struct types as `encodeType` writes
/// them.
pub const TYPED_DATA_DEPTH: usize = 32;
pub const TYPED_DATA_TYPES: usize = 64;
pub const TYPE_TEXT_BYTES: usize = 4096;
pub const PATH_COMPONENTS: usize = 10;
/// Prepared shares of generations kept for one key; the oldest goes.
pub const GENERATED_KEPT: usize = 8;
/// Prepared shares of refreshes kept for one key, epoch and roster. None of them goes: a refresh is refused instead.
pub const REFRESHED_KEPT: usize = 32;
/// How far beyond the present epoch a refresh may go: an epoch that is full of unfinished ones bars no key.
pub const REFRESH_EPOCHS_AHEAD: u32 = 4;
pub const COMMAND_AHEAD_MS: u64 = 120_000;
/// A repair is signed where no network is, and carried.
pub const REPAIR_AHEAD_MS: u64 = 7 * 86_400_000;
/// Finished sessions remembered at most, whatever their age.
pub const RESULTS_KEPT: usize = 65_536;
/// What the decrypted shares in memory may take: some 300 of secp256k1 in a cluster of three, 105 kB each.
pub const SHARE_CACHE_BYTES: usize = 32 * 1024 * 1024;
/// What the journal keeps of its file in memory, however long that grows.
pub const JOURNAL_CACHE_BYTES: usize = 32 * 1024 * 1024;
/// Of the bans in force, the newest, in one answer.
pub const BANS_A_HEALTH_ANSWER: usize = 1024;
/// A page that is shorter is the last one.
pub const CHECKPOINTS_A_PAGE: usize = 1024;

#[derive(Clone, Copy)]
pub struct Limits {
    pub live_sessions: usize,
    /// Live sessions of one root key with one peer: how many tries at a ban may be under way.
    pub live_sessions_a_pair: usize,
    pub session_deadline: Duration,
    pub results_kept: Duration,
    pub checkpoints: CheckpointLimits,
    pub clock: Clock,
    /// Both curves together. A share on secp256k1 takes 106 kB of the disk, one on ed25519 1.4 kB.
    pub keys_max: u32,
    pub daily: DailyQuota,
}

/// Of sessions that no policy counts, in a day: room for the wallets of a company in one go, and for two refreshes of
/// 10,000 keys with their key tests, of which a node of three makes two a key.
#[derive(Clone, Copy)]
pub struct DailyQuota {
    pub generations: u32,
    pub refreshes: u32,
    pub key_tests: u32,
}

/// What the checkpoints may take of the disk: about 60 bytes each.
#[derive(Clone, Copy)]
pub struct CheckpointLimits {
    pub workspaces: u64,
    /// Of the first checkpoints of a day, a workspace; the oldest goes.
    pub days: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            live_sessions: 256,
            live_sessions_a_pair: 16,
            session_deadline: Duration::from_secs(60),
            results_kept: Duration::from_secs(600),
            checkpoints: CheckpointLimits { workspaces: 65_536, days: 400 },
            clock: Clock::default(),
            keys_max: 1_000_000,
            daily: DailyQuota { generations: 10_000, refreshes: 20_000, key_tests: 200_000 },
        }
    }
}
