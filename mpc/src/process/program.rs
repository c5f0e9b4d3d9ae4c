//! Which program runs: its version, the commit that it was built from, and the SHA-256 of its file, which the bill of
//! materials of a release names too.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// As whoever built it said: `npm run package` and the image do, from the clone or from `SOURCE_COMMIT`.
pub const COMMIT: &str = match option_env!("SOURCE_COMMIT") {
    Some(commit) if !commit.is_empty() => commit,
    _ => "unknown",
};

/// In hex; of the file that this process was started from, also when another one has its name by now. Read once.
pub fn sha256() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hash().map(hex::encode).unwrap_or_else(|error| format!("unknown: {error}")))
}

fn hash() -> io::Result<[u8; 32]> {
    let running = PathBuf::from("/proc/self/exe");
    let path = if running.exists() { running } else { std::env::current_exe()? };
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().into())
}
