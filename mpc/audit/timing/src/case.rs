//! A case: one function, and two classes of secrets for it. Which class comes next is drawn for each measurement, and
//! the secrets are made before the clock starts.

use crate::welch::Sample;
use rand_core::{OsRng, RngCore};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq)]
pub enum Class {
    /// The same secret each time.
    Fixed,
    /// Another one each time.
    Random,
}

/// Of cases that try the harness and not the node.
#[derive(Clone, Copy)]
pub enum Expected {
    Leak,
    Nothing,
}

/// One call that is to be measured, with its arguments.
pub type Call = Box<dyn FnOnce()>;

pub struct Case {
    pub name: &'static str,
    pub expected: Option<Expected>,
    /// Makes the call for a secret of a class. What it allocates must not depend on the class.
    pub prepare: Box<dyn Fn(Class) -> Call>,
}

impl Case {
    pub fn new(name: &'static str, prepare: impl Fn(Class) -> Call + 'static) -> Self {
        Self { name, expected: None, prepare: Box::new(prepare) }
    }

    pub fn expects(self, expected: Expected) -> Self {
        Self { expected: Some(expected), ..self }
    }
}

/// The calls of a batch are prepared before the first of them runs: whatever making a secret of one class leaves in the
/// caches and in the allocator, it leaves for the measurements of both.
pub fn measure(case: &Case, time: Duration) -> Vec<Sample> {
    const BATCH: usize = 64;
    const WARM_UP: usize = 2 * BATCH;
    let mut samples = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < time {
        let batch: Vec<(bool, Call)> = (0..BATCH)
            .map(|_| match OsRng.next_u32() & 1 {
                0 => (false, (case.prepare)(Class::Fixed)),
                _ => (true, (case.prepare)(Class::Random)),
            })
            .collect();
        for (is_random, call) in batch {
            let call = black_box(call);
            let start = Instant::now();
            call();
            samples.push(Sample { is_random, ns: start.elapsed().as_nanos() as u64 });
        }
    }
    samples.split_off(WARM_UP.min(samples.len()))
}
