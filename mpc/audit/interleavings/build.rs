//! Copies two files of the node, with one change: their locks are those of `crate::sync`, which loom has made. The node
//! itself stays without a trace of that. What they test themselves is left out.

use std::path::Path;

const SOURCES: [&str; 2] = ["handlers/sessions.rs", "storage/shares/share_cache.rs"];
const LOCKS: &str = "use std::sync::{";

fn main() {
    let output = std::env::var("OUT_DIR").expect("cargo names it");
    for source in SOURCES {
        let path = Path::new("../../src").join(source);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(text.matches("std::sync::").count(), 1, "{source} takes its locks in one line");
        assert_eq!(text.matches(LOCKS).count(), 1, "{source} takes its locks in one line");
        let without_tests = text.split("#[cfg(test)]").next().expect("a first part");
        // An included file has no documentation of its own.
        let code: Vec<&str> = without_tests.lines().filter(|line| !line.starts_with("//!")).collect();
        let code = code.join("\n").replace(LOCKS, "use crate::sync::{");
        let name = Path::new(source).file_name().expect("a file");
        std::fs::write(Path::new(&output).join(name), code).expect("the folder is there");
    }
}
