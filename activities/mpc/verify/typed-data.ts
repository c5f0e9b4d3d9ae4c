// Flattens an EIP-712 document to the form in which it goes to the nodes: the types that it uses, then its values as
// tokens in their order. Computes no digest: that is of the document itself, so that a flaw here cannot hide.
import { readDocument, type TypedData, usedTypes } from '../../../domain/payloads/typed-data.ts';
import { type AtomValue, bytesOf, isWord } from '../../../domain/payloads/typed-data-atoms.ts';
import { DOMAIN_TYPE } from '../../../domain/payloads/typed-data-fields.ts';
import type { StructTypes } from '../../../domain/payloads/typed-data-types.ts';
import type { StructType, Token, WireTypedData } from '../transport/wire.ts';

/** Throws `PayloadError` for whatever the nodes would refuse. */
export function flattenTypedData(typedData: TypedData): WireTypedData {
  const { document, types } = readDocument(typedData);
  const { primaryType, domain, message } = document;
  return {
    types: usedTypes(types, primaryType).map((name) => wireType(types, name)),
    primaryType,
    domain: [...tokensOf(types, DOMAIN_TYPE, domain)],
    message: primaryType === DOMAIN_TYPE ? [] : [...tokensOf(types, primaryType, message)],
  };
}

function wireType(types: StructTypes, name: string): StructType {
  const fields = types.byName.get(name) ?? [];
  return { name, fields: fields.map((field) => ({ name: field.name, typeName: field.type })) };
}

/** A struct has no token of its own; an array opens with a `Count`. */
function* tokensOf(types: StructTypes, typeName: string, value: unknown): Generator<Token> {
  const type = types.kindOf(typeName);
  switch (type.kind) {
    case 'array':
      yield { kind: 'Count', count: (value as unknown[]).length };
      for (const element of value as unknown[]) yield* tokensOf(types, type.element, element);
      break;
    case 'struct':
      for (const field of type.fields)
        yield* tokensOf(types, field.type, (value as Readonly<Record<string, unknown>>)[field.name]);
      break;
    case 'atom': {
      const bytes = bytesOf(type.atom, value as AtomValue);
      if (isWord(type.atom)) yield { kind: 'Word', word: bytes };
      else if (type.atom.kind === 'bytes') yield { kind: 'Bytes', bytes };
      else yield { kind: 'Text', text: value as string };
    }
  }
}
