// Goal: every kind of payload is signed on its own curve only, over the bytes that it stands for. Method: each kind on
// each curve; then signatures of OpenSSL and of the software signer, verified as the worker verifies them, with other
// bytes as counterexample.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { v4 } from 'uuid';
import { hashTypedData, recoverTypedDataAddress, toHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ClusterError, type Payload } from '../../../activities/mpc/port.ts';
import { SoftwareKeys } from '../../../activities/mpc/software/software-keys.ts';
import { SoftwareSigner } from '../../../activities/mpc/software/software-signer.ts';
import { bitcoinInputBytes, readBitcoinInput } from '../../../activities/mpc/verify/bitcoin-input.ts';
import { signedBytesOf } from '../../../activities/mpc/verify/digest.ts';
import { wirePayload } from '../../../activities/mpc/verify/payload.ts';
import { encodeSignature, verifySignature } from '../../../activities/mpc/verify/verify-signature.ts';
import type { TypedData } from '../../../domain/payloads/typed-data.ts';
import { curves, payloadKinds } from '../../../domain/statuses.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../../mpc/vectors/wire.json', import.meta.url), 'utf8'),
) as readonly { name: string; fields: Fields }[];
interface Fields {
  bytes?: string;
  document?: TypedData;
  transaction?: string;
  index?: number;
  coins?: { amount: number; script: string }[];
}

const fieldsOf = (name: string) => vectors.find((vector) => vector.name === `command/${name}`)?.fields ?? {};

const typedData = fieldsOf('sign_evm_typed_data').document as TypedData;
/** The golden message, with the payer's key replaced. */
function solanaMessage(payer: Uint8Array): Buffer {
  const message = Buffer.from(fieldsOf('sign_solana_transaction').bytes ?? '', 'hex');
  message.set(payer, 4);
  return message;
}

/** The golden one, as it lies in rows and histories. */
function bitcoinInput(): Payload {
  const { transaction, index, coins } = fieldsOf('sign_bitcoin_input');
  const bytes = (hex: unknown) => Buffer.from(String(hex), 'hex');
  const spent = (coins ?? []).map(({ amount, script }) => ({ amount: BigInt(amount), script: bytes(script) }));
  const stored = bitcoinInputBytes({ transaction: bytes(transaction), index: index ?? 0, coins: spent });
  return { kind: 'bitcoin_input', ...readBitcoinInput(stored) };
}

const payloads: Record<Payload['kind'], Payload> = {
  raw_digest: { kind: 'raw_digest', digest: Buffer.alloc(32, 1) },
  evm_transaction: { kind: 'evm_transaction', unsigned: Buffer.of(2, 0xc0) },
  evm_message: { kind: 'evm_message', text: Buffer.from('hello') },
  evm_typed_data: { kind: 'evm_typed_data', typedData },
  solana_transaction: { kind: 'solana_transaction', message: solanaMessage(Buffer.alloc(32, 5)) },
  bitcoin_input: bitcoinInput(),
  solana_message: { kind: 'solana_message', text: Buffer.from('hello') },
};

it('knows every kind', () => expect(Object.keys(payloads)).toEqual([...payloadKinds]));

describe.each(Object.values(payloads))('$kind', (payload) => {
  it('is signed on its own curve only', () => {
    const accepted = curves.filter((curve) => {
      try {
        return wirePayload(payload, curve) !== undefined;
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
        return false;
      }
    });
    const expected = {
      raw_digest: ['secp256k1', 'ed25519'],
      solana_transaction: ['ed25519'],
      solana_message: ['ed25519'],
    };
    expect(new Set(accepted)).toEqual(
      new Set(Object.entries(expected).find(([kind]) => kind === payload.kind)?.[1] ?? ['secp256k1']),
    );
  });
});

it.each<[string, Payload]>([
  ['a message over 64 KiB', { kind: 'evm_message', text: Buffer.alloc(65_537) }],
  ['a transaction over 64 KiB', { kind: 'evm_transaction', unsigned: Buffer.alloc(65_537) }],
  ['typed data that does not fit', { kind: 'evm_typed_data', typedData: { ...typedData, message: {} } }],
])('refuses %s', (_what, payload) => expect(() => wirePayload(payload, 'secp256k1')).toThrow(ClusterError));

it('refuses what is no Solana message', () => {
  const message = Buffer.concat([solanaMessage(Buffer.alloc(32, 5)), Buffer.of(0)]);
  for (const wrong of [message, Buffer.alloc(32), Buffer.alloc(0)]) {
    expect(() => wirePayload({ kind: 'solana_transaction', message: wrong }, 'ed25519')).toThrow(ClusterError);
  }
});

it('refuses as text on Solana what is a transaction, the beginning of one, other bytes, or too long', () => {
  const message = solanaMessage(Buffer.alloc(32, 5));
  const texts = [message, message.subarray(0, 40), Buffer.from('a\0'), Buffer.of(0xff), Buffer.alloc(0)];
  for (const text of [...texts, Buffer.alloc(65_537, 'a')])
    expect(() => wirePayload({ kind: 'solana_message', text }, 'ed25519')).toThrow(ClusterError);
  const text = Buffer.from('Grüße,\n\tBob');
  expect(wirePayload({ kind: 'solana_message', text }, 'ed25519')).toEqual({ kind: 'SolanaMessage', text });
  expect(signedBytesOf({ kind: 'solana_message', text })).toEqual(text);
});

it('stands for its digest, or for the message itself on Solana', () => {
  expect(toHex(signedBytesOf(payloads.evm_typed_data))).toBe(
    hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0]),
  );
  expect(signedBytesOf(payloads.solana_transaction)).toEqual(solanaMessage(Buffer.alloc(32, 5)));
});

it('verifies a Solana signature over the message and over nothing else', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const message = solanaMessage(raw);
  const root = { publicKey: raw, chainCode: Buffer.alloc(32) };
  const accepts = (signed: Uint8Array, payload: Payload) => {
    const signature = { bytes: sign(null, signed, privateKey), recoveryId: 0 } as const;
    return () => verifySignature({ curve: 'ed25519', root, path: [], payload, signature });
  };
  const payload: Payload = { kind: 'solana_transaction', message };
  expect(accepts(message, payload)()).toEqual(Uint8Array.from(raw));
  expect(accepts(message.subarray(1), payload)).toThrow(ClusterError);
  expect(accepts(message, { ...payload, message: solanaMessage(Buffer.alloc(32, 6)) })).toThrow(ClusterError);
});

describe('the software signer', () => {
  const cluster = new SoftwareSigner(new SoftwareKeys(randomBytes(32)));
  const walletId = '00000000-0000-4000-8000-000000000001';
  const request = () => ({ operationId: v4(), attempt: 1, walletId, path: [3] });

  it('signs typed data for the address', async () => {
    const root = await cluster.generateKey({ walletId, curve: 'secp256k1' });
    const payload = payloads.evm_typed_data;
    const signature = await cluster.sign({ ...request(), curve: 'secp256k1', payload }, anySignature);
    const child = verifySignature({ curve: 'secp256k1', root, path: [3], payload, signature });
    const recovered = await recoverTypedDataAddress({
      ...(typedData as unknown as Parameters<typeof hashTypedData>[0]),
      signature: encodeSignature('secp256k1', signature),
    });
    const uncompressed = secp256k1.Point.fromBytes(child).toBytes(false);
    expect(recovered).toBe(publicKeyToAddress(toHex(uncompressed)));
  });

  it('refuses what the nodes would refuse', async () => {
    const payload: Payload = { kind: 'evm_typed_data', typedData: { ...typedData, primaryType: 'Post' } };
    await expect(cluster.sign({ ...request(), curve: 'secp256k1', payload }, anySignature)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
