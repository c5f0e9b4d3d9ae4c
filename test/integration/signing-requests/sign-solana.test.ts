// Goal: on Solana a message is signed in the envelope of off-chain messages, for the wallet's own address or as it
// comes, and a transaction whole or as its message; nothing is signed that asks for another key. Method: the API on a
// real database, case by status code; envelopes and transactions are read and written by Solana's own library.
import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import {
  type Address,
  offchainMessageContentRestrictedAsciiOf1232BytesMax as ascii,
  getOffchainMessageV0Decoder,
  getOffchainMessageV0Encoder,
  offchainMessageApplicationDomain,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, type SignCall, signCall, storedBy } from '../../support/api/sign.ts';

const network_internal_code = 'SOL_SANDBOX';
const OTHER = base58.encode(new Uint8Array(32).fill(9)) as Address;
const APPLICATION = base58.encode(new Uint8Array(32).fill(7));

let api: TestApi;
let walletId: string;
let own: Address;
let calls: Record<'signMessage' | 'signTransaction' | 'sign' | 'signBatch', SignCall>;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', signRawEnabled: false });
  walletId = await api.makeActiveWallet();
  own = (await findWalletAddress(api.db, walletId, 'sol'))?.address as Address;
  const of = (route: Parameters<typeof signCall>[1]) => signCall(api, route, walletId);
  calls = {
    signMessage: of('signMessage'),
    signTransaction: of('signTransaction'),
    sign: of('sign'),
    signBatch: of('signBatch'),
  };
});
afterAll(() => api.stop());

async function refused(call: ReturnType<SignCall>, words: RegExp, status = 400) {
  const before = await countSigningRequests(api);
  const answer = await call;
  expect(answer).toMatchObject({ status, body: { data: null } });
  expect(answer.body.message).toMatch(words);
  expect(await countSigningRequests(api)).toBe(before);
}

function envelopeOf(...signers: Address[]): Buffer {
  const message = {
    version: 0,
    applicationDomain: offchainMessageApplicationDomain(APPLICATION),
    content: ascii('Sign in, Bob'),
    requiredSignatories: signers.map((address) => ({ address })),
  };
  return Buffer.from(getOffchainMessageV0Encoder().encode(message as never));
}
const decode = (hex: string) => getOffchainMessageV0Decoder().decode(Buffer.from(hex.slice(2), 'hex'));
const sha256 = (bytes: Uint8Array) => `0x${createHash('sha256').update(bytes).digest('hex')}`;

describe('an off-chain message', () => {
  test.each([
    ['Sign in, Bob', {}, base58.encode(new Uint8Array(32)), 0],
    ['Grüße,\nBob', { application_domain: APPLICATION }, APPLICATION, 1],
    ['ü'.repeat(2_000), { encoding: 'utf8' }, base58.encode(new Uint8Array(32)), 2],
  ])(
    '202: text is put into the envelope for the address of the wallet: %s',
    async (message, fields, domain, format) => {
      const answer = await calls.signMessage({ network_internal_code, message, ...fields });
      expect(answer.status).toBe(202);
      const { row, payload } = await storedBy(api, answer);
      if (!('hex' in payload)) throw new Error('it is no message');
      expect(payload.kind).toBe('solana_message');
      expect(decode(payload.hex)).toMatchObject({
        version: 0,
        applicationDomain: domain,
        content: { format, text: message },
        requiredSignatories: [{ address: own }],
      });
      expect(row).toMatchObject({
        keyType: 'ed25519',
        signingHash: sha256(Buffer.from(payload.hex.slice(2), 'hex')),
        derivationPath: 'm/44/501/0/0/0',
      });
      const { payload: shown } = answer.body.data.signing_request;
      expect(shown).toMatchObject({ application_domain: domain, signers: [own] });
    },
  );

  test('202: a whole envelope, in hex, in base64 as SDK callers send bytes, and as an item of a batch', async () => {
    const envelope = envelopeOf(OTHER, own);
    const hex = envelope.toString('hex');
    const answers = [
      await calls.signMessage({ network_internal_code, message: hex, encoding: 'hex' }),
      await calls.sign({ method: 'solana_signMessage', message: envelope.toString('base64'), network_internal_code }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.body.data.signing_request).toMatchObject({
        signing_hash: sha256(envelope),
        payload: { message: `0x${hex}`, text: 'Sign in, Bob', signers: [OTHER, own] },
      });
    }
    const item = { type: 'message', network_internal_code, message: 'One of many' };
    const batch = await calls.signBatch({ items: [item] });
    const [{ signing_request }] = batch.body.data.results;
    expect(signing_request.payload).toMatchObject({ text: 'One of many', signers: [own] });
  });

  test('400: what no key here is asked to sign, or is no whole envelope', async () => {
    const hex = (bytes: Buffer) => ({ network_internal_code, message: bytes.toString('hex'), encoding: 'hex' });
    await refused(calls.signMessage(hex(envelopeOf(OTHER))), /message does not ask for the signature of/);
    await refused(calls.signMessage(hex(Buffer.from('hello'))), /must be a whole off-chain envelope/);
    await refused(calls.signMessage(hex(envelopeOf(own).subarray(0, 90))), /says another length/);
    const text = { network_internal_code, message: 'Hello' };
    await refused(calls.signMessage({ ...text, message: 'a\u001b' }), /not text of its format/);
    await refused(calls.signMessage({ ...text, derivation_path: 'm/1' }), /leave derivation_path out/);
    await refused(calls.signMessage({ ...text, application_domain: '1'.repeat(40) }), /32 bytes in base58/);
    const evm = { network_internal_code: 'ETHEREUM_SANDBOX', message: 'Hello', application_domain: APPLICATION };
    await refused(calls.signMessage(evm), /for messages on Solana/);
    await refused(calls.signMessage({ ...text, network_internal_code: 'BTC_SANDBOX' }), /EVM and Solana networks/);
  });

  test('503: a digest in an envelope, where raw digests are switched off', () =>
    refused(calls.signMessage({ network_internal_code, message: 'ab'.repeat(32) }), /switched off/, 503));
});

describe('a transaction', () => {
  const key = (fill: number) => Buffer.alloc(32, fill);
  const messageOf = (signer: Uint8Array) =>
    Buffer.concat([Buffer.of(1, 0, 1, 3), signer, key(2), key(3), key(9), Buffer.of(1, 2, 2, 0, 1, 4, 2, 0, 0, 0)]);
  const whole = (message: Buffer, signature = Buffer.alloc(64)) => Buffer.concat([Buffer.of(1), signature, message]);
  const sign = (bytes: Buffer) => calls.signTransaction({ network_internal_code, unsigned_tx: bytes.toString('hex') });

  test('202: whole, with an empty place for the signature or another signature in it, is its message', async () => {
    const message = messageOf(base58.decode(own));
    for (const bytes of [message, whole(message), whole(message, Buffer.alloc(64, 5))]) {
      const answer = await sign(bytes);
      expect(answer.status).toBe(202);
      expect(answer.body.data.signing_request.signing_hash).toBe(sha256(message));
      const hex = `0x${message.toString('hex')}`;
      expect((await storedBy(api, answer)).payload).toEqual({ kind: 'solana_transaction', hex });
    }
  });

  test('400: with another number of places, with bytes behind it, of another signer', async () => {
    const message = messageOf(base58.decode(own));
    await refused(sign(Buffer.concat([Buffer.of(2), Buffer.alloc(128), message])), /no Solana message/);
    await refused(sign(Buffer.concat([whole(message), Buffer.of(0)])), /no Solana message/);
    await refused(sign(whole(messageOf(key(8)))), /does not ask for the signature/);
  });
});
