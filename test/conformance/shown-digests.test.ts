// Goal: nobody approves blind. Method: a key that can approve and nothing else reads what waits for it, over HTTP, and
// computes every digest anew from what it is shown, by viem and noble alone; no code of ours is used but that of the
// API under test.
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { eq } from 'drizzle-orm';
import { encodeFunctionData, hashTypedData, keccak256, parseAbi, parseTransaction, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventOutbox } from '../../drizzle/events/events.ts';
import { toEventData } from '../../src/events/event-data.ts';
import { startApi, type TestApi } from '../support/api/api.ts';
import { MAIL_DIGEST, mail, signPath } from '../support/api/sign.ts';
import { lamportsTo, SOMEBODY, solanaMessage } from '../support/chains/solana-messages.ts';
import { ApprovalStage, type KnownKey } from '../support/rows/approvals.ts';

const NETWORK = { network_internal_code: 'ETHEREUM_SANDBOX' };
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approver: KnownKey;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await stage.makeFundedWallet();
  approver = await stage.makeApprover({ scopes: ['signing:approve'] });
  const approvals = { action: 'require_approvals', approvals: 1 } as const;
  const rule = { name: 'power is given by two', when: { calls: ['dangerous' as const, 'unknown' as const] } };
  await stage.setPolicy({ rules: [{ ...rule, then: approvals }], default: approvals });
});
afterAll(() => api.stop());

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any;

const bytes = (hex: string) => hexToBytes(hex.slice(2));
const hex = (content: Uint8Array) => `0x${bytesToHex(content)}`;

/** What the approver reads of the operation, and what the event said of it. */
async function shownTo(key: KnownKey, id: string): Promise<{ record: Shown; event: Shown }> {
  const { status, body } = await stage.call('GET', `/api/v1/signing-requests/${id}`, undefined, { key });
  expect(status).toBe(200);
  const recorded = await api.db.select().from(eventOutbox).where(eq(eventOutbox.type, 'signing.pending_approval'));
  const entry = recorded.find(({ resource }) => resource?.['id'] === id);
  const event = entry && (toEventData('signing.pending_approval', entry.resource ?? {}) as Shown);
  return { record: body.data, event };
}

async function ask(route: Parameters<typeof signPath>[0], body: object): Promise<string> {
  const answer = await stage.call('POST', signPath(route, walletId), body);
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data.transaction_id;
}

/** From the content that is shown, and from nothing else of the record. */
function digestOf(payload: Shown): string {
  switch (payload.kind) {
    case 'evm_message': {
      const message = bytes(payload.message);
      const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
      return hex(keccak_256(concatBytes(prefix, message)));
    }
    case 'evm_typed_data':
      return hashTypedData(payload.typed_data);
    case 'evm_transaction':
      return hex(keccak_256(bytes(payload.transaction)));
    case 'solana_transaction':
      return hex(sha256(bytes(payload.transaction)));
    case 'solana_message':
      return hex(sha256(bytes(payload.message)));
    default:
      throw new Error(`what is a ${payload.kind}?`);
  }
}

const transaction = {
  chainId: 31337,
  type: 'eip1559',
  nonce: 7,
  gas: 60_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const;
const erc20 = parseAbi(['function approve(address,uint256)', 'function transfer(address,uint256)']);

describe('a digest is computed anew from what the approver is shown', () => {
  test('of a text message (EIP-191)', async () => {
    const id = await ask('signMessage', { ...NETWORK, message: 'Grüße, Bob' });
    const { record, event } = await shownTo(approver, id);
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    expect(record.payload).toMatchObject({ kind: 'evm_message', text: 'Grüße, Bob', decoded: { unknown: [] } });
    expect(record.payload.decoded.networks[0]).toBe('ETHEREUM_SANDBOX');
    expect(record.payload.decoded.networks).toContain('ETHEREUM_MAINNET');
    expect(event.payload).toEqual(record.payload);
  });

  test('of typed data (EIP-712), and of a permit that says whom it lets spend', async () => {
    const id = await ask('signTyped', { network_internal_code: 'ETHEREUM_MAINNET', typed_data: mail });
    const { record, event } = await shownTo(approver, id);
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    expect(record.signing_hash).toBe(MAIL_DIGEST);
    expect(record.payload.decoded).toMatchObject({ kind: 'unknown', networks: ['ETHEREUM_MAINNET'] });
    expect(event.payload).toEqual(record.payload);
  });

  test('of a transaction: to, value, method, arguments, movements, fee, and what is unknown in it', async () => {
    const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args: [TO, 5n] });
    const unsigned_tx = serializeTransaction({ ...transaction, to: TO, value: 10n ** 17n, data });
    const id = await ask('signTransaction', { ...NETWORK, unsigned_tx });
    const { record, event } = await shownTo(approver, id);
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    expect(parseTransaction(record.payload.transaction)).toMatchObject({ to: TO.toLowerCase(), value: 10n ** 17n });
    expect(record.payload).toMatchObject({
      kind: 'evm_transaction',
      matches_digest: true,
      decoded: {
        kind: 'dangerous',
        to: TO,
        value: '0.1',
        method: 'approve(address,uint256)',
        arguments: [TO, '5'],
        max_fee: '0.00012',
        unknown: ['it calls approve(address,uint256)'],
        networks: ['ETHEREUM_SANDBOX'],
      },
    });
    expect(record.payload.decoded.movements[0]).toMatchObject({ symbol: 'ETH', amount: '0.1', destination: TO });
    expect(event.payload).toEqual(record.payload);
  });

  test('of a transfer of a token of the catalogue: its symbol and its amount', async () => {
    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
    const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [TO, 1_500_000n] });
    const unsigned_tx = serializeTransaction({ ...transaction, chainId: 1, to: usdc, data });
    const { record } = await shownTo(approver, await ask('signTransaction', { chain_id: 1, unsigned_tx }));
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    const { movements, unknown, kind } = record.payload.decoded;
    expect({ kind, unknown, movements }).toMatchObject({
      kind: 'transfer',
      unknown: [],
      movements: [{ symbol: 'USDC', contract: usdc, amount: '1.5', destination: TO }],
    });
  });

  test('of a Solana transaction, whose signature is of what is shown', async () => {
    const message = solanaMessage([lamportsTo(5n)]);
    const body = { network_internal_code: 'SOL_SANDBOX', unsigned_tx: message, derivation_path: 'm/1' };
    const id = await ask('signTransaction', body);
    const { record, event } = await shownTo(approver, id);
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    expect(record.payload.transaction).toBe(message);
    expect(record.payload.decoded).toMatchObject({
      kind: 'transfer',
      instructions: ['11111111111111111111111111111111: it moves SOL'],
      movements: [{ amount_base_units: '5', destination: base58.encode(SOMEBODY) }],
    });
    expect(event.payload).toEqual(record.payload);
  });

  test('of a Solana message', async () => {
    const body = { method: 'solana_signMessage', message: 'Sign in, Bob', network_internal_code: 'SOL_SANDBOX' };
    const { record } = await shownTo(approver, await ask('sign', body));
    expect(digestOf(record.payload)).toBe(record.signing_hash);
    expect(record.payload.text).toBe('Sign in, Bob');
  });

  test('of each item of a batch', async () => {
    const items = [
      { type: 'message', ...NETWORK, message: 'one' },
      { type: 'typed', network_internal_code: 'ETHEREUM_MAINNET', typed_data: mail },
      { type: 'transaction', ...NETWORK, unsigned_tx: serializeTransaction({ ...transaction, to: TO, value: 1n }) },
    ];
    const answer = await stage.call('POST', signPath('signBatch', walletId), { items });
    expect(answer.status).toBe(202);
    for (const { transaction_id, signing_request } of answer.body.data.results) {
      const { record, event } = await shownTo(approver, transaction_id);
      expect(digestOf(record.payload)).toBe(record.signing_hash);
      expect(signing_request.payload).toEqual(record.payload);
      expect(event.payload).toEqual(record.payload);
    }
  });
});

describe('a raw digest', () => {
  const unsigned_tx = serializeTransaction({ ...transaction, to: TO, value: 1n });
  const raw = (fields: object) => ask('signRaw', { ...NETWORK, ...fields });

  test('of a transaction that hashes to it is shown as that transaction', async () => {
    const { record } = await shownTo(approver, await raw({ signing_hash: keccak256(unsigned_tx), unsigned_tx }));
    expect(record.payload).toMatchObject({ kind: 'evm_transaction', matches_digest: true });
    expect(digestOf(record.payload)).toBe(record.signing_hash);
  });

  test('with a transaction of something else is taken, shown as such, and judged as a raw digest', async () => {
    const body = { ...NETWORK, signing_hash: `0x${'77'.repeat(32)}`, unsigned_tx };
    const answer = await stage.call('POST', signPath('signRaw', walletId), body);
    expect(answer.status).toBe(202);
    const asked = answer.body.data.signing_request;
    expect(asked).toMatchObject({ payload_kind: 'raw_digest', payload: { matches_digest: false, unsigned_tx } });
    const { record } = await shownTo(approver, asked.id);
    expect(record.payload).toEqual(asked.payload);
    expect(hex(keccak_256(bytes(record.payload.unsigned_tx)))).not.toBe(record.signing_hash);
    const { kind, unknown, to, method } = record.payload.decoded;
    expect({ kind, unknown, to, method }).toEqual({
      kind: 'unknown',
      unknown: ['a raw digest does not show what it is of'],
      to: undefined,
      method: undefined,
    });
  });

  test('of bytes that are no transaction says that they hash to it', async () => {
    const preimage = `0x19${'45'.repeat(40)}`;
    const digest = hex(keccak_256(bytes(preimage)));
    const { record } = await shownTo(approver, await raw({ signing_hash: digest, unsigned_tx: preimage }));
    expect(record.payload).toMatchObject({ kind: 'raw_digest', unsigned_tx: preimage, matches_digest: true });
  });

  test('of a Bitcoin network: twice SHA-256', async () => {
    const preimage = `0x${'02'.repeat(90)}`;
    const digest = hex(sha256(sha256(bytes(preimage))));
    const body = { network_internal_code: 'BTC_SANDBOX', signing_hash: digest, unsigned_tx: preimage };
    expect((await shownTo(approver, await ask('signRaw', body))).record.payload.matches_digest).toBe(true);
  });

  test('that comes alone says nothing of a match', async () => {
    const { record } = await shownTo(approver, await raw({ signing_hash: `0x${'78'.repeat(32)}` }));
    expect(record.payload).not.toHaveProperty('matches_digest');
    expect(record.payload).not.toHaveProperty('unsigned_tx');
  });
});
