// Goal: whatever the API accepts, the cluster's client accepts, and both mean the same digest; and their bounds are the
// nodes'. Method: good documents and messages with random things changed in them, and documents about the bounds, are
// read as the API reads them; what passes goes the way of a workflow's history to the client.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../../activities/mpc/transport/borsh.ts';
import { typedData } from '../../../activities/mpc/transport/wire.ts';
import { digestOf } from '../../../activities/mpc/verify/digest.ts';
import { wirePayload } from '../../../activities/mpc/verify/payload.ts';
import * as limits from '../../../domain/payloads/limits.ts';
import { readDocument, type TypedData } from '../../../domain/payloads/typed-data.ts';
import type { NetworkCatalog } from '../../../src/catalog/networks.ts';
import { ApiError } from '../../../src/http/errors.ts';
import { readTransaction } from '../../../src/signing-requests/bodies/read-transaction.ts';
import { readTypedData } from '../../../src/signing-requests/bodies/read-typed-data.ts';
import type { SigningIntent } from '../../../src/signing-requests/signing-intent.ts';
import { typedDataDocuments } from '../../conformance/typed-data/generator.ts';
import { field, sample } from './documents.ts';

const catalogOf = (network: object) =>
  ({ find: async () => network, list: async () => [network] }) as unknown as NetworkCatalog;
const ethereum = catalogOf({ internalCode: 'ETHEREUM_MAINNET', isEvm: true, chainId: 1, disabled: false });
const solana = catalogOf({ internalCode: 'SOL_MAINNET', isEvm: false, addressType: 'sol', disabled: false });

/** Undefined when the API refuses. */
async function accepted(read: Promise<SigningIntent>): Promise<SigningIntent['content'] | undefined> {
  try {
    return (await read).content;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return undefined;
  }
}

type Place = { holder: Record<string, unknown>; key: string };

/** Every value of a JSON document, with what holds it. */
function placesIn(holder: object): Place[] {
  const own = Object.keys(holder).map((key) => ({ holder: holder as Record<string, unknown>, key }));
  const inner = Object.values(holder).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? placesIn(value) : [],
  );
  return [...own, ...inner];
}

const odd = fc.oneof(
  fc.constantFrom(
    '0x',
    '0x0',
    '0X00',
    '01',
    '-0',
    -0,
    '+1',
    ' 1',
    '1e3',
    1.5,
    2 ** 53,
    `0x${'0'.repeat(64)}`,
    '\0',
    '\ud800',
  ),
  fc.constantFrom(
    'uint',
    'uint8[0]',
    'uint256[]',
    'Alpha',
    'Alpha[2]',
    'EIP712Domain',
    'toString',
    '__proto__',
    '\u{10ffff}',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }).map(String),
  fc.stringMatching(/^0x[\dA-Fa-f]{40}$/),
);
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'delete', 'rename', 'copy'),
  value: odd,
});

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function changed(document: TypedData, changes: readonly Change[]): object {
  const copy = structuredClone(document);
  for (const { at, how, value } of changes) {
    const places = placesIn(copy);
    const place = places[at % places.length];
    if (place === undefined) continue;
    const { holder, key } = place;
    const held = holder[key];
    if (how === 'delete' || how === 'rename') Reflect.deleteProperty(holder, key);
    if (how === 'replace') holder[key] = value;
    if (how === 'rename' || how === 'copy') holder[typeof value === 'string' ? value : 'other'] = held;
  }
  return JSON.parse(JSON.stringify(copy)) as object;
}

const onEthereum = (document: TypedData): TypedData => ({
  ...document,
  domain: Object.hasOwn(document.domain, 'chainId') ? { ...document.domain, chainId: 1 } : document.domain,
});
/** Left out is what the API completes. */
const documents = fc
  .tuple(typedDataDocuments.map(onEthereum), fc.array(change, { maxLength: 3 }), fc.boolean(), fc.boolean())
  .map(([document, changes, withoutDomain, withoutPrimary]) => {
    const { types, primaryType, ...rest } = document;
    const { EIP712Domain = [], ...others } = types;
    const given = { ...rest, types: withoutDomain ? others : { EIP712Domain, ...others } };
    return changed((withoutPrimary ? given : { ...given, primaryType }) as TypedData, changes);
  });

const about = (bound: number) => fc.integer({ min: bound - 3, max: bound + 3 });
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
/**
 * Near each bound. EIP712Domain(string name) has 25 bytes, Sample(bool x) 14, N(bool ) 8; a string's document weighs
 * 100 bytes and the string.
 */
const atTheBounds = fc.oneof(
  about(limits.PAYLOAD_BYTES_MAX - 100).map((size) => sample('string', 'x'.repeat(size))),
  about((limits.PAYLOAD_BYTES_MAX - 100) / 2).map((size) => sample('string', 'ü'.repeat(size))),
  about(limits.TYPE_TEXT_BYTES_MAX - 47).map((size) => sample('bool', true, { N: [field('n'.repeat(size), 'bool')] })),
  about(limits.TYPED_DATA_DEPTH_MAX - 1).map((levels) => sample(`uint8${'[]'.repeat(levels)}`, nested(levels))),
  about(limits.TYPED_DATA_TYPES_MAX - 2).map((count) =>
    sample(
      'bool',
      true,
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`T${index}`, [field('n', 'bool')]])),
    ),
  ),
);

describe.each([
  ['changed at random', documents, 1_500],
  ['about the bounds', atTheBounds, 150],
])('typed data %s', (_name, arbitrary: fc.Arbitrary<object>, numRuns) => {
  it('that the API accepts is accepted by the client, as the same', async () => {
    const count = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(arbitrary, async (document) => {
        const content = await accepted(readTypedData(ethereum, { chain_id: 1, typed_data: document }));
        count[content === undefined ? 'refused' : 'accepted'] += 1;
        if (content === undefined) return;
        const { payload, signingHash } = JSON.parse(JSON.stringify(content)) as typeof content;
        if (payload.kind !== 'evm_typed_data') throw new Error('another kind');
        const wire = wirePayload(payload, 'secp256k1');
        if (wire.kind !== 'EvmTypedData') throw new Error('another kind');
        const bytes = encode(typedData, wire.typedData);
        expect(bytes.length).toBeLessThanOrEqual(limits.PAYLOAD_BYTES_MAX);
        expect(Buffer.compare(encode(typedData, decode(typedData, bytes)), bytes)).toBe(0);
        expect(toHex(digestOf(payload))).toBe(signingHash);
        expect(readDocument(payload.typedData).document).toEqual(payload.typedData);
      }),
      { numRuns },
    );
    expect(count.accepted).toBeGreaterThan(numRuns / 10);
    expect(count.refused).toBeGreaterThan(numRuns / 10);
  });
});

it('Solana messages that the API accepts are accepted by the client', async () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../../mpc/vectors/wire.json', import.meta.url), 'utf8'),
  ) as readonly { name: string; fields: { bytes?: string } }[];
  const messages = vectors
    .filter(({ name }) => name.startsWith('command/sign_solana_transaction'))
    .map(({ fields }) => Buffer.from(fields.bytes ?? '', 'hex'));
  const count = { accepted: 0, refused: 0 };
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...messages), edits, fc.nat({ max: 2 }), async (message, changes, extra) => {
      const bytes = Buffer.concat([message, Buffer.alloc(extra === 2 ? 1 : 0)]);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const body = { network_internal_code: 'SOL_MAINNET', unsigned_tx: toHex(bytes) };
      const content = await accepted(readTransaction(solana, body));
      count[content === undefined ? 'refused' : 'accepted'] += 1;
      if (content !== undefined)
        expect(wirePayload({ kind: 'solana_transaction', message: bytes }, 'ed25519')).toMatchObject({
          message: bytes,
        });
    }),
    { numRuns: 500 },
  );
  expect(Math.min(count.accepted, count.refused)).toBeGreaterThan(50);
});

it('the bounds are those of the nodes', () => {
  const source = readFileSync(new URL('../../../mpc/src/limits.rs', import.meta.url), 'utf8');
  const ofNodes = (name: string) => {
    const factors = new RegExp(`const ${name}: usize = ([\\d_ *]+);`).exec(source)?.[1]?.split('*') ?? [];
    return factors.reduce((product, factor) => product * Number(factor.trim().replaceAll('_', '')), 1);
  };
  expect(Object.fromEntries(Object.keys(limits).map((name) => [name, ofNodes(name.replace(/_MAX$/, ''))]))).toEqual({
    ...limits,
  });
});
