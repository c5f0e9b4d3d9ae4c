// Turns the body of a sign call, with all its aliases, into what is to be signed. Two names that disagree are an error: never pick one of two hashes.
import { keccak256 } from 'viem';
import type { Curve } from '../../drizzle/status.ts';
import { ApiError } from '../http/errors.ts';
import { checkPath, parseDerivationPath } from './derivation-path.ts';
import type { SignBody } from './signing-requests.schema.ts';

type Hex = `0x${string}`;

export interface SignInputs {
  networkInternalCode: string;
  keyType: Curve;
  /** 0x and 64 hex digits, lower case. */
  signingHash: Hex;
  unsignedTx: Hex;
  /** Absent when the network's default applies. */
  path: number[] | undefined;
}

export function readSignBody(body: SignBody): SignInputs {
  const networkInternalCode = agree('network_internal_code', [body.network_internal_code, body.networkInternalCode]);
  if (networkInternalCode === undefined)
    throw new ApiError('invalid_request', 'body network_internal_code is missing.');
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
      value === undefined ? undefined : readHex(value),
    ),
  );
  return {
    networkInternalCode,
    keyType: agree('key_type', [body.key_type, body.keyType]) ?? 'secp256k1',
    signingHash,
    unsignedTx: unsignedTx ?? signingHash,
    path: readPath(body),
  };
}

/**
 * What the nodes are shown: the transaction itself when its hash is what is to be signed, so that a node's own policy can read it; else a raw
 * digest, marked as one.
 */
export function describePayload(
  inputs: SignInputs,
  isEvm: boolean,
): { kind: 'raw_digest' | 'evm_transaction'; hex: Hex } {
  const { signingHash, unsignedTx } = inputs;
  const shown = isEvm && unsignedTx.length <= PAYLOAD_HEX_MAX && keccak256(unsignedTx) === signingHash;
  return shown ? { kind: 'evm_transaction', hex: unsignedTx } : { kind: 'raw_digest', hex: signingHash };
}

/** The nodes take payloads of at most 64 KiB (mpc/PROTOCOL.md). */
const PAYLOAD_HEX_MAX = 2 + 2 * 65_536;

function readPath(body: SignBody): number[] | undefined {
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

function readHex(text: string): Hex {
  const digits = text.replace(/^0[xX]/, '');
  if (!/^([0-9a-fA-F]{2})+$/.test(digits))
    throw new ApiError('invalid_request', 'unsigned_tx must be whole bytes in hex, with or without 0x.');
  return `0x${digits.toLowerCase()}`;
}
