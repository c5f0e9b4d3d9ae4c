// Goal: L3, the offline verifier finds whatever is done to an exported audit log. Method: thousands of mutations of a
// genuine export (edit, drop, swap, splice, fork, chain anew) by somebody who has the file and knows how it is made,
// but not the private key; and what a verifier must not mistake for one.
import { Readable } from 'node:stream';
import { v5 as uuidv5 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { type AuditEntry, sealHash, signStatement } from '../../../domain/audit/audit-chain.ts';
import { canonicalJson, type Json } from '../../../domain/canonical-json.ts';
import { endStatement } from '../../../src/audit/export-lines.ts';
import { readHead, splitLines, verifyExport } from '../../../src/audit/verify-export.ts';
import { chainOf, exportOf, headOf, makeSigner, type Sealed, type Signer } from '../../support/rows/audit-export.ts';
import { byDepth } from '../../support/suite.ts';

const MUTATIONS = byDepth({ essential: 2_000, full: 10_000 });
const ENTRIES = 6;
const HEADS_AT = [2, 5];
const WORKSPACE = '01900000-0000-7000-8000-00000000000a';
const OTHER_WORKSPACE = '01900000-0000-7000-8000-00000000000b';

const signer = makeSigner();
const forger = makeSigner();

const entriesOf = (workspaceId: string, kind: string): AuditEntry[] =>
  Array.from({ length: ENTRIES }, (_, index) => ({
    id: uuidv5(`${kind} ${index}`, workspaceId),
    workspace_id: workspaceId,
    actor: 'api_key',
    actor_id: uuidv5('key', workspaceId),
    ip: '192.0.2.7',
    action: 'PATCH /wallets/{wallet_id}',
    outcome: index % 5 === 4 ? 'refused' : 'accepted',
    status_code: index % 5 === 4 ? 409 : null,
    body: { name: `wallet ${index}`, note: 'line\u2028end' },
    before: { name: 'before', version: index },
    after: null,
    created_at: new Date(1_767_000_000_000 + index * 1000).toISOString(),
  }));

const exportedBy = (workspaceId: string, links: readonly Sealed[], by: Signer = signer) =>
  exportOf(links, { workspaceId, headsAt: HEADS_AT, signer: by });

const chain = chainOf(entriesOf(WORKSPACE, 'genuine'));
const genuine = exportedBy(WORKSPACE, chain);
/** What the service said of the same workspace in another life, and of another workspace: signed by the same key. */
const otherWorkspace = exportedBy(OTHER_WORKSPACE, chainOf(entriesOf(OTHER_WORKSPACE, 'genuine')));
const newest = headOf(chain.at(-1) as Sealed, WORKSPACE, signer);
const trusted = { workspaceId: WORKSPACE, publicKey: signer.publicKey, kept: [] };

describe('a genuine export', () => {
  test('is valid, alone and with heads that were kept', async () => {
    const early = headOf(chain[2] as Sealed, WORKSPACE, signer);
    for (const kept of [[], [early], [early, newest]])
      expect(await verifyExport(genuine, { ...trusted, kept })).toEqual({
        valid: true,
        entries: ENTRIES,
        seq: ENTRIES,
        hash: chain.at(-1)?.hash,
        problems: [],
      });
  });

  test('is read in pieces of any size, whatever its texts hold', async () => {
    const file = `${genuine.join('\n')}\n`;
    for (const size of [1, 7, 1_000, file.length]) {
      const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
        file.slice(at * size, (at + 1) * size),
      );
      expect(await verifyExport(splitLines(Readable.from(pieces)), trusted)).toMatchObject({ valid: true });
    }
  });

  test('that goes on from a place is valid only with the head of that place', async () => {
    const rest = exportedBy(WORKSPACE, chain.slice(4));
    const kept = [headOf(chain[3] as Sealed, WORKSPACE, signer)];
    expect(await verifyExport(rest, { ...trusted, kept })).toMatchObject({ valid: true, entries: ENTRIES - 4 });
    expect(await verifyExport(rest, trusted)).toMatchObject({ valid: false });
    expect(
      await verifyExport(rest, { ...trusted, kept: [headOf(chain[2] as Sealed, WORKSPACE, signer)] }),
    ).toMatchObject({ valid: false });
  });

  test('of another workspace or key is not what was asked about', async () => {
    expect(await verifyExport(otherWorkspace, trusted)).toMatchObject({ valid: false });
    expect(await verifyExport(exportedBy(WORKSPACE, chain, forger), trusted)).toMatchObject({ valid: false });
    expect(await verifyExport(genuine, { ...trusted, publicKey: forger.publicKey })).toMatchObject({ valid: false });
  });

  test('that is older than a head that was kept: its end was cut off', async () => {
    const older = exportedBy(WORKSPACE, chain.slice(0, 4));
    expect(await verifyExport(older, trusted)).toMatchObject({ valid: true });
    expect(await verifyExport(older, { ...trusted, kept: [newest] })).toMatchObject({ valid: false });
  });

  test('of a chain that was written anew with the stolen key contradicts a head that was kept', async () => {
    const rewritten = exportedBy(WORKSPACE, chainOf(entriesOf(WORKSPACE, 'another story')));
    expect(await verifyExport(rewritten, trusted)).toMatchObject({ valid: true });
    expect(await verifyExport(rewritten, { ...trusted, kept: [newest] })).toMatchObject({ valid: false });
  });

  test('a kept head whose signature is not genuine is no witness', async () => {
    const kept = [{ ...newest, signature: headOf(chain[0] as Sealed, WORKSPACE, signer).signature }];
    expect(await verifyExport(genuine, { ...trusted, kept })).toMatchObject({ valid: false });
  });
});

test('nothing, garbage and half a file are not whole', async () => {
  for (const lines of [
    [],
    [''],
    ['null'],
    ['{"type":"entry"}'],
    ['{"type":"__proto__"}'],
    genuine.slice(0, -1),
    genuine.slice(0, 3),
  ])
    expect(await verifyExport(lines, trusted)).toMatchObject({ valid: false });
  expect(readHead({ data: { seq: 1 } })).toBeUndefined();
});

/** Always the same ones. */
let state = 0x5eed;
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

const readLine = (line: string) => JSON.parse(line) as Record<string, Json>;

/** Something else of the same kind. */
function alter(value: Json): Json {
  if (typeof value === 'number') return value + pick([-1, 1, 1000]);
  if (typeof value === 'string') {
    const at = below(value.length + 1);
    return `${value.slice(0, at)}${pick(['a', '0', 'Z', ' '])}${value.slice(at + below(2))}`;
  }
  if (value === null) return pick<Json>(['', 0, {}, false]);
  if (typeof value === 'boolean') return !value;
  const names = Object.keys(value);
  if (names.length === 0) return { added: true };
  const name = pick(names);
  const { [name]: member, ...others } = value as Record<string, Json>;
  return below(5) === 0 ? others : { ...others, [name]: alter(member as Json) };
}

const withLine = (lines: readonly string[], at: number, line: string) => lines.toSpliced(at, 1, line);

/** The end as a forger states it: signed with a key of his own, or by the genuine signature. */
function forgedEnd(links: readonly Sealed[], heads: number): string {
  const genuineEnd = readLine(genuine.at(-1) as string);
  const last = links.at(-1) as Sealed;
  const end = {
    workspaceId: WORKSPACE,
    fromSeq: 1,
    seq: last.seq,
    hash: last.hash,
    heads,
    signedAt: genuineEnd['signed_at'] as string,
  };
  const [key, signature] =
    below(2) === 0
      ? [forger.publicKey, signStatement(endStatement(end), forger.privateKey)]
      : [signer.publicKey, genuineEnd['signature']];
  return canonicalJson({
    type: 'end',
    ...endStatement(end),
    public_key: below(2) === 0 ? signer.publicKey : key,
    signature: signature as string,
  });
}

const linesOf = (links: readonly Sealed[]) =>
  links.map(({ previousHash: previous_hash, ...link }) => canonicalJson({ type: 'entry', previous_hash, ...link }));

const mutations: Record<string, () => string[]> = {
  'a value': () => {
    const at = below(genuine.length);
    return withLine(genuine, at, canonicalJson(alter(readLine(genuine[at] as string))));
  },
  'a character': () => {
    const at = below(genuine.length);
    const line = genuine[at] as string;
    const position = below(line.length);
    return withLine(genuine, at, line.slice(0, position) + pick(['', 'x', '0', ' ', '"']) + line.slice(position + 1));
  },
  'the same in other words': () => {
    const at = below(genuine.length);
    const line = genuine[at] as string;
    const written = [
      ` ${line}`,
      line.replace(':', ': '),
      line.replace('e', '\\u0065'),
      `${line}\r`,
      line.replace('{', '{"seq":0,'),
    ];
    return withLine(genuine, at, pick(written));
  },
  'lines dropped': () => genuine.toSpliced(below(genuine.length), 1 + below(3)),
  'lines swapped': () => {
    const [one, other] = [below(genuine.length), below(genuine.length)];
    return withLine(withLine(genuine, one, genuine[other] as string), other, genuine[one] as string);
  },
  'a line twice': () => genuine.toSpliced(below(genuine.length), 0, pick(genuine)),
  'a line of another workspace': () => {
    const at = below(genuine.length);
    return below(2) === 0
      ? withLine(genuine, at, otherWorkspace[at] as string)
      : genuine.toSpliced(at, 0, pick(otherWorkspace));
  },
  'the other half of another workspace': () => {
    const at = 1 + below(genuine.length - 1);
    return [...genuine.slice(0, at), ...otherWorkspace.slice(at)];
  },
  'an end that was cut off, and the end stated anew': () => {
    const links = chain.slice(0, 1 + below(ENTRIES - 1));
    return [...linesOf(links), forgedEnd(links, 0)];
  },
  'a fork: from a place on other entries, each rightly chained': () => {
    const at = below(ENTRIES);
    const forked = [
      ...chain.slice(0, at),
      ...chainOf(entriesOf(WORKSPACE, `fork ${below(100)}`).slice(at), chain[at - 1]),
    ];
    return [...linesOf(forked), below(2) === 0 ? (genuine.at(-1) as string) : forgedEnd(forked, 0)];
  },
  'an entry altered and everything after it chained anew': () => {
    const at = below(ENTRIES);
    const entries = chain.map(({ entry }, index) => (index === at ? (alter(entry) as AuditEntry) : entry));
    const links = chainOf(entries);
    const heads = genuine.filter((line) => line.startsWith('{"hash"') && line.includes('"type":"head"'));
    const kept = below(2) === 0 ? heads : [];
    return [...linesOf(links), ...kept, below(2) === 0 ? (genuine.at(-1) as string) : forgedEnd(links, kept.length)];
  },
  'an entry altered with its hash, and its link or not': () => {
    const [at, isLinked] = [below(ENTRIES - 1), below(2) === 0];
    const { seq, previousHash, entry } = chain[at] as Sealed;
    const altered = alter(entry) as AuditEntry;
    const hash = sealHash(seq, previousHash, altered);
    const [changed, next] = linesOf([
      { seq, previousHash, hash, entry: altered },
      { ...(chain[at + 1] as Sealed), ...(isLinked ? { previousHash: hash } : {}) },
    ]) as [string, string];
    const [one, other] = linesOf(chain.slice(at, at + 2)).map((line) => genuine.indexOf(line)) as [number, number];
    return withLine(withLine(genuine, one, changed), other, next);
  },
};

test(`L3: ${MUTATIONS} mutations, every one found`, async () => {
  const names = Object.keys(mutations);
  const missed: { name: string; file: string[] }[] = [];
  let mutated = 0;
  for (let attempt = 0; mutated < MUTATIONS; attempt += 1) {
    const name = names[attempt % names.length] as string;
    const file = (mutations[name] as () => string[])();
    // A change into the same is none.
    if (file.join('\n') === genuine.join('\n')) continue;
    mutated += 1;
    const { valid } = await verifyExport(file, trusted);
    if (valid) missed.push({ name, file });
  }
  expect(missed.slice(0, 3)).toEqual([]);
}, 120_000);
