// The text of a policy that is being written: whether it is JSON as the service takes it, and where in it lies what a
// sentence of the service is about. Knows no rule of policies itself: those are the service's.
import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

export interface Fault {
  message: string;
  /** Where it begins, in characters from the beginning. */
  offset: number;
}

export interface ReadText {
  /** Absent where there is a fault. */
  document?: unknown;
  tree?: Node;
  faults: readonly Fault[];
}

const words: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'This is no value: text stands in double quotes.',
  InvalidNumberFormat: 'This is no number.',
  PropertyNameExpected: 'A name in double quotes is missing here, or a comma is too many before it.',
  ValueExpected: 'A value is missing here, or a comma is too many before it.',
  ColonExpected: 'A colon is missing here.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A closing brace } is missing.',
  CloseBracketExpected: 'A closing bracket ] is missing.',
  EndOfFileExpected: 'Nothing may come after the end of the policy.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'This text has no closing quote on its line.',
  UnexpectedEndOfNumber: 'This number is not whole.',
  InvalidUnicode: 'After \\u come four hexadecimal digits.',
  InvalidEscapeCharacter: 'Nothing is escaped like this in JSON.',
  InvalidCharacter: 'This character has to be escaped in JSON.',
  '<unknown ParseErrorCode>': 'This is no JSON.',
};

export function readPolicyText(text: string): ReadText {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (errors.length > 0 || tree === undefined)
    return { faults: errors.map(({ error, offset }) => ({ message: words[printParseErrorCode(error)], offset })) };
  const faults = repeatedNames(tree);
  return faults.length > 0 ? { faults } : { document: JSON.parse(text), tree, faults };
}

/** Readers disagree about which of two counts, and the service takes neither. */
function repeatedNames(node: Node): Fault[] {
  const seen = new Set<unknown>();
  const own = (node.type === 'object' ? (node.children ?? []) : []).flatMap(({ children: [name] = [] }) => {
    if (name === undefined || !seen.has(name.value)) {
      seen.add(name?.value);
      return [];
    }
    return [{ message: `The name "${name.value}" stands here a second time.`, offset: name.offset }];
  });
  return [...own, ...(node.children ?? []).flatMap(repeatedNames)];
}

/** `body.document.rules.0.then.action must be …` and `… the rule "payouts" names …`: to where that is. */
export function offsetOf(tree: Node, message: string): number {
  const node = nodeAt(tree, pathIn(message) ?? ruleIn(tree, message) ?? partIn(message));
  return node.offset;
}

function pathIn(message: string): JSONPath | undefined {
  const [, path] = /\bbody\.document((?:\.\w+)*)/.exec(message) ?? [];
  return path
    ?.split('.')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The last one of that name: where two have it, that is the one too many. */
function ruleIn(tree: Node, message: string): JSONPath | undefined {
  const rules = findNodeAtLocation(tree, ['rules'])?.children ?? [];
  const names = rules.map((rule) => findNodeAtLocation(rule, ['name'])?.value as unknown);
  const index = names.findLastIndex((name) => typeof name === 'string' && message.includes(`"${name}"`));
  return index === -1 ? undefined : ['rules', index, 'name'];
}

function partIn(message: string): JSONPath {
  const [, part] = /does not fit: (default|changes)\b/.exec(message) ?? [];
  return part === undefined ? [] : [part];
}

/** As deep as there is something: a field that is missing has the place of what it is missing in. */
function nodeAt(tree: Node, path: JSONPath): Node {
  const found = findNodeAtLocation(tree, path);
  return found ?? (path.length === 0 ? tree : nodeAt(tree, path.slice(0, -1)));
}

/** Lines and columns are counted from 1, as editors do. */
export function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Throws for what is none, with the place of the first fault. */
export function documentIn(text: string): unknown {
  const { document, faults } = readPolicyText(text);
  const [first] = faults;
  if (first !== undefined) throw new Error(`${placeOf(text, first.offset)}: ${first.message}`);
  return document;
}
