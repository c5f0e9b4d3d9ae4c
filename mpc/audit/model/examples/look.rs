//! By hand: cargo run --release --example look -- former|acknowledged|now loss|bad|thief REFRESHES EPOCHS REPLACEMENTS
//! late|at-once ed25519|secp256k1. Prints how many states there are, and the shortest way to what does not hold.

use share_model::rules::Adversary;
use share_model::{Bounds, Model, Rules};
use stateright::{Checker, Model as _};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, adversary, refreshes, epochs, replacements, late, curve] = &arguments[..] else {
        panic!("see the first lines of examples/look.rs");
    };
    let number = |text: &String| text.parse().expect("a number");
    let model = Model {
        rules: match rules.as_str() {
            "former" => Rules::before_acknowledgements(),
            "acknowledged" => Rules::with_acknowledgements(),
            _ => Rules::now(),
        },
        adversary: match adversary.as_str() {
            "loss" => Adversary::Loss,
            "bad" => Adversary::BadNode,
            _ => Adversary::Thief,
        },
        bounds: Bounds {
            refreshes: number(refreshes),
            epochs: number(epochs),
            replacements: number(replacements),
            late: late == "late",
            repaired_helps: curve == "ed25519",
        },
    };
    let begun = std::time::Instant::now();
    let checker = model.checker().threads(2).spawn_bfs().join();
    println!("{} states, {:.1} s", checker.unique_state_count(), begun.elapsed().as_secs_f32());
    for (name, path) in checker.discoveries() {
        println!("DOES NOT HOLD: {name}");
        path.into_actions().iter().for_each(|step| println!("  {step:?}"));
    }
}
