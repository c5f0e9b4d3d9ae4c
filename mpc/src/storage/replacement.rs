//! Replaces many files of a node's directory as one: `kill -9` or a power failure at any moment leaves the old content
//! of all of them, or the new. The new files are written beside the old ones first. Then one small file says that they
//! count. From there on only names change, which needs no key, and whoever opens the directory next brings it to its
//! end. The caller holds the lock of the directory.

use super::durable_file;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const COMMITTED: &str = "replacement.committed";
const MARKER: &[u8] = b"replacement.";
const NEXT: &str = ".next";

pub struct Replacement<'r> {
    directory: &'r Path,
    /// Called before each change of the disk, so that a test can end it there.
    before_step: &'r mut dyn FnMut(),
}

impl<'r> Replacement<'r> {
    /// Nothing else of the kind is under way, and what was given up is gone.
    pub fn begin(directory: &'r Path, before_step: &'r mut dyn FnMut()) -> Result<Self, String> {
        finish(directory)?;
        let replacement = Self { directory, before_step };
        replacement.give_up()?;
        Ok(replacement)
    }

    /// `bytes` are to be the content of `path`, which lies in the directory or in its folder of shares.
    pub fn stage(&mut self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        (self.before_step)();
        let staged = named(path, |name| format!("{name}{NEXT}"));
        let written = durable_file::create(&staged).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|e| format!("cannot write {}: {e}", staged.display()))
    }

    /// From the marker on the new files count.
    pub fn commit(self) -> Result<(), String> {
        let failed = |e: io::Error| format!("cannot write into {}: {e}", self.directory.display());
        (self.before_step)();
        folders(self.directory).iter().try_for_each(|folder| durable_file::sync_directory(folder)).map_err(failed)?;
        (self.before_step)();
        durable_file::write(&self.directory.join(COMMITTED), b"").map_err(failed)?;
        finish_by_steps(self.directory, self.before_step)
    }

    /// Removes what was staged.
    pub fn give_up(&self) -> Result<(), String> {
        let failed = |e: io::Error| format!("cannot clear {}: {e}", self.directory.display());
        for folder in folders(self.directory) {
            ending_with(&folder, NEXT)
                .map_err(failed)?
                .iter()
                .try_for_each(|path| fs::remove_file(path))
                .map_err(failed)?;
        }
        Ok(())
    }
}

/// Puts in place what a crash has left of a replacement that counts.
pub fn finish(directory: &Path) -> Result<(), String> {
    finish_by_steps(directory, &mut || {})
}

pub fn is_unfinished(directory: &Path) -> bool {
    directory.join(COMMITTED).exists()
}

fn finish_by_steps(directory: &Path, before_step: &mut dyn FnMut()) -> Result<(), String> {
    if !is_unfinished(directory) {
        return clear_markers_cut_short(directory);
    }
    let mut put_in_place = || -> io::Result<()> {
        for folder in folders(directory) {
            for staged in ending_with(&folder, NEXT)? {
                let path = named(&staged, |name| name.trim_end_matches(NEXT).to_string());
                before_step();
                if path.exists() {
                    durable_file::erase(&path)?;
                }
                before_step();
                fs::rename(&staged, &path)?;
            }
            // What an erasure that was cut short has left.
            ending_with(&folder, ".tmp")?.iter().try_for_each(|path| durable_file::erase(path))?;
            before_step();
            durable_file::sync_directory(&folder)?;
        }
        before_step();
        fs::remove_file(directory.join(COMMITTED))?;
        durable_file::sync_directory(directory)
    };
    put_in_place().map_err(|e| format!("cannot finish the replacement of files in {}: {e}", directory.display()))
}

/// Of a marker that was being written: without its name it means nothing.
fn clear_markers_cut_short(directory: &Path) -> Result<(), String> {
    let is_marker = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().starts_with(MARKER));
    ending_with(directory, ".tmp")
        .and_then(|paths| paths.iter().filter(is_marker).try_for_each(fs::remove_file))
        .map_err(|e| format!("cannot clear {}: {e}", directory.display()))
}

fn folders(directory: &Path) -> [PathBuf; 2] {
    [directory.to_path_buf(), directory.join("shares")]
}

fn ending_with(folder: &Path, end: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(end)) {
            found.push(path);
        }
    }
    Ok(found)
}

fn named(path: &Path, change: impl FnOnce(&str) -> String) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(change(&name))
}
