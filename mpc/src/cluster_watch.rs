//! Looks at the cluster file while the node serves: on the file of yesterday it would go on with a peer that was taken
//! off it. Decides only when the node has to stop; who starts it again starts it on the new file.

use crate::cluster::Cluster;
use std::path::Path;
use std::time::{Duration, Instant};

const LOOK_EVERY: Duration = Duration::from_millis(250);
/// A file that is being written is not whole for a moment.
pub const UNREADABLE_FOR: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Changed,
    Unreadable,
}

impl StopReason {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Changed => {
                "cluster.json has changed: this node stops, and serves the new file when it is started again"
            }
            Self::Unreadable => "cluster.json can no longer be read, or is not valid: this node stops until it is",
        }
    }
}

pub struct ClusterWatch {
    known: String,
    unreadable_since: Option<Instant>,
}

impl ClusterWatch {
    /// `known` is the text that the node serves by.
    pub fn new(known: String) -> Self {
        Self { known, unreadable_since: None }
    }

    /// `text` is what the file holds now, `None` if it cannot be read.
    pub fn look(&mut self, text: Option<&str>, now: Instant) -> Option<StopReason> {
        if text == Some(&self.known) {
            self.unreadable_since = None;
            return None;
        }
        if text.is_some_and(|text| Cluster::parse(text).is_ok()) {
            return Some(StopReason::Changed);
        }
        let since = *self.unreadable_since.get_or_insert(now);
        (now.duration_since(since) >= UNREADABLE_FOR).then_some(StopReason::Unreadable)
    }
}

/// Resolves when the node has to stop.
pub async fn until_changed(path: &Path, known: String) -> StopReason {
    let mut watch = ClusterWatch::new(known);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let path = path.to_path_buf();
        let reading = tokio::task::spawn_blocking(move || std::fs::read_to_string(path).ok());
        // A disk that hangs is one that cannot be read.
        let text = tokio::time::timeout(UNREADABLE_FOR, reading).await.ok().and_then(Result::ok).flatten();
        if let Some(reason) = watch.look(text.as_deref(), Instant::now()) {
            return reason;
        }
    }
}
