// Goal: T9, the digest of an approval is of the canonical JSON of every column that says what will be done. Method: the
// published vectors of RFC 8785, and each column of a row changed in turn.
import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, digestOf, type Json } from '../../../domain/canonical-json.ts';
import { addressBook } from '../../../drizzle/policies/address-book.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import {
  addressDigest,
  policyDigest,
  signingDigest,
  withdrawalDigest,
} from '../../../drizzle/votes/approved-content.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';

describe('canonical JSON (RFC 8785)', () => {
  test('the example of section 3.2.2 and 3.2.3', () => {
    const example = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`) as Json;
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('the order of names of section 3.2.3: UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(sorted) as object).filter((name) => name !== '1')).toEqual([
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    expect(sorted.startsWith('{"\\r":0,"1":0,')).toBe(true);
  });

  test('what is no JSON is refused', () => {
    for (const value of [undefined, 1n, Number.NaN, Number.POSITIVE_INFINITY, '\ud83d', { a: undefined }, [undefined]])
      expect(() => canonicalJson(value as unknown as Json)).toThrow('no JSON');
  });

  test('generated values: the same whatever the order of names, and it reads back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        const reversed = (at: unknown): unknown => {
          if (Array.isArray(at)) return at.map(reversed);
          if (typeof at !== 'object' || at === null) return at;
          return Object.fromEntries(
            Object.entries(at)
              .toReversed()
              .map(([name, member]) => [name, reversed(member)]),
          );
        };
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
        expect(digestOf(reversed(value) as Json)).toBe(digestOf(value));
      }),
    );
  });

  test('the digest is SHA-256 in hex', () => {
    expect(digestOf({ b: 1, a: 'x' })).toBe(createHash('sha256').update('{"a":"x","b":1}').digest('hex'));
  });
});

/**
 * The seal is over the row as it lies. How many approvals it needs and which workflow is its own are sealed with it,
 * and are no part of what is approved.
 */
const sealed = ['seal', 'sealVersion'];

/** Columns that move with the status, or say what was done; everything else must be in the digest. */
const outcomes = {
  withdrawal: [
    'policyReasons',
    'judgedFeeBaseUnits',
    'disputedAt',
    'status',
    'subStatus',
    'shortage',
    'errorCode',
    'errorReason',
    'reason',
    'requestedReplacement',
    'requestedFeeLevel',
    'txHash',
    'signedByNodes',
    ...sealed,
    'approvalsRequired',
    'workflowId',
    'blockNumber',
    'confirmations',
    'feePaidBaseUnits',
    'createdAt',
    'updatedAt',
    'completedAt',
  ],
  signing: [
    'status',
    'statusReason',
    'mpcCorrelationId',
    'errorCode',
    'errorReason',
    'reason',
    // Whether what was signed can land still, by the nonce that the payload has.
    'landing',
    'nonce',
    'signature',
    'signedByNodes',
    'publicKey',
    'address',
    'attemptsOpen',
    'mayBeSigned',
    ...sealed,
    'approvalsRequired',
    'workflowId',
    'groupWorkflowId',
    'createdAt',
    'updatedAt',
    'completedAt',
  ],
  policy: ['status', ...sealed, 'createdAt', 'updatedAt'],
  address: ['status', ...sealed, 'createdAt', 'updatedAt'],
};

describe.each([
  ['withdrawal', withdrawals, withdrawalDigest],
  ['signing', signingRequests, signingDigest],
  ['policy', policies, policyDigest],
  ['address', addressBook, addressDigest],
] as const)('T9: the digest of a %s', (name, table, digest) => {
  const columns = Object.keys(getTableColumns(table));
  const row = Object.fromEntries(columns.map((column) => [column, valueOf(table, column, 1)]));
  const digestOfRow = digest as (row: object) => string;

  test.each(columns)('column %s', (column) => {
    const changed = { ...row, [column]: valueOf(table, column, 2) };
    const isOutcome = outcomes[name].includes(column);
    expect(digestOfRow(changed) === digestOfRow(row)).toBe(isOutcome);
  });
});

/** A value of the column's type, another one for another number. */
function valueOf(table: Parameters<typeof getTableColumns>[0], name: string, number: number): unknown {
  const column = getTableColumns(table)[name];
  switch (column?.dataType) {
    case 'bigint':
      return BigInt(number);
    case 'number':
      return number;
    case 'json':
      return { value: number };
    case 'date':
      return new Date(number);
    default:
      return `text ${number}`;
  }
}
