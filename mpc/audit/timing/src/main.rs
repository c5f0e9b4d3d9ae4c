//! Whether the time of a function tells something about its secret argument: `cargo run --release --locked`, with the
//! beginning of a name for some of the cases and `SECONDS` for each case (10). The page is audit/CONSTANT-TIME.md.
//! Ends with code 1 if the harness does not find the planted function, or finds something where both classes are alike.

mod case;
mod cases;
mod welch;

use case::Case;
use std::time::Duration;

/// What dudect calls a leak; below the first it has no evidence.
const SUSPECTED: f64 = 4.5;
const CERTAIN: f64 = 10.0;

fn main() {
    let seconds = std::env::var("SECONDS").map_or(10, |text| text.parse().expect("a number"));
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |case: &Case| wanted.is_empty() || wanted.iter().any(|name| case.name.starts_with(name.as_str()));
    println!("| case | measurements | ns, first class | ns, second class | largest t | |\n|---|---|---|---|---|---|");
    let mut is_harness_broken = false;
    for case in cases::all().into_iter().filter(is_wanted) {
        let result = welch::evaluate(&case::measure(&case, Duration::from_secs(seconds)));
        let verdict = match result.largest_t {
            t if t >= CERTAIN => "depends",
            t if t >= SUSPECTED => "suspected",
            _ => "",
        };
        let [first, second] = result.medians_ns;
        println!(
            "| {} | {} | {first} | {second} | {:.1} | {verdict} |",
            case.name, result.measurements, result.largest_t
        );
        is_harness_broken |= match case.expected {
            Some(case::Expected::Leak) => result.largest_t < CERTAIN,
            Some(case::Expected::Nothing) => result.largest_t >= CERTAIN,
            None => false,
        };
    }
    if is_harness_broken {
        println!("\nThe harness does not tell the planted function from the one without a difference: trust no line.");
        std::process::exit(1);
    }
}
