// EIP-712's digest from the flat form that goes to the nodes, as a node computes it, written from the EIP's text for
// the tests alone. Trusts its input.
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { StructType, Token, WireTypedData } from '../../../activities/mpc/transport/wire.ts';

export function digestOfTokens({ types, primaryType, domain, message }: WireTypedData): Uint8Array {
  const parts = [Buffer.of(0x19, 0x01), hashWhole(types, 'EIP712Domain', domain)];
  if (primaryType !== 'EIP712Domain') parts.push(hashWhole(types, primaryType, message));
  return keccak_256(Buffer.concat(parts));
}

/** `Name(type name,…)` of the struct, then of all that it refers to, by name. */
export function encodeType(types: readonly StructType[], name: string): string {
  const found = new Set<string>();
  const visit = (typeName: string) => {
    const [base = ''] = typeName.split('[');
    const struct = types.find((candidate) => candidate.name === base);
    if (struct === undefined || found.has(base)) return;
    found.add(base);
    for (const field of struct.fields) visit(field.typeName);
  };
  visit(name);
  found.delete(name);
  const text = (known: string) =>
    `${known}(${fieldsOf(types, known)
      .map(({ typeName, name }) => `${typeName} ${name}`)
      .join(',')})`;
  return [name, ...[...found].sort()].map(text).join('');
}

const fieldsOf = (types: readonly StructType[], name: string) =>
  types.find((known) => known.name === name)?.fields ?? [];

function hashWhole(types: readonly StructType[], name: string, tokens: readonly Token[]): Uint8Array {
  const left = [...tokens];
  const hash = encodeData(types, left, name);
  if (left.length > 0) throw new Error('tokens are left over');
  return hash;
}

/** The 32 bytes of one value, whose tokens it takes from `left`. */
function encodeData(types: readonly StructType[], left: Token[], typeName: string): Uint8Array {
  if (types.some(({ name }) => name === typeName)) {
    const parts = fieldsOf(types, typeName).map((field) => encodeData(types, left, field.typeName));
    return keccak_256(Buffer.concat([keccak_256(Buffer.from(encodeType(types, typeName))), ...parts]));
  }
  const token = left.shift();
  switch (token?.kind) {
    case 'Word':
      return token.word;
    case 'Bytes':
      return keccak_256(token.bytes);
    case 'Text':
      return keccak_256(Buffer.from(token.text));
    case 'Count': {
      const element = typeName.slice(0, typeName.lastIndexOf('['));
      return keccak_256(Buffer.concat(Array.from({ length: token.count }, () => encodeData(types, left, element))));
    }
    case undefined:
      throw new Error('tokens are missing');
  }
}
