// Reads an EIP-712 document that is to be signed: strictly, so that what is hashed, what is kept for audit and what the nodes are shown is one and the
// same, and all of what the caller sent.
import { concat, keccak256 } from 'viem';
import type { NetworkRow } from '../../drizzle/networks.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { parseStrictJson, StrictJsonError } from '../http/strict-json.ts';
import { assertEvm, chooseNetwork, type NetworkChoice } from './choose-network.ts';
import { readPath } from './derivation-path.ts';
import { assertExactNumbers } from './exact-numbers.ts';
import { isWellFormed, PAYLOAD_BYTES_MAX, type SigningContent, type SigningIntent } from './signing-content.ts';
import { StructHasher } from './typed-data-hash.ts';
import { choosePrimaryType, DOMAIN_TYPE, isRecord, misfit, readTypes, type StructTypes } from './typed-data-types.ts';
import { ValueReader } from './typed-data-values.ts';

interface TypedDataBody extends NetworkChoice {
  typed_data: object;
  derivation_path?: string;
}

type Document = Extract<SigningContent['payload'], { kind: 'evm_typed_data' }>['typedData'];

export async function readTypedData(networks: NetworkCatalog, body: TypedDataBody): Promise<SigningIntent> {
  const network = await chooseNetwork(networks, body);
  assertEvm(network, 'Typed data');
  return { network, content: readContent(body.typed_data, network), path: readPath(body) };
}

/** The document in the JSON text that SDK callers send. */
export function parseTypedData(text: string): object {
  const document = parseText(text);
  if (!isRecord(document)) throw misfit(' must be the text of a JSON object.');
  assertExactNumbers('typed_data', text);
  return document;
}

function parseText(text: string): unknown {
  try {
    if (isWellFormed(text)) return parseStrictJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
  }
  throw misfit(
    ' must be JSON text that reads in one way only: no name twice in one object, no lone surrogate, no U+0000.',
  );
}

const PARTS = ['types', 'primaryType', 'domain', 'message'];

function readContent(given: object, network: NetworkRow): SigningContent {
  const unknown = Object.keys(given).find((name) => !PARTS.includes(name));
  if (unknown !== undefined) throw misfit(` has an unknown field "${unknown}".`);
  const { types: givenTypes, primaryType: named, domain: givenDomain, message: givenMessage } = given as Document;
  if (!isRecord(givenDomain)) throw misfit('.domain must be an object.');
  const types = readTypes(givenTypes, givenDomain);
  const primaryType = choosePrimaryType(types, named);
  const values = new ValueReader(types);
  const domain = values.read(DOMAIN_TYPE, givenDomain, '.domain') as Record<string, unknown>;
  const message = values.read(primaryType, givenMessage, '.message') as Record<string, unknown>;
  const chainId = domain['chainId'] as bigint | undefined;
  if (chainId !== undefined && chainId !== BigInt(network.chainId ?? -1))
    throw misfit(`.domain.chainId is ${chainId}, and the network ${network.internalCode} is ${network.chainId}.`);
  const bytes = values.bytes + typesBytes(types, primaryType);
  if (bytes > PAYLOAD_BYTES_MAX) throw misfit(` is too large: at most ${PAYLOAD_BYTES_MAX} bytes can be signed.`);
  const document = { types, primaryType, domain, message };
  return { payload: { kind: 'evm_typed_data', typedData: toJson(document) }, ...hash(document) };
}

/** What is kept is the preimage of the digest: 0x1901, the domain separator and the hash of the message. */
function hash({ types, primaryType, domain, message }: Document) {
  const hasher = new StructHasher(types);
  const unsignedTx = concat(['0x1901', hasher.hash(DOMAIN_TYPE, domain), hasher.hash(primaryType, message)]);
  return { signingHash: keccak256(unsignedTx), unsignedTx };
}

/** The same in plain JSON: integers as decimal text. */
function toJson(document: Document): Document {
  const replace = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
  return JSON.parse(JSON.stringify(document, replace)) as Document;
}

/** What types, primary type and the lengths of the lists weigh in the nodes' encoding: each text and each list opens with its length in four bytes. */
function typesBytes(types: StructTypes, primaryType: string): number {
  const texts = Object.entries(types).flatMap(([name, fields]) => [
    name,
    ...fields.flatMap((field) => [field.name, field.type]),
  ]);
  const lists = Object.keys(types).length + 3;
  return [primaryType, ...texts].reduce((sum, text) => sum + 4 + Buffer.byteLength(text), 4 * lists);
}
