//! Writes small files so that a crash leaves the old content or the new, never half of it. Owner-only permissions.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Temporary file, fsync, rename, fsync of the directory. Replaces an existing file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = directory_of(path);
    let temporary = temporary(path);
    let written = write_new(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_directory(directory)
}

/// As `write`, and then overwrites the bytes of the file that was replaced. A crash between the two leaves them in
/// blocks that no name leads to.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match OpenOptions::new().write(true).open(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    write(path, bytes)?;
    old.map_or(Ok(()), |mut old| overwrite(&mut old))
}

/// Overwrites and removes, under the name of a temporary file: what is cut short is not taken for a torn file, and
/// ended at the next start. The directory is the caller's to sync.
pub fn erase(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let erased = temporary(path);
    fs::rename(path, &erased)?;
    overwrite(&mut file)?;
    fs::remove_file(erased)
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.tmp", hex::encode(crate::crypto::random::bytes::<8>())))
}

/// As far as the file system writes in place: what it or the disk copies elsewhere is out of reach, and encrypted.
fn overwrite(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len() as usize;
    file.write_all(&vec![0; length])?;
    file.sync_all()
}

/// A bare file name lies in the working directory.
pub fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes renames and removals in `directory` durable.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// For a file that does not exist.
pub fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
