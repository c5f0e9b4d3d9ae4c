// Reads an EIP-712 document that is to be signed, by the rules of domain/payloads/ and for the chain that was named.
import { bytesToHex, keccak256 } from 'viem';
import { isWellFormed } from '../../../domain/payloads/text.ts';
import { readDocument } from '../../../domain/payloads/typed-data.ts';
import { DOMAIN_TYPE, isRecord } from '../../../domain/payloads/typed-data-fields.ts';
import { preimageOf } from '../../../domain/payloads/typed-data-hash.ts';
import { type SigningContent } from '../../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { assertEvm, chooseNetwork, type NetworkChoice } from '../../catalog/choose-network.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import { orInvalidRequest } from '../../http/payload-fields.ts';
import { parseStrictJson, StrictJsonError } from '../../http/strict-json.ts';
import { readPath } from '../derivation-path.ts';
import { type SigningIntent } from '../signing-intent.ts';
import { validNetworks } from '../valid-networks.ts';
import { assertExactNumbers } from './exact-numbers.ts';

interface TypedDataBody extends NetworkChoice {
  typed_data: object;
  derivation_path?: string;
}

export async function readTypedData(networks: NetworkCatalog, body: TypedDataBody): Promise<SigningIntent> {
  const network = await chooseNetwork(networks, body);
  assertEvm(network, 'Typed data');
  const content = readContent(body.typed_data, network);
  return { network, validOn: await validNetworks(networks, network, content.payload), content, path: readPath(body) };
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

function readContent(given: object, network: NetworkRow): SigningContent {
  const read = orInvalidRequest(() => readDocument(given));
  const { document } = read;
  if (document.primaryType === DOMAIN_TYPE)
    throw misfit(`.primaryType must name one of the types, other than ${DOMAIN_TYPE}.`);
  // As it was read: decimal text.
  const { chainId } = document.domain as { chainId?: string };
  if (chainId !== undefined && chainId !== String(network.chainId))
    throw misfit(`.domain.chainId is ${chainId}, and the network ${network.internalCode} is ${network.chainId}.`);
  // What is kept is the preimage of the digest.
  const unsignedTx = bytesToHex(preimageOf(read));
  return {
    payload: { kind: 'evm_typed_data', typedData: document },
    signingHash: keccak256(unsignedTx),
    unsignedTx,
  };
}

const misfit = (rest: string) => new ApiError('invalid_request', `typed_data${rest}`);
