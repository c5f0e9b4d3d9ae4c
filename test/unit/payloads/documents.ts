// EIP-712 documents to spoil, and how they are refused then.
import { expect } from 'vitest';
import type { Json } from '../../../domain/canonical-json.ts';
import { PayloadError } from '../../../domain/payloads/payload-error.ts';
import { readDocument, type TypedData } from '../../../domain/payloads/typed-data.ts';
import type { TypedDataField } from '../../../domain/payloads/typed-data-fields.ts';

export const field = (name: string, type: string): TypedDataField => ({ name, type });
export const domainType = [field('name', 'string')];

export const mail: TypedData = {
  types: {
    EIP712Domain: domainType,
    Person: [field('name', 'string'), field('wallet', 'address')],
    Mail: [field('from', 'Person'), field('to', 'Person[]'), field('contents', 'string')],
  },
  primaryType: 'Mail',
  domain: { name: 'x' },
  message: {
    from: { name: 'Cow', wallet: `0x${'11'.repeat(20)}` },
    to: [{ name: 'Bob', wallet: `0x${'22'.repeat(20)}` }],
    contents: 'Hello',
  },
};

/** One value of one type. */
export const sample = (type: string, value: unknown, types: TypedData['types'] = {}): TypedData => ({
  types: { EIP712Domain: domainType, Sample: [field('x', type)], ...types },
  primaryType: 'Sample',
  domain: { name: 'x' },
  message: { x: value as Json },
});

/** What `read` refuses with, or `accepted`. */
export function refusalBy(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(PayloadError);
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
}

/** `document` may lack parts, and be none at all. */
export const refusalOf = (document: object) => refusalBy(() => readDocument(document));
