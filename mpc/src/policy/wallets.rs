//! Which wallets a field of the policy file means: by their own id, or by that of a workspace. Whose a wallet is says
//! the statement of its key, which all nodes signed when it was made, and never the command at hand.

use crate::wire::Id;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;

#[derive(Default)]
pub struct Wallets {
    ids: BTreeSet<Id>,
    workspaces: BTreeSet<Id>,
}

impl Wallets {
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.workspaces.is_empty()
    }

    /// Whether it is certain that the wallet is meant. A key that says no workspace is in none.
    pub fn cover(&self, wallet_id: &Id, workspace_id: Option<Id>) -> bool {
        self.ids.contains(wallet_id) || workspace_id.is_some_and(|id| self.workspaces.contains(&id))
    }

    /// Whether the wallet may be meant: a key that says no workspace may be of any.
    pub fn may_cover(&self, wallet_id: &Id, workspace_id: Option<Id>) -> bool {
        self.cover(wallet_id, workspace_id) || (workspace_id.is_none() && !self.workspaces.is_empty())
    }
}

impl<'de> Deserialize<'de> for Wallets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let uuid = |text: &str| hex::decode(text.replace('-', "")).ok().and_then(|bytes| bytes.try_into().ok());
        let mut wallets = Self::default();
        for text in Vec::<String>::deserialize(deserializer)? {
            let (ids, id) = match text.split_once(':') {
                None => (&mut wallets.ids, uuid(&text)),
                Some(("workspace", id)) => (&mut wallets.workspaces, uuid(id)),
                Some(_) => (&mut wallets.ids, None),
            };
            let words = "wallets are named by a UUID, or all of a workspace by workspace: and its UUID, and not by";
            ids.insert(id.ok_or_else(|| D::Error::custom(format_args!("{words} {text:?}")))?);
        }
        Ok(wallets)
    }
}
