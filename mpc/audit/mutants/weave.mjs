// Puts every mutant of a file into one text of it: each function that has some becomes a choice between its own body and
// its mutants' bodies, made at run time by the number in COUNTERSIGN_MUTANT. So all mutants are built together.
// Knows nothing of cargo; which mutant does not compile is told by its lines.

/** The module that the woven functions ask. The build of the product does not have it. */
export const MODULE = `//! Which mutant runs, by COUNTERSIGN_MUTANT, and which functions a run has reached, into the file COUNTERSIGN_REACHED.
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

pub fn chosen(function: usize) -> u32 {
    static CHOSEN: OnceLock<u32> = OnceLock::new();
    static NOTES: OnceLock<Option<String>> = OnceLock::new();
    if let Some(path) = NOTES.get_or_init(|| std::env::var("COUNTERSIGN_REACHED").ok()) {
        if !REACHED[function].swap(true, Ordering::Relaxed) {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            file.and_then(|mut file| file.write_all(format!("{function}\\n").as_bytes())).expect("the notes are written");
        }
    }
    *CHOSEN.get_or_init(|| std::env::var("COUNTERSIGN_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
}
`;

/**
 * The text of a file with `mutants` in it (each with `id`, `span`, `replacement` and its `function`, with `id` and
 * `span`; lines and columns from 1, as cargo-mutants lists them), and in `lines` which lines of that text are whose.
 */
export function weave(source, mutants) {
  const at = offsetsOf(source);
  const functions = new Map();
  for (const mutant of mutants) {
    const { id, span } = mutant.function;
    const known = functions.get(id) ?? { id, body: bodyOf(source, at, span), mutants: [] };
    known.mutants.push(mutant);
    functions.set(id, known);
  }
  const pieces = [];
  let end = 0;
  for (const { id, body, mutants: inside } of [...functions.values()].sort((a, b) => a.body.start - b.body.start)) {
    pieces.push({ text: source.slice(end, body.start) });
    pieces.push({ text: `{\nmatch crate::mutation::chosen(${id}) {\n` });
    for (const mutant of inside) {
      pieces.push({ text: `${mutant.id} => ${mutated(source, at, mutant, body)}\n`, owner: mutant.id });
    }
    pieces.push({ text: `_ => ${source.slice(body.start, body.end)}\n}\n}` });
    end = body.end;
  }
  pieces.push({ text: source.slice(end) });
  return { text: pieces.map(({ text }) => text).join(''), lines: linesOf(pieces) };
}

/** The text of a file with this one mutant, as cargo-mutants would write it. */
export function replaced(source, mutant) {
  const at = offsetsOf(source);
  return mutated(source, at, mutant, { start: 0, end: source.length });
}

function mutated(source, at, { span, replacement }, within) {
  const [start, end] = [at(span.start), at(span.end)];
  // What takes the place of a function's body is its text without the braces, or with them.
  return source.slice(within.start, start) + replacement + source.slice(end, within.end);
}

function offsetsOf(source) {
  const starts = [0];
  for (let index = 0; index < source.length; index += 1) if (source[index] === '\n') starts.push(index + 1);
  return ({ line, column }) => starts[line - 1] + column - 1;
}

/** From the brace that opens the function's body to past the one that closes it, which is the function's last. */
function bodyOf(source, at, span) {
  const [start, end] = [at(span.start), at(span.end)];
  for (const opening of bracesOf(source, start, end)) if (opening.end === end) return opening;
  throw new Error(`No body was found in: ${source.slice(start, start + 80)}`);
}

/** Pairs of braces, the outer first, without those in comments, strings and characters. */
function bracesOf(source, start, end) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^']+|[^'\\])'|[{}]/g;
  token.lastIndex = start;
  const open = [];
  const pairs = [];
  for (let found = token.exec(source); found !== null && found.index < end; found = token.exec(source)) {
    if (found[0] === '{') open.push(found.index);
    if (found[0] === '}') pairs.push({ start: open.pop(), end: found.index + 1 });
  }
  return pairs.sort((a, b) => a.start - b.start);
}

/** For each mutant its first and last line. Each begins on a line of its own, and ends one. */
function linesOf(pieces) {
  const lines = [];
  let line = 1;
  for (const { text, owner } of pieces) {
    const next = line + text.split('\n').length - 1;
    if (owner !== undefined) lines.push({ id: owner, first: line, last: next - 1 });
    line = next;
  }
  return lines;
}
