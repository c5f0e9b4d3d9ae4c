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

/// Held as long as the returned file: the lock goes with the process, however it ends. Who has it brings to its end
/// what a crash has left of a rotation.
pub fn lock_directory(directory: &Path) -> Result<File, String> {
    let path = directory.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
    let file = file.map_err(|e| format!("cannot open {}: {e}", path.display()))?;
    file.try_lock().map_err(|_| format!("another process serves {}", directory.display()))?;
    replacement::finish(directory)?;
    Ok(file)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::run_behind_signatures;

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
