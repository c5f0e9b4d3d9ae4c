// Goal: our digest of a document is EIP-712's, and the flat form that goes to the nodes stands for that very document.
// Method: published documents with what their authors published, and generated ones; viem is the reference. The tokens,
// encoded and decoded, are hashed by a small reference as a node hashes them.
import { keccak_256 } from '@noble/hashes/sha3.js';
import * as fc from 'fast-check';
import { hashTypedData, type TypedDataDefinition, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../activities/mpc/transport/borsh.ts';
import { typedData, type WireTypedData } from '../../activities/mpc/transport/wire.ts';
import { digestOf } from '../../activities/mpc/verify/digest.ts';
import { flattenTypedData } from '../../activities/mpc/verify/typed-data.ts';
import type { Json } from '../../domain/canonical-json.ts';
import { PayloadError } from '../../domain/payloads/payload-error.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import { publishedDocuments } from './typed-data/documents.ts';
import { typedDataDocuments } from './typed-data/generator.ts';
import { digestOfTokens, encodeType } from './typed-data/reference.ts';

/** As a node receives it. */
const received = (document: TypedData): WireTypedData =>
  decode(typedData, encode(typedData, flattenTypedData(document)));
const byViem = (document: TypedData) => hashTypedData(document as unknown as TypedDataDefinition);
const byUs = (document: TypedData) => toHex(digestOf({ kind: 'evm_typed_data', typedData: document }));
const byTokens = (document: TypedData) => toHex(digestOfTokens(received(document)));

describe.each(publishedDocuments)('$source', ({ document, digest, typeHashes = {} }) => {
  it('has its digest, from the document and from the tokens', () => {
    expect(byTokens(document)).toBe(byViem(document));
    expect(byUs(document)).toBe(byViem(document));
    if (digest !== undefined) expect(byViem(document)).toBe(digest);
  });

  it.skipIf(Object.keys(typeHashes).length === 0)('has its type hashes', () => {
    const { types } = received(document);
    const hashes = Object.keys(typeHashes).map((name) => [
      name,
      toHex(keccak_256(Buffer.from(encodeType(types, name)))),
    ]);
    expect(Object.fromEntries(hashes)).toEqual(typeHashes);
  });

  it('survives JSON, and the order of its keys does not matter', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)]);
      return Object.fromEntries(entries.toReversed());
    };
    const again = reversed(JSON.parse(JSON.stringify(document))) as TypedData;
    expect(encode(typedData, flattenTypedData(again))).toEqual(encode(typedData, flattenTypedData(document)));
  });
});

it('agrees with viem on generated documents', () => {
  let recursive = 0;
  fc.assert(
    fc.property(typedDataDocuments, (document) => {
      expect(byUs(document)).toBe(byViem(document));
      expect(byTokens(document)).toBe(byViem(document));
      recursive += received(document).types.some(({ name, fields }) =>
        fields.some((field) => field.typeName.startsWith(`${name}[`)),
      )
        ? 1
        : 0;
    }),
    { numRuns: 500 },
  );
  expect(recursive).toBeGreaterThan(20);
});

it('never lets through what viem would refuse or read otherwise, whatever stands in a value', () => {
  const { document } = publishedDocuments.find(({ source }) => source.startsWith('EIP-2612')) ?? {};
  if (document === undefined) throw new Error('no document');
  const odd = fc.oneof(
    fc.jsonValue().map((value) => value as Json),
    fc.bigInt({ min: -(2n ** 257n), max: 2n ** 257n }).map(String),
    fc.stringMatching(/^0[xX][0-9a-fA-F]{0,70}$/),
    fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    fc.double(),
  );
  const fields = document.types['Permit']?.map(({ name }) => name) ?? [];
  fc.assert(
    fc.property(fc.constantFrom(...fields), odd, (field, value) => {
      const changed = { ...document, message: { ...document.message, [field]: value } };
      let tokens: WireTypedData;
      try {
        tokens = flattenTypedData(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(PayloadError);
        return;
      }
      expect(toHex(digestOfTokens(tokens))).toBe(byViem(changed));
      expect(byUs(changed)).toBe(byViem(changed));
    }),
    { numRuns: 2_000 },
  );
});
