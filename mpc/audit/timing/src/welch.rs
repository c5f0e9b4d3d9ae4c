//! Welch's t-test over all measurements, and over those below each of some percentiles, as dudect does it (Reparaz,
//! Balasch and Verbauwhede, eprint 2016/1123): interruptions only ever add time, so that the short ones say most. The
//! largest |t| counts.

pub struct Sample {
    pub is_random: bool,
    pub ns: u64,
}

pub struct Result {
    pub measurements: usize,
    /// Of the fixed class and of the random one.
    pub medians_ns: [u64; 2],
    pub largest_t: f64,
}

const CROPS: usize = 100;
/// A crop that leaves less of one class says nothing.
const LEAST_OF_A_CLASS: usize = 100;

pub fn evaluate(samples: &[Sample]) -> Result {
    let mut sorted: Vec<u64> = samples.iter().map(|sample| sample.ns).collect();
    sorted.sort_unstable();
    // As in dudect: closer to each other towards the slow end.
    let limit_of = |crop: usize| {
        let share = 1.0 - 0.5_f64.powf(10.0 * (crop + 1) as f64 / CROPS as f64);
        sorted[((sorted.len() as f64 * share) as usize).min(sorted.len() - 1)]
    };
    let limits = (0..CROPS).map(limit_of).chain([u64::MAX]);
    let largest_t = limits.filter_map(|limit| t(samples, limit)).fold(0.0, f64::max);
    Result { measurements: samples.len(), medians_ns: [false, true].map(|class| median(samples, class)), largest_t }
}

/// |t| of the two classes among what took at most so long.
fn t(samples: &[Sample], limit_ns: u64) -> Option<f64> {
    let mut classes = [Moments::default(), Moments::default()];
    for sample in samples.iter().filter(|sample| sample.ns <= limit_ns) {
        classes[usize::from(sample.is_random)].add(sample.ns as f64);
    }
    if classes.iter().any(|class| class.count < LEAST_OF_A_CLASS) {
        return None;
    }
    let [fixed, random] = classes;
    let error = (fixed.variance() / fixed.count as f64 + random.variance() / random.count as f64).sqrt();
    (error > 0.0).then(|| (fixed.mean - random.mean).abs() / error)
}

/// Mean and variance in one pass (Welford).
#[derive(Default)]
struct Moments {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    fn variance(&self) -> f64 {
        self.squares / (self.count - 1) as f64
    }
}

fn median(samples: &[Sample], is_random: bool) -> u64 {
    let mut times: Vec<u64> = samples.iter().filter(|sample| sample.is_random == is_random).map(|s| s.ns).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
