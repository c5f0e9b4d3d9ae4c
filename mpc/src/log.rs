//! The log of the node: lines on standard error, without data of requests.

use std::fmt::Display;
use std::io::Write;

/// To standard error. A log that cannot be written, on a disk that is full, must not keep an answer back: `eprintln!`
/// panics.
pub fn log(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
