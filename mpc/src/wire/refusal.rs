//! Why a node refuses: the wire type and the internal one. The sentences are fixed, so that no data can leak by them.

use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: RefusalCode,
    pub peer: Option<u8>,
    pub detail: String,
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalCode {
    InvalidRequest,
    Unauthorized,
    Expired,
    CommandUsed,
    UnknownWallet,
    WalletExists,
    ShareUnreadable,
    UnknownSession,
    SessionAborted,
    Banned,
    Busy,
    MessageConflict,
    VersionMismatch,
    Internal,
    CheckpointConflict,
    WrongEpoch,
    NeedsRefresh,
    RosterMismatch,
    PolicyRefused,
    Paused,
    SetBack,
    NotYetTold,
}

/// A refusal on its way out. `detail` is `&'static str` on purpose: a formatted sentence does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    pub code: RefusalCode,
    pub peer: Option<u8>,
    pub detail: &'static str,
}

impl Refused {
    pub const fn new(code: RefusalCode, detail: &'static str) -> Self {
        Self { code, peer: None, detail }
    }

    pub const fn by_peer(code: RefusalCode, peer: u8, detail: &'static str) -> Self {
        Self { code, peer: Some(peer), detail }
    }

    pub const fn invalid(detail: &'static str) -> Self {
        Self::new(RefusalCode::InvalidRequest, detail)
    }

    pub const fn aborted(detail: &'static str) -> Self {
        Self::new(RefusalCode::SessionAborted, detail)
    }

    pub const fn internal(detail: &'static str) -> Self {
        Self::new(RefusalCode::Internal, detail)
    }

    pub const fn banned(peer: u8) -> Self {
        Self::by_peer(RefusalCode::Banned, peer, "This key must not be used with this peer any more.")
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        Refusal { code: refused.code, peer: refused.peer, detail: refused.detail.to_string() }
    }
}
