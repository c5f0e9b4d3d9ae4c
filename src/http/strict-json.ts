// Parses JSON that can be read in one way only. JSON.parse keeps the last of two equal names, another program the
// first: a signature over such a body would cover two meanings. Does not recurse, and refuses depth that others would
// recurse into.
import { isUtf8 } from 'node:buffer';

const DEPTH_MAX = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class StrictJsonError extends Error {
  override name = 'StrictJsonError';
}

export function parseStrictJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new StrictJsonError('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  try {
    // First, so that depth costs nothing.
    assertUnambiguous(text);
    const value = JSON.parse(text) as unknown;
    assertWellFormed(text, value);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new StrictJsonError('The body is not valid JSON.');
    throw error;
  }
}

/** Looks only at what separates names from values: whether `text` is JSON at all, JSON.parse decides. */
function assertUnambiguous(text: string): void {
  /** The names met in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let nameFollows = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        const names = open.at(-1);
        if (nameFollows && names) addName(names, text.slice(at, end + 1));
        nameFollows = false;
        at = end;
        break;
      }
      case COMMA:
        nameFollows = open.at(-1) !== null;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        nameFollows = text.charCodeAt(at) === OPEN_OBJECT;
        open.push(nameFollows ? new Set() : null);
        if (open.length > DEPTH_MAX) throw new StrictJsonError(`The body is nested deeper than ${DEPTH_MAX} levels.`);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
    }
  }
}

/**
 * Valid UTF-8 holds no lone surrogate, but an escape can spell one, and PostgreSQL would store another character.
 * `stringify` escapes just these.
 */
function assertWellFormed(text: string, value: unknown): void {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  if (/(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value)))
    throw new StrictJsonError('The body holds a lone surrogate, which no text has.');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) {
    if (text.charCodeAt(at) !== BACKSLASH) continue;
    // PostgreSQL stores no text with it.
    if (text.startsWith('\\u0000', at)) throw new StrictJsonError('The body holds the character U+0000.');
    at += 1;
  }
  return at;
}

function addName(names: Set<string>, quoted: string): void {
  // Escapes can spell one name in several ways.
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (names.has(name))
    throw new StrictJsonError(`The body names the field "${name.slice(0, 100)}" twice in one object.`);
  if (name === '__proto__') throw new StrictJsonError('The body has a field "__proto__".');
  names.add(name);
}
