// Goal: this client and the Rust node read and write the same bytes. Method: every golden vector that the node's own
// test suite wrote (mpc/vectors/wire.json) is decoded, compared field by field, encoded back, and refused when a byte
// is missing, added or changed to nonsense.
import { createPrivateKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { markMessage } from '../../activities/mpc/client/attestation-relay.ts';
import { signatureOf } from '../../activities/mpc/client/command.ts';
import type { Payload } from '../../activities/mpc/port.ts';
import { BorshError, type Codec, decode, encode } from '../../activities/mpc/transport/borsh.ts';
import {
  type Command,
  checkpointCommand,
  command,
  keyStatement,
  markStatement,
  type Operation,
  refusalCodes,
  request,
  response,
} from '../../activities/mpc/transport/wire.ts';
import { ed25519PublicKey, rosterOf } from '../../activities/mpc/verify/cluster-file.ts';
import { digestOf, isSolana, keyTestDigest, signedBytesOf } from '../../activities/mpc/verify/digest.ts';
import { confirmationMessage } from '../../activities/mpc/verify/key-confirmation.ts';
import { wirePayload } from '../../activities/mpc/verify/payload.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
interface Vector {
  name: string;
  hex: string;
  fields: Record<string, Json>;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../mpc/vectors/wire.json', import.meta.url), 'utf8'),
) as readonly Vector[];
const named = (prefix: string) => vectors.filter(({ name }) => name.startsWith(prefix));
const unhex = (text: Json | undefined) => Buffer.from(typeof text === 'string' ? text : '', 'hex');

/** A decoded value in the vectors' spelling: snake case, hex, the curve's Rust name, lists of nodes as numbers. */
function spelled(value: unknown, name = ''): Json {
  if (value instanceof Uint8Array) {
    return name === 'nodes' || name === 'signers' ? [...value] : Buffer.from(value).toString('hex');
  }
  if (typeof value === 'bigint') return Number(value);
  if (value === 'secp256k1') return 'Secp256k1';
  if (value === 'ed25519') return 'Ed25519';
  if (Array.isArray(value)) return value.map((item) => spelled(item));
  if (typeof value === 'object' && value !== null) {
    const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [snake(key), spelled(item, key)]));
  }
  return value as Json;
}

function expectExact<T>(codec: Codec<T>, hex: string): T {
  const bytes = Buffer.from(hex, 'hex');
  const value = decode(codec, bytes);
  expect(Buffer.from(encode(codec, value)).toString('hex')).toBe(hex);
  expect(() => decode(codec, Buffer.concat([bytes, Buffer.of(0)]))).toThrow(BorshError);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => decode(codec, bytes.subarray(0, length)), `cut to ${length}`).toThrow(BorshError);
  }
  return value;
}

it('covers every message of the page', () => {
  const kinds = (prefix: string) =>
    new Set(named(prefix).map(({ fields }) => (fields['body'] as { kind: string }).kind));
  expect([...kinds('request/')].sort()).toEqual([
    'Acknowledge',
    'Checkpoints',
    'Commit',
    'Continue',
    'Health',
    'KeepCheckpoint',
    'KeyState',
    'Marks',
    'Open',
    'OpenApproved',
    'OpenEnrolment',
    'Settle',
    'Start',
  ]);
  expect([...kinds('response/')].sort()).toEqual([
    'Acknowledged',
    'CheckpointKept',
    'Checkpoints',
    'Committed',
    'Finished',
    'Health',
    'InProgress',
    'KeyState',
    'MarksTaken',
    'Opened',
    'Refused',
    'Round',
    'Settled',
  ]);
  expect(named('response/refused_')).toHaveLength(refusalCodes.length);
  const tried = [
    'request/',
    'response/',
    'command/',
    'enrolment/',
    'checkpoint_command',
    'key_statement/',
    'confirmation_signing_bytes/',
    'mark_signing_bytes',
    'roster',
  ];
  expect(vectors.filter(({ name }) => !tried.some((prefix) => name.startsWith(prefix)))).toEqual([]);
});

describe.each(named('request/'))('$name', ({ hex, fields }) => {
  it('is read and written', () => expect(spelled(expectExact(request, hex))).toEqual(fields));
});

describe.each(named('response/'))('$name', ({ hex, fields }) => {
  it('is read and written', () => expect(spelled(expectExact(response, hex))).toEqual(fields));
});

describe.each(named('key_statement/'))('$name', ({ hex, fields }) => {
  it('is read and written', () => expect(spelled(expectExact(keyStatement, hex))).toEqual(fields));
});

describe.each(named('confirmation_signing_bytes/'))('$name', ({ hex, fields }) => {
  it('is what the node has signed', () => {
    const statement = decode(keyStatement, unhex(hex).subarray('countersign/v1/key'.length + 1));
    const message = confirmationMessage({ node: Number(fields['node']), statement });
    expect(Buffer.from(message).toString('hex')).toBe(hex);
    const identity = ed25519PublicKey(unhex(fields['identity_public_key']));
    expect(verify(null, message, identity, unhex(fields['signature']))).toBe(true);
  });
});

describe.each(named('mark_signing_bytes'))('$name', ({ hex, fields }) => {
  it('is what the node has signed', () => {
    const statement = decode(markStatement, unhex(hex).subarray('countersign/v1/mark'.length));
    expect(spelled(statement)).toEqual({ identity: fields['identity'], progress: fields['progress'] });
    const message = markMessage(statement);
    expect(message.toString('hex')).toBe(hex);
    expect(verify(null, message, ed25519PublicKey(statement.identity), unhex(fields['signature']))).toBe(true);
  });
});

it('computes the roster', () => {
  const [vector] = named('roster');
  const keys = vector?.fields['identity_public_keys'] as string[];
  const nodes = keys.map((key, position) => ({ index: position + 1, identity: unhex(key) }));
  const roster = rosterOf(Number(vector?.fields['threshold']), nodes);
  expect(Buffer.from(roster).toString('hex')).toBe(vector?.hex);
});

describe.each(named('command/'))('$name', ({ hex, fields }) => {
  const decoded = () => expectExact(command, hex);

  it('is read and written', () => {
    const {
      digest,
      document: _sent,
      ...stated
    } = Object.fromEntries(
      Object.entries(fields).filter(([name]) => !/^(command_public_key|signature_by|signing_bytes)/.test(name)),
    );
    expect(spelled(flat(decoded()))).toEqual(stated);
    expect(digest === undefined).toBe(
      ['GenerateKey', 'GenerateWorkspaceKey', 'Refresh', 'SolanaTransaction'].includes(fields['kind'] as string),
    );
  });

  it('is signed over the same bytes', () => {
    const signature = signatureOf(encode(command, decoded()), privateKeyOfSeed(Buffer.alloc(32, 9)));
    expect(Buffer.from(signature).toString('hex')).toBe(fields['signature_by_seed_of_32_times_09']);
    const publicKey = ed25519PublicKey(unhex(fields['command_public_key']));
    expect(verify(null, unhex(fields['signing_bytes']), publicKey, signature)).toBe(true);
  });
});

describe.each(named('enrolment/'))('$name', ({ hex, fields }) => {
  it('is read and written', () => {
    const decoded = flat(expectExact(command, hex));
    const stated = Object.entries(fields).filter(
      ([name]) => !/^(enrolment_public_key|signature_by|signing_bytes)/.test(name),
    );
    expect(spelled(decoded)).toEqual(Object.fromEntries(stated));
  });
});

describe.each(named('checkpoint_command'))('$name', ({ hex, fields }) => {
  it('is read, written, and signed over the same bytes', () => {
    const decoded = expectExact(checkpointCommand, hex);
    const { signing_bytes, command_public_key, signature_by_seed_of_32_times_09, ...stated } = fields;
    expect(spelled(decoded)).toEqual(stated);
    const signature = signatureOf(
      encode(checkpointCommand, decoded),
      privateKeyOfSeed(Buffer.alloc(32, 9)),
      'checkpoint',
    );
    expect(Buffer.from(signature).toString('hex')).toBe(signature_by_seed_of_32_times_09);
    expect(verify(null, unhex(signing_bytes), ed25519PublicKey(unhex(command_public_key)), signature)).toBe(true);
  });
});

describe.each(named('command/sign_'))('$name', ({ hex, fields }) => {
  const { operation } = decode(command, unhex(hex));
  if (operation.kind !== 'Sign') throw new Error('not a signing');
  const { payload, walletId, curve, operationId } = operation;
  const asked = portPayload(payload, fields);

  it('stands for the same digest', () => {
    const digest = fields['digest'] ?? fields['bytes'];
    const signed = asked === undefined ? keyTestDigest(walletId, curve, operationId) : signedBytesOf(asked);
    expect(Buffer.from(signed).toString('hex')).toBe(digest);
    if (asked !== undefined && !isSolana(asked)) expect(digestOf(asked)).toHaveLength(32);
  });

  it.skipIf(asked === undefined)('is what this client makes of what was asked', () => {
    if (asked !== undefined) expect(spelled(wirePayload(asked, curve))).toEqual(spelled(payload));
  });
});

it('covers every kind of payload', () => {
  const kinds = new Set(named('command/sign_').map(({ fields }) => fields['kind']));
  const evm = ['EvmTransaction', 'EvmMessage', 'EvmTypedData'];
  expect(kinds).toEqual(
    new Set([...evm, 'RawDigest', 'KeyTest', 'SolanaTransaction', 'BitcoinInput', 'SolanaMessage']),
  );
});

/** The vectors write operation and payload into one level, and every kind of bytes as `bytes`. */
function flat({ operation, ...rest }: Command): object {
  if (operation.kind !== 'Sign') return { ...rest, ...operation };
  const { payload, ...signing } = operation;
  if (payload.kind === 'EvmTypedData') return { ...rest, ...signing, kind: payload.kind, ...payload.typedData };
  if (payload.kind === 'BitcoinInput') return { ...rest, ...signing, kind: payload.kind, ...payload.input };
  const [content] = Object.values(payload).filter((value) => value instanceof Uint8Array);
  return { ...rest, ...signing, kind: payload.kind, ...(content === undefined ? {} : { bytes: content }) };
}

/** What the port was asked for. `undefined` for a key test: only the cluster's own code asks for that. */
function portPayload(
  payload: Extract<Operation, { kind: 'Sign' }>['payload'],
  fields: Vector['fields'],
): Payload | undefined {
  switch (payload.kind) {
    case 'RawDigest':
      return { kind: 'raw_digest', digest: payload.digest };
    case 'EvmTransaction':
      return { kind: 'evm_transaction', unsigned: payload.unsigned };
    case 'EvmMessage':
      return { kind: 'evm_message', text: payload.text };
    case 'EvmTypedData':
      return { kind: 'evm_typed_data', typedData: fields['document'] as unknown as TypedData };
    case 'SolanaTransaction':
      return { kind: 'solana_transaction', message: payload.message };
    case 'BitcoinInput':
      return { kind: 'bitcoin_input', ...payload.input };
    case 'SolanaMessage':
      return { kind: 'solana_message', text: payload.text };
    case 'KeyTest':
      return undefined;
  }
}

function privateKeyOfSeed(seed: Uint8Array): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
}
