//! Wall-clock time in milliseconds: the machine's, for expiry and for what the policy counts, and what was signed,
//! which says what time it is at least. Durations inside the process use `Instant` instead.

use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Where a node reads the time. Tests set it wrong.
#[derive(Clone, Copy)]
pub struct Clock(pub fn() -> u64);

impl Clock {
    pub fn now_ms(&self) -> u64 {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self(now_ms)
    }
}

/// What time it is at least, however the machine's clock is set back: a command was signed not long before it expires,
/// and since it was used time went on.
pub struct TimePassed(Mutex<(u64, Instant)>);

impl TimePassed {
    pub fn new(ms: u64) -> Self {
        Self(Mutex::new((ms, Instant::now())))
    }

    pub fn ms(&self) -> u64 {
        let (ms, since) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ms.saturating_add(since.elapsed().as_millis() as u64)
    }

    pub fn raise(&self, ms: u64) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if ms > known.0.saturating_add(known.1.elapsed().as_millis() as u64) {
            *known = (ms, Instant::now());
        }
    }
}
