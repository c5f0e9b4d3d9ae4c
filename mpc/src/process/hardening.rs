//! What a process that holds shares owes its machine: no core dumps, bounded memory, one process for a directory.

use crate::storage::replacement;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// A core dump would hold shares. On Linux this also keeps other processes of the user from attaching.
pub fn forbid_core_dumps() -> Result<(), String> {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls take plain values or a pointer to one that outlives the call.
    let limited = unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) } == 0;
    #[cfg(target_os = "linux")]
    // SAFETY: as above.
    let limited = unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) } == 0 && limited;
    if limited {
        Ok(())
    } else {
        Err("cannot turn off core dumps".into())
    }
}

/// Memory that threads have freed is kept for each of them apart, unless there are few such places: every thread would
/// come to keep room for a share.
pub fn bound_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes plain values; it changes where the allocator looks first, not what it answers.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Starts a thread that signatures go before, where processor time is short. It ends with its work: only a privileged
/// process could raise the priority of a thread again.
pub fn run_behind_signatures<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> tokio::sync::oneshot::Receiver<T> {
    let (done, result) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // On Linux a priority belongs to a thread; elsewhere it would be that of the whole process.
        #[cfg(target_os = "linux")]
        // SAFETY: takes plain values. A refusal leaves the priority as it was.
        unsafe {
            libc::setpriority(libc::PRIO_PROCESS, 0, 10);
        }
        let _ = done.send(work());
    });
    result
}

/// The lock of a directory, held as long as this, and gone with the process, however that ends.
pub struct DirectoryLock(File);

/// A program that another thread is starting has the open file too for a moment: closing it here would not release it.
impl Drop for DirectoryLock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Who has the lock brings to its end what a crash has left of a rotation.
pub fn lock_directory(directory: &Path) -> Result<DirectoryLock, String> {
    let path = directory.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
    let file = file.map_err(|e| format!("cannot open {}: {e}", path.display()))?;
    file.try_lock().map_err(|_| format!("another process serves {}", directory.display()))?;
    let lock = DirectoryLock(file);
    replacement::finish(directory)?;
    Ok(lock)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{lock_directory, run_behind_signatures};

    #[test]
    fn a_lock_is_released_though_a_started_program_has_its_file() {
        let directory = std::env::temp_dir().join(format!("countersign-lock-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let lock = lock_directory(&directory).unwrap();
        // As a program has it between `fork` and `exec`.
        let held_by_child = lock.0.try_clone().unwrap();
        assert!(lock_directory(&directory).is_err());
        drop(lock);
        assert!(lock_directory(&directory).is_ok());
        drop(held_by_child);
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn only_the_thread_of_the_work_has_the_lower_priority() {
        // SAFETY: takes plain values.
        let own = || unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let before = own();
        let during = run_behind_signatures(own).blocking_recv().unwrap();
        assert_eq!(during, 10.max(before));
        assert_eq!(own(), before);
    }
}
