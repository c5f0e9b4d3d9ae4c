// Goal: a Solana transaction that a caller wrote is the withdrawal of the one asset that it moves, judged by all that
// it does, and nothing is taken that could be booked in part or not be sent. Method: real database, Temporal away;
// messages byte by byte; the stored row, and every refusal with that it left nothing.
import { base58 } from '@scure/base';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type SignCall, signCall } from '../../support/api/sign.ts';
import { activatePolicy, connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TO = base58.encode(Buffer.alloc(32, 5));
const TO_2 = base58.encode(Buffer.alloc(32, 6));
const SOL = 10n ** 9n;

let api: TestApi;
let walletId: string;
let own: string;
let signRaw: SignCall;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.SOL.networkId);
  walletId = await api.makeActiveWallet();
  own = (await findWalletAddress(api.db, walletId, 'sol'))?.address ?? '';
  await credit(api.db, walletId, sandbox.SOL, 10n * SOL);
  signRaw = signCall(api, 'signRaw', walletId);
});
afterAll(() => api.stop());

interface Instruction {
  program: string;
  accounts: string[];
  data: Uint8Array;
}
const uint64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const pay = (amount: bigint, to = TO, from = own): Instruction => ({
  program: SYSTEM,
  accounts: [from, to],
  data: Buffer.concat([Buffer.of(2, 0, 0, 0), uint64(amount)]),
});
const payToken = (amount: bigint): Instruction => ({
  program: TOKEN,
  accounts: [TO_2, dollars.SOL_SANDBOX, TO, own],
  data: Buffer.concat([Buffer.of(12), uint64(amount), Buffer.of(6)]),
});
const memo = (text: string): Instruction => ({ program: MEMO, accounts: [], data: Buffer.from(text) });

/** A legacy message with `signers` first, in base64 behind the places of their signatures. */
function wire(instructions: Instruction[], signers = [own]): string {
  const others = instructions.flatMap(({ program, accounts }) => [...accounts, program]);
  const keys = [...new Set([...signers, ...others])];
  const index = (key: string) => keys.indexOf(key);
  const compiled = instructions.map(({ program, accounts, data }) =>
    Buffer.concat([Buffer.of(index(program), accounts.length, ...accounts.map(index), data.length), data]),
  );
  const message = Buffer.concat([
    Buffer.of(signers.length, 0, 0, keys.length),
    ...keys.map((key) => base58.decode(key)),
    Buffer.alloc(32, 9),
    Buffer.of(compiled.length),
    ...compiled,
  ]);
  return Buffer.concat([Buffer.of(signers.length), Buffer.alloc(64 * signers.length), message]).toString('base64');
}

const method = 'solana_signAndSendTransaction';
const send = (instructions: Instruction[], more: object = {}) =>
  signRaw({ transaction: wire(instructions), from: own, method, ...more });

async function refusedWith(asking: () => ReturnType<SignCall>, code: string, words: RegExp): Promise<void> {
  const before = await api.db.select().from(withdrawals);
  const answer = await asking();
  expect(answer).toMatchObject({ status: 400, body: { code, data: null } });
  expect(answer.body.message).toMatch(words);
  expect(await api.db.select().from(withdrawals)).toEqual(before);
}

test('202: held, with the message in the row; the network is the only one with a node', async () => {
  const transaction = wire([pay(SOL / 4n), memo('rent')]);
  const { status, body } = await signRaw({ transaction, from: own, method });
  expect(status).toBe(202);
  expect(body.data.withdrawal).toMatchObject({
    method: 'contract_call',
    network_internal_code: 'SOL_SANDBOX',
    amount: '0.25',
    asset_id: sandbox.SOL.assetId,
    recipient_address: TO,
    from_address: own,
  });
  const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, body.data.transaction_id));
  const message = Buffer.from(transaction, 'base64').subarray(65).toString('hex');
  expect(row).toMatchObject({ call: { data: `0x${message}` }, feeBoundBaseUnits: 5_000n, amountBaseUnits: SOL / 4n });
  const alias = await api.call('GET', `/api/v1/web3/transaction/${walletId}/${body.data.transaction_id}`);
  expect(alias.body.data).toMatchObject({ status: 'pending', method: 'contract_call' });
});

test('202: several payments of one asset are one sum; nothing at all is nothing', async () => {
  const { body } = await send([pay(SOL), pay(2n * SOL, TO_2)]);
  expect(body.data.withdrawal).toMatchObject({ amount: '3', recipient_address: SYSTEM });
  expect((await send([memo('hello')])).body.data.withdrawal).toMatchObject({ amount: '0', recipient_address: MEMO });
});

test('200: a repeat of the idempotency key', async () => {
  const body = { transaction: wire([pay(7n)]), from: own, method };
  const headers = { 'x-idempotency-key': 'solana-send' };
  const [first, again] = [await signRaw(body, headers), await signRaw(body, headers)];
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
});

test('400: what cannot be sent, or could be booked in part', async () => {
  await refusedWith(
    () => signRaw({ transaction: wire([pay(1n)], [own, TO_2]), method }),
    'invalid_request',
    /needs other signatures than the wallet’s/,
  );
  await refusedWith(
    () => signRaw({ transaction: wire([pay(1n, TO, TO_2)], [TO_2]), method }),
    'invalid_address',
    /\(from\) is not the address of this wallet/,
  );
  await refusedWith(() => send([pay(1n)], { from: TO }), 'invalid_address', /from is not who pays and signs/);
  await refusedWith(() => send([pay(1n), payToken(1n)]), 'invalid_request', /moves several assets/);
  await refusedWith(() => send([pay(1n, own)]), 'invalid_address', /own address/);
  await refusedWith(
    () => send([pay(1n)], { transaction: 'AAAA' }),
    'invalid_request',
    /no serialized Solana transaction/,
  );
  await refusedWith(() => send([pay(1n)], { transaction: 'no base64' }), 'invalid_request', /in base64/);
  await refusedWith(
    () => send([pay(1n)], { chainId: 1 }),
    'invalid_request',
    /It was read as a Solana transaction to send/,
  );
  await refusedWith(() => send([pay(1n)], { network_internal_code: 'ETHEREUM_SANDBOX' }), 'invalid_request', /is none/);
});

test('400: two networks with nodes are named as choices; one of them can be chosen', async () => {
  const [devnet] = await api.db.select().from(networks).where(eq(networks.internalCode, 'SOL_DEVNET'));
  await connectNetwork(api.db, devnet?.id ?? '');
  await refusedWith(() => send([pay(1n)]), 'invalid_request', /send network_internal_code, one of .*SOL_SANDBOX/);
  expect(await send([pay(1n)], { network_internal_code: 'SOL_SANDBOX' })).toMatchObject({ status: 202 });
  const one = await api.startAnother({ networkSwitches: { enabled: [], disabled: ['SOL_DEVNET', 'SOL_MAINNET'] } });
  const body = { transaction: wire([pay(2n)]), method };
  expect(await signRaw(body, {}, { at: one.app })).toMatchObject({ status: 202 });
  await one.stop();
});

test('409 beyond the balance; a token is held as such; 403 and approvals by what it does; 423 frozen', async () => {
  const network_internal_code = 'SOL_SANDBOX';
  expect(await send([pay(100n * SOL)], { network_internal_code })).toMatchObject({
    status: 409,
    body: { code: 'insufficient_funds' },
  });
  expect(await send([payToken(5n)], { network_internal_code })).toMatchObject({ status: 409 });
  await activatePolicy(api.db, api.workspaceId, {
    rules: [
      { name: 'known', when: { methods: ['contract_call'], calls: ['transfer'] }, then: { action: 'allow' } },
      {
        name: 'rest',
        when: { methods: ['contract_call'], calls: ['unknown'] },
        then: { action: 'require_approvals', approvals: 1 },
      },
    ],
    default: { action: 'deny' },
  });
  expect((await send([pay(3n)], { network_internal_code })).body.data.auto_approved).toBe(true);
  const strange = { program: TO_2, accounts: [own], data: Buffer.of(1) };
  const { status, body } = await send([pay(3n), strange], { network_internal_code });
  expect([status, body.data?.auto_approved, body.code]).toEqual([202, false, 0]);
  await api.call('POST', `/api/v1/wallets/${walletId}/freeze`);
  expect(await send([pay(4n)], { network_internal_code })).toMatchObject({
    status: 423,
    body: { code: 'wallet_frozen' },
  });
});
