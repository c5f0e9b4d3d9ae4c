// Reads the digest that is to be signed, under any of its aliases. Two names that disagree are an error: never pick one
// of two hashes.
import { keccak256 } from 'viem';
import { PAYLOAD_BYTES_MAX } from '../../../domain/payloads/limits.ts';
import { type SigningContent } from '../../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { chooseNetwork } from '../../catalog/choose-network.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import { type Hex, readHex, sizeOf } from '../../http/payload-fields.ts';
import { checkPath, parseDerivationPath } from '../derivation-path.ts';
import { type SigningIntent } from '../signing-intent.ts';
import { assertOwnChain, validNetworks } from '../valid-networks.ts';
import type { SignBody } from './sign-bodies.schema.ts';

export async function readSignBody(networks: NetworkCatalog, body: SignBody): Promise<SigningIntent> {
  const code = agree('network_internal_code', [body.network_internal_code, body.networkInternalCode]);
  if (code === undefined) throw new ApiError('invalid_request', 'body network_internal_code is missing.');
  const signingHash = agree(
    'signing_hash',
    [body.signing_hash, body.signingHash, body.hash, body.transaction_hash, body.transactionHash].map((value) =>
      value === undefined ? undefined : readDigest(value),
    ),
  );
  if (signingHash === undefined) throw new ApiError('invalid_request', 'body signing_hash is missing.');
  const unsignedTx = agree(
    'unsigned_tx',
    [body.unsigned_tx, body.unsignedTx, body.raw_transaction, body.rawTransaction, body.tx].map((value) =>
      value === undefined ? undefined : readUnsignedTx(value),
    ),
  );
  const path = readPathInEitherForm(body);
  const keyType = agree('key_type', [body.key_type, body.keyType]) ?? 'secp256k1';
  const network = await chooseNetwork(networks, { network_internal_code: code });
  if (network.curve !== keyType)
    throw new ApiError(
      'invalid_request',
      `The network ${network.internalCode} signs with ${network.curve}: set key_type to it.`,
    );
  const content = contentOf(signingHash, unsignedTx ?? signingHash, network);
  return { network, validOn: await validNetworks(networks, network, content.payload), content, path };
}

/**
 * The nodes are shown the transaction itself when its hash is what is to be signed, so that a node's own policy can
 * read it; else a raw digest, marked as one.
 */
function contentOf(signingHash: Hex, unsignedTx: Hex, network: NetworkRow): SigningContent {
  const isOfDigest = network.curve === 'secp256k1' && keccak256(unsignedTx) === signingHash;
  if (isOfDigest) assertOwnChain(network, unsignedTx);
  const shown =
    isOfDigest && network.isEvm && sizeOf(unsignedTx) <= PAYLOAD_BYTES_MAX && !NO_TRANSACTION.test(unsignedTx);
  const payload = shown
    ? ({ kind: 'evm_transaction', hex: unsignedTx } as const)
    : ({ kind: 'raw_digest', hex: signingHash } as const);
  return { payload, signingHash, unsignedTx };
}

/**
 * First bytes with which the nodes take nothing for a transaction: those of EIP-191 and EIP-712, and of RLP that is no
 * list.
 */
const NO_TRANSACTION = /^0x(19|[89ab])/;

function readPathInEitherForm(body: SignBody): number[] | undefined {
  const texts = [body.derivation_path, body.derivationPath].map((value) =>
    value === undefined ? undefined : parseDerivationPath(value),
  );
  const components = body.derivation_path_components;
  return agree('derivation_path', [...texts, components && checkPath(components)], (path) => path.join('/'));
}

/** The one value that all the names carry, if any does. */
function agree<Value>(
  name: string,
  values: (Value | undefined)[],
  identity: (value: Value) => unknown = (value) => value,
) {
  const given = values.filter((value) => value !== undefined);
  const [first] = given;
  if (first !== undefined && given.some((value) => identity(value) !== identity(first)))
    throw new ApiError('conflicting_aliases', `${name} and its aliases carry different values: send one.`);
  return first;
}

function readDigest(text: string): Hex {
  const digits = text.replace(/^0[xX]/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new ApiError(
      'invalid_signing_hash',
      'signing_hash must be exactly 32 bytes in hex (64 digits), with or without 0x.',
    );
  return `0x${digits.toLowerCase()}`;
}

function readUnsignedTx(text: string): Hex {
  const hex = readHex('unsigned_tx', text);
  if (sizeOf(hex) === 0) throw new ApiError('invalid_request', 'unsigned_tx has no bytes: leave it out.');
  return hex;
}
