// A good EIP-712 document to spoil, and how it is refused then.
import { expect } from 'vitest';
import { ClusterError, type TypedData } from '../../../activities/mpc/cluster.ts';
import { flattenTypedData } from '../../../activities/mpc/typed-data.ts';

export const field = (name: string, type: string) => ({ name, type });
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
export const sample = (type: string, value: unknown): TypedData => ({
  types: { EIP712Domain: domainType, Sample: [field('value', type)] },
  primaryType: 'Sample',
  domain: { name: 'x' },
  message: { value },
});

/** The sentence with which a document is refused, or `accepted`. */
export function refusalOf(document: TypedData): string {
  try {
    flattenTypedData(document);
  } catch (error) {
    expect(error).toBeInstanceOf(ClusterError);
    expect(error).toMatchObject({ code: 'invalid_request', retryable: false });
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
}
