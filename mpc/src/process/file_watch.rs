//! Looks at the files that a node serves by while it serves: on the cluster file of yesterday it would go on with a
//! peer that was taken off it, on the policy of yesterday it would sign what is paused. Decides only when the node has
//! to stop; who starts it again starts it on the new file. A policy that is not valid is no new one: the node goes on
//! with the one that it has, and says so.

use crate::log::{log, Level};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const LOOK_EVERY: Duration = Duration::from_millis(250);
/// A file that is being written is not whole for a moment.
pub const UNREADABLE_FOR: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Changed,
    Unreadable,
}

/// What a node does when a file that it serves by holds what is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    Stops,
    /// Until it is valid, or gone.
    IsIgnored,
}

impl StopReason {
    pub fn sentence(self, name: &str) -> String {
        match self {
            Self::Changed => {
                format!("{name} has changed: this node stops, and serves the new file when it is started again")
            }
            Self::Unreadable => format!("{name} can no longer be read, or is not valid: this node stops until it is"),
        }
    }
}

/// A file as the node read it.
pub struct ServedFile {
    /// As the operator is told of it.
    pub name: &'static str,
    pub path: PathBuf,
    pub text: String,
    /// What is wrong with it, in one sentence.
    pub check: fn(&str) -> Result<(), String>,
    /// Asked of a text that is not valid.
    pub invalid: fn(&str) -> Invalid,
}

impl ServedFile {
    pub fn read(
        name: &'static str,
        path: PathBuf,
        check: fn(&str) -> Result<(), String>,
        invalid: fn(&str) -> Invalid,
    ) -> Result<Self, String> {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        Ok(Self { name, path, text, check, invalid })
    }

    /// Resolves with a sentence when the node has to stop.
    pub async fn until_changed(self) -> String {
        let (name, path) = (self.name, self.path.clone());
        let mut watch = FileWatch::new(self);
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let path = path.clone();
            let reading = tokio::task::spawn_blocking(move || std::fs::read_to_string(path).ok());
            // A disk that hangs is one that cannot be read.
            let text = tokio::time::timeout(UNREADABLE_FOR, reading).await.ok().and_then(Result::ok).flatten();
            match watch.look(text.as_deref(), Instant::now()) {
                Look::Stop(reason) => return reason.sentence(name),
                Look::Ignored(wrong) => {
                    log(Level::Error, format_args!("{wrong}: this node goes on with {name} of before"))
                }
                Look::Same => {}
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    Same,
    Stop(StopReason),
    /// What is wrong with the text, once a text.
    Ignored(String),
}

pub struct FileWatch {
    served: ServedFile,
    unreadable_since: Option<Instant>,
    ignored: Option<String>,
}

impl FileWatch {
    pub fn new(served: ServedFile) -> Self {
        Self { served, unreadable_since: None, ignored: None }
    }

    /// `text` is what the file holds now, `None` if it cannot be read.
    pub fn look(&mut self, text: Option<&str>, now: Instant) -> Look {
        if text == Some(&self.served.text) {
            self.unreadable_since = None;
            self.ignored = None;
            return Look::Same;
        }
        let checked = text.map(self.served.check);
        if checked == Some(Ok(())) {
            return Look::Stop(StopReason::Changed);
        }
        let since = *self.unreadable_since.get_or_insert(now);
        if now.duration_since(since) < UNREADABLE_FOR {
            return Look::Same;
        }
        match (checked, text) {
            (Some(Err(wrong)), Some(text)) if (self.served.invalid)(text) == Invalid::IsIgnored => {
                if self.ignored.as_deref() == Some(text) {
                    return Look::Same;
                }
                self.ignored = Some(text.to_string());
                Look::Ignored(wrong)
            }
            _ => Look::Stop(StopReason::Unreadable),
        }
    }
}
