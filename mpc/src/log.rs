//! The log of a node that serves: lines of JSON on standard error, with time and level, without data of requests.

use std::fmt::Display;
use std::io::Write;
use time::format_description::well_known::Rfc3339;
use time::OffsetDateTime;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every busy cluster does all the time; written where `LOG_LEVEL` is `debug`.
    Debug,
    Info,
    Warn,
    Error,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// To standard error. A log that cannot be written, on a disk that is full, must not keep an answer back: `eprintln!`
/// panics.
pub fn log(level: Level, message: impl Display) {
    if level == Level::Debug && std::env::var("LOG_LEVEL").as_deref() != Ok("debug") {
        return;
    }
    let time = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
    let line = serde_json::json!({ "time": time, "level": level.name(), "msg": message.to_string() });
    let _ = writeln!(std::io::stderr(), "{line}");
}
