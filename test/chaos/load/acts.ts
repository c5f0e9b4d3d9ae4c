// What a caller may do: each act is one or a few calls of the client, recorded when they are accepted. None waits for
// more than the end of what it asked for, and none looks at anything but the service.
import { randomBytes, randomUUID } from 'node:crypto';
import { parseGwei, serializeTransaction } from 'viem';
import type { BatchItem } from '../../../src/client/client.ts';
import type { Chance } from '../chance.ts';
import { anyRecipient } from './recipients.ts';
import type { LoadRecord } from './record.ts';
import type { PaidAsset, Setting } from './setting.ts';

export interface Acting {
  setting: Setting;
  record: LoadRecord;
  chance: Chance;
  /** Ended when the load stops: what is waited for is let be. */
  signal: AbortSignal;
}

export interface Act {
  name: string;
  weight: number;
  act: (acting: Acting) => Promise<void>;
  /** Codes of refusals that are right, because the caller cannot know better. */
  expected: readonly string[];
}

const NETWORK = 'ETHEREUM_SANDBOX';
/** Whoever has waited so long goes on with something else, as a caller does who is told by a webhook. */
const SIGNED_WITHIN_MS = 15_000;
const WALLET_WITHIN_MS = 120_000;
const BATCH_ITEMS_MAX = 60;
const DEPOSITS_MAX = 30;
const REPEATED = 0.1;
/** In the asset's unit: little, so that the money lasts, and enough for the rent of an account of Solana. */
const amounts: Readonly<Record<string, string>> = { ETH: '0.001', USDC: '1.5', SOL: '0.01', BTC: '0.0004' };

const text = () => randomBytes(12).toString('hex');
const anyWallet = ({ setting, chance }: Acting) => chance.pick(setting.wallets);

/** Now and then the same request comes twice, as from a caller who did not hear the answer. */
async function ask<Answer>(acting: Acting, call: (key: string) => Promise<Answer>, id: (answer: Answer) => string) {
  const key = randomUUID();
  const answer = await call(key);
  if (acting.chance.draw() < REPEATED) {
    const again = await call(key);
    if (id(again) !== id(answer)) acting.record.surprises.push(`one key is ${id(answer)} and ${id(again)}`);
  }
  return answer;
}

type Signed = { signing_request: { id: string } };

async function sign(acting: Acting, call: (key: string) => Promise<Signed>): Promise<void> {
  const { signing_request } = await ask(acting, call, ({ signing_request: { id } }) => id);
  acting.record.signatures.add(signing_request.id);
  acting.record.operations += 1;
  const { signal } = acting;
  await acting.setting.client.waitForSignature(signing_request.id, { timeoutMs: SIGNED_WITHIN_MS, signal });
}

const messageOf = () => ({ network_internal_code: NETWORK, message: text() });

const typedData = () => ({
  types: { Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Chaos', version: '1', chainId: 31_337 },
  message: { contents: text() },
});

const digestOf = () => `0x${randomBytes(32).toString('hex')}`;

/** That nobody broadcasts, from a wallet that pays nobody. */
const anyTransaction = () =>
  serializeTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 0,
    to: anyRecipient(NETWORK) as `0x${string}`,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: parseGwei('20'),
    maxPriorityFeePerGas: parseGwei('1'),
  });

async function signBatch(acting: Acting): Promise<void> {
  const { setting, record, signal } = acting;
  const count = acting.chance.between(1, BATCH_ITEMS_MAX);
  const items: BatchItem[] = Array.from({ length: count }, () => ({ type: 'message', ...messageOf() }));
  const walletId = anyWallet(acting);
  const idsOf = ({ results }: { results: object[] }) =>
    results.flatMap((result) => ('signing_request' in result ? [(result as Signed).signing_request.id] : []));
  const accepted = await ask(
    acting,
    (idempotencyKey) => setting.client.signBatch(walletId, items, { idempotencyKey }),
    (answer) => idsOf(answer).join(),
  );
  const ids = idsOf(accepted);
  if (ids.length !== count) record.surprises.push(`a batch of ${count} has ${ids.length} signatures`);
  for (const id of ids) record.signatures.add(id);
  record.operations += ids.length;
  const waits = ids.map((id) => setting.client.waitForSignature(id, { timeoutMs: SIGNED_WITHIN_MS, signal }));
  for (const wait of await Promise.allSettled(waits)) if (wait.status === 'rejected') throw wait.reason;
}

async function requestFrom(acting: Acting, walletId: string, { id, symbol, networkCode }: PaidAsset) {
  const to = anyRecipient(networkCode);
  const body = { asset_id: id, amount: amounts[symbol] ?? '1', recipient_address: to };
  const { withdrawal } = await ask(
    acting,
    (idempotencyKey) => acting.setting.client.requestWithdrawal(walletId, body, { idempotencyKey }),
    (answer) => answer.withdrawal.id,
  );
  acting.record.withdrawals.set(withdrawal.id, { id: withdrawal.id, networkCode, to });
  acting.record.operations += 1;
  return withdrawal;
}

async function withdraw(acting: Acting): Promise<void> {
  const { payers, approvedPayer, withdrawn } = acting.setting;
  const walletId = acting.chance.pick(payers.filter((each) => each !== approvedPayer));
  await requestFrom(acting, walletId, acting.chance.pick(withdrawn));
}

async function withdrawWithApproval(acting: Acting): Promise<void> {
  const { setting, chance, record } = acting;
  const { id, approval } = await requestFrom(acting, setting.approvedPayer, chance.pick(setting.withdrawn));
  if (approval === null) return void record.surprises.push(`withdrawal ${id} needed no approval`);
  if (chance.draw() < 0.75) await setting.approver.approveWithdrawal(id, approval.digest);
  else await setting.approver.rejectWithdrawal(id, { reason: 'by chance' });
  record.operations += 1;
}

/** Of the newest ones: those may still be changed. */
const NEWEST = 12;
const anyNewWithdrawal = ({ record, chance }: Acting) => {
  const newest = [...record.withdrawals.values()].slice(-NEWEST);
  return newest.length === 0 ? undefined : chance.pick(newest);
};

async function change(acting: Acting): Promise<void> {
  const { setting, record, chance } = acting;
  const { client } = setting;
  const found = anyNewWithdrawal(acting);
  if (found === undefined) return;
  const kind = chance.pick(['speed up', 'drop', 'cancel'] as const);
  if (kind === 'speed up') await client.speedUpWithdrawal(found.id, { feeLevel: 'high' });
  else if (kind === 'drop') await client.dropWithdrawal(found.id);
  else await client.cancelWithdrawal(found.id);
  record.operations += 1;
}

/** Several people pay at a time, as on a day on which many do. Who is refused takes nothing from the others. */
async function deposits(acting: Acting): Promise<void> {
  const { setting, record, chance } = acting;
  const count = chance.between(1, DEPOSITS_MAX);
  const payments = Array.from({ length: count }, () => {
    const asset = chance.pick(setting.assets);
    return { wallet_id: anyWallet(acting), asset_id: asset.id, amount: amounts[asset.symbol] ?? '1' };
  });
  const pay = async (body: (typeof payments)[number]) => {
    await setting.client.post('/api/v1/sandbox/faucet', { body });
    record.operations += 1;
    record.deposits += 1;
  };
  for (const paid of await Promise.allSettled(payments.map(pay))) if (paid.status === 'rejected') throw paid.reason;
}

async function createWallet(acting: Acting): Promise<void> {
  const { setting, record, signal } = acting;
  const name = `chaos ${text()}`;
  const { wallet_id } = await ask(
    acting,
    (idempotencyKey) => setting.client.createWallet({ name }, { idempotencyKey }),
    (answer) => answer.wallet_id,
  );
  record.wallets.add(wallet_id);
  record.operations += 1;
  await setting.client.waitForWallet(wallet_id, { timeoutMs: WALLET_WITHIN_MS, signal });
  setting.wallets.push(wallet_id);
}

async function read(acting: Acting): Promise<void> {
  const { setting, record, chance } = acting;
  const { client } = setting;
  const path = { wallet_id: anyWallet(acting) };
  const withdrawal = anyNewWithdrawal(acting);
  const reads = [
    () => client.get('/api/v1/wallets/{wallet_id}', { path }),
    () => client.get('/api/v1/wallets/{wallet_id}/balances', { path }),
    () => client.get('/api/v1/wallets/{wallet_id}/address', { path, query: { address_type: 'evm' } }),
    () => client.get('/api/v1/workspaces/{workspace_id}/transactions', { query: { limit: 20 } }),
    () => client.get('/api/v1/workspaces/{workspace_id}/signing-requests', { query: { limit: 20 } }),
    () => client.get('/api/v1/workspaces/{workspace_id}/audit-logs', { query: { limit: 20 } }),
    ...(withdrawal === undefined
      ? []
      : [() => client.withdrawal(withdrawal.id), () => client.withdrawalHistory(withdrawal.id)]),
  ];
  await chance.pick<() => Promise<unknown>>(reads)();
  record.reads += 1;
}

async function exportAll(acting: Acting): Promise<void> {
  const { setting, record, signal } = acting;
  for await (const piece of setting.client.exportTransactions({ signal })) void piece;
  record.reads += 1;
}

/** What is signed is made once, before the first call. */
const signs = (name: string, weight: number, prepare: (acting: Acting) => (key: string) => Promise<Signed>): Act => ({
  name,
  weight,
  act: (acting) => sign(acting, prepare(acting)),
  expected: [],
});

const tooLate = ['invalid_state', 'insufficient_funds', 'invalid_request'];

export const acts: readonly Act[] = [
  signs('signMessage', 20, (acting) => {
    const [walletId, body] = [anyWallet(acting), messageOf()];
    return async (idempotencyKey) => acting.setting.client.signMessage(walletId, body, { idempotencyKey });
  }),
  signs('signTyped', 8, (acting) => {
    const walletId = anyWallet(acting);
    const body = { network_internal_code: NETWORK, typed_data: typedData() };
    return async (idempotencyKey) => acting.setting.client.signTyped(walletId, body, { idempotencyKey });
  }),
  signs('signRaw', 6, (acting) => {
    const walletId = anyWallet(acting);
    const body = { network_internal_code: NETWORK, signing_hash: digestOf() };
    return async (idempotencyKey) => acting.setting.client.sign(walletId, body, { idempotencyKey });
  }),
  signs('signRaw of Solana', 6, (acting) => {
    const walletId = anyWallet(acting);
    const body = { network_internal_code: 'SOL_SANDBOX', key_type: 'ed25519', signing_hash: digestOf() };
    return async (idempotencyKey) => acting.setting.client.sign(walletId, body as never, { idempotencyKey });
  }),
  signs('signTransaction', 3, ({ setting }) => {
    const body = { network_internal_code: NETWORK, unsigned_tx: anyTransaction() };
    return async (idempotencyKey) => setting.client.signTransaction(setting.signer, body, { idempotencyKey });
  }),
  { name: 'signBatch', weight: 6, act: signBatch, expected: [] },
  { name: 'withdraw', weight: 10, act: withdraw, expected: tooLate },
  { name: 'withdraw with approval', weight: 3, act: withdrawWithApproval, expected: tooLate },
  { name: 'change a withdrawal', weight: 4, act: change, expected: tooLate },
  { name: 'deposits', weight: 6, act: deposits, expected: [] },
  { name: 'create a wallet', weight: 1, act: createWallet, expected: [] },
  { name: 'read', weight: 25, act: read, expected: [] },
  { name: 'export', weight: 1, act: exportAll, expected: [] },
];
