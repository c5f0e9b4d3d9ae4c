//! A seeded source of randomness for this test's program alone. The nodes' code and the crates ask the operating system
//! by the functions `getrandom` and `syscall` of the C library. This executable has functions of these names itself,
//! which the linker takes before those of the library: nothing of the shipped program, which does not contain this
//! file, has a parameter, a feature or a variable by which anybody could choose its randomness.
//!
//! Only what a thread asks for within `seeded` is answered from the seed. Everything else goes to the system.

use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::ffi::{c_long, c_uint, c_void};
use std::sync::OnceLock;

#[derive(Clone, Copy)]
struct Source {
    seed: [u8; 32],
    position: u64,
}

thread_local! {
    static SOURCE: Cell<Option<Source>> = const { Cell::new(None) };
}

/// Runs `work` in a thread of its own, so that `dkls23`'s generator, which lives in the thread, begins anew as well.
pub fn seeded<T: Send>(label: &str, work: impl FnOnce() -> T + Send) -> T {
    let seed = Sha256::digest(format!("countersign/v1/transcript-test/{label}")).into();
    let begin = move || {
        SOURCE.set(Some(Source { seed, position: 0 }));
        let result = work();
        SOURCE.set(None);
        result
    };
    std::thread::scope(|scope| scope.spawn(begin).join().expect("the work of a thread"))
}

/// The byte at position `p` is byte `p mod 32` of SHA-256(seed ‖ be64(p / 32)).
fn fill(mut source: Source, out: &mut [u8]) {
    for byte in out {
        let block = Sha256::new().chain_update(source.seed).chain_update((source.position / 32).to_be_bytes());
        *byte = block.finalize()[(source.position % 32) as usize];
        source.position += 1;
    }
    SOURCE.set(Some(source));
}

/// Answers whether it was this thread's seed that filled it.
///
/// # Safety
/// `out` is writable for `length` bytes.
unsafe fn filled(out: *mut u8, length: usize, flags: c_uint) -> bool {
    // The standard library's hash tables ask with flags: what they draw is no part of the protocols.
    let Some(source) = SOURCE.get().filter(|_| flags == 0) else { return false };
    if length > 0 {
        fill(source, std::slice::from_raw_parts_mut(out, length));
    }
    true
}

type Syscall = unsafe extern "C" fn(c_long, c_long, c_long, c_long, c_long, c_long, c_long) -> c_long;

fn of_the_library() -> Syscall {
    static FOUND: OnceLock<Syscall> = OnceLock::new();
    // SAFETY: it is the function of that name, and takes up to six arguments of the size of a register.
    *FOUND.get_or_init(|| unsafe {
        let function = libc::dlsym(libc::RTLD_NEXT, c"syscall".as_ptr());
        assert!(!function.is_null());
        std::mem::transmute::<*mut c_void, Syscall>(function)
    })
}

/// Asked by `getrandom` 0.4, from which `rand` 0.10 and so `dkls23` draw.
///
/// # Safety
/// As of the function of the C library.
#[no_mangle]
pub unsafe extern "C" fn getrandom(out: *mut c_void, length: usize, flags: c_uint) -> isize {
    if filled(out.cast(), length, flags) {
        return length as isize;
    }
    of_the_library()(libc::SYS_getrandom, out as c_long, length as c_long, flags.into(), 0, 0, 0) as isize
}

/// Asked by `getrandom` 0.2, from which `OsRng` and so FROST and the nodes' own code draw.
///
/// # Safety
/// As of the function of the C library.
#[no_mangle]
pub unsafe extern "C" fn syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    if number == libc::SYS_getrandom && filled(a as *mut u8, b as usize, c as c_uint) {
        return b;
    }
    of_the_library()(number, a, b, c, d, e, f)
}
