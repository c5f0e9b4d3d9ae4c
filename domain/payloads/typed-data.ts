// Reads an EIP-712 document: strictly, so that what is hashed, what is kept for audit and what the nodes are shown is
// one and the same, and all of what was given.
import type { Json } from '../canonical-json.ts';
import { typedDataError } from './payload-error.ts';
import { utf8Size } from './text.ts';
import { DOMAIN_TYPE, isRecord, type TypedDataField } from './typed-data-fields.ts';
import { StructTypes } from './typed-data-types.ts';
import { ValueReader } from './typed-data-values.ts';

/** An EIP-712 document as JSON. Integers are safe integers, or decimal or 0x text; bytes and addresses are 0x text. */
export type TypedData = {
  types: Readonly<Record<string, readonly TypedDataField[]>>;
  primaryType: string;
  domain: Readonly<Record<string, Json>>;
  /** Empty when `primaryType` is `EIP712Domain`. */
  message: Readonly<Record<string, Json>>;
};

export interface ReadTypedData {
  /** Complete, and each value in its one form: integers are decimal text, hex is in lower case. */
  document: TypedData;
  types: StructTypes;
}

const PARTS = ['types', 'primaryType', 'domain', 'message'];

/** Throws `PayloadError`. `types.EIP712Domain` may be absent, and `primaryType` where only one type can be it. */
export function readDocument(given: object): ReadTypedData {
  const unknown = Object.keys(given).find((name) => !PARTS.includes(name));
  if (unknown !== undefined) throw typedDataError(` has an unknown field "${unknown}".`);
  const { types: givenTypes, primaryType: named, domain, message } = given as Partial<Record<keyof TypedData, unknown>>;
  if (!isRecord(domain)) throw typedDataError('.domain must be an object.');
  const types = new StructTypes(givenTypes, domain);
  const primaryType = types.choosePrimaryType(named);
  if (primaryType === DOMAIN_TYPE && !(isRecord(message) && Object.keys(message).length === 0))
    throw typedDataError(`.message must be an empty object when primaryType is ${DOMAIN_TYPE}.`);
  const values = new ValueReader(types, typesBytes(types, primaryType));
  const read = (struct: string, value: unknown, where: string) =>
    values.read(struct, value, where) as Readonly<Record<string, Json>>;
  const document = {
    types: Object.fromEntries(types.byName),
    primaryType,
    domain: read(DOMAIN_TYPE, domain, '.domain'),
    message: primaryType === DOMAIN_TYPE ? {} : read(primaryType, message, '.message'),
  };
  return { document, types };
}

/** The types that go to the nodes, by name: those of the domain and of the message. */
export function usedTypes(types: StructTypes, primaryType: string): readonly string[] {
  return [...new Set([DOMAIN_TYPE, ...types.reachableFrom(primaryType)])].sort();
}

/**
 * What types, primary type and the lengths of the lists weigh in the nodes' encoding: each text and each list opens
 * with its length in four bytes.
 */
function typesBytes(types: StructTypes, primaryType: string): number {
  const used = usedTypes(types, primaryType);
  const texts = used.flatMap((struct) => [
    struct,
    ...(types.byName.get(struct) ?? []).flatMap(({ name, type }) => [name, type]),
  ]);
  const lists = used.length + 3;
  return [primaryType, ...texts].reduce((sum, text) => sum + 4 + utf8Size(text), 4 * lists);
}
