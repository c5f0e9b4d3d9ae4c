// Callers of every kind at a steady pace, for tests in which the service changes under them: they read, sign, pay and
// make wallets, try each call once, and know afterwards what was refused and whether all that was accepted has ended.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEther } from 'viem';
import { expect } from 'vitest';
import type { CountersignClient } from '../../../src/client/client.ts';
import { type Credentials, signRequest } from '../../../src/client/sign-request.ts';
import type { Anvil } from '../chains/anvil.ts';
import { sandbox } from '../rows/funded.ts';
import { anyEvmAddress } from '../withdrawals/withdrawals.ts';
import { isValid } from './verify.ts';

const MINUTE_MS = 60_000;
/** On a busy machine keys are made last. */
const WALLET_MS = 5 * MINUTE_MS;
const BETWEEN_CALLS_MS = 500;
/** Each so many calls. */
const PAYS_EVERY = 8;
const MAKES_WALLET_EVERY = 24;
const AMOUNT = '0.01';

export interface LoadTarget {
  client: CountersignClient;
  credentials: Credentials;
  baseUrl: string;
  /** It signs and pays, and has the money for it. */
  walletId: string;
  chain: Anvil['client'];
}

interface Call {
  method: string;
  path: string;
  body: object | undefined;
}

interface Answer {
  status: number;
  text: string;
}

export interface SteadyLoad {
  accepted: { signatures: string[]; payments: { id: string; to: `0x${string}` }[]; wallets: string[] };
  calls: () => number;
  expectNoFailure: () => void;
  /** Of what was accepted so far: once and well. */
  expectAllEnded: () => Promise<void>;
  /** Resolves when so many more calls were answered, and a signature that was asked for from now on is made. */
  progress: (calls: number) => Promise<void>;
  makeNoMoreWallets: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Reads, signs, pays and makes wallets, at a steady pace, each call tried once. Mines a block now and then. */
export function startSteadyLoad(target: LoadTarget): SteadyLoad {
  const { client, walletId, chain } = target;
  const accepted: SteadyLoad['accepted'] = { signatures: [], payments: [], wallets: [] };
  const failures: Answer[] = [];
  const under = new Set<Promise<void>>();
  let count = 0;
  let isOver = false;
  let makesWallets = true;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await sendOnce(target, { method, path, body });
    if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text).data;
    failures.push(answer);
    return undefined;
  };
  // One at a time: where the machine is busy, keys are made last.
  let lastWallet: Promise<unknown> | undefined;
  const act = async (turn: number) => {
    if (makesWallets && lastWallet === undefined && turn % MAKES_WALLET_EVERY === 0) {
      const wallet = await call('POST', '/api/v1/wallets', { name: `upgraded ${turn}`, wallet_type: 'mpc' });
      if (wallet === undefined) return;
      accepted.wallets.push(wallet.wallet_id);
      lastWallet = client.waitForWallet(wallet.wallet_id, { timeoutMs: WALLET_MS }).finally(() => {
        lastWallet = undefined;
      });
    } else if (turn % PAYS_EVERY === 0) {
      const to = anyEvmAddress();
      const body = { asset_id: sandbox.ETH.assetId, amount: AMOUNT, recipient_address: to };
      const paid = await call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, body);
      if (paid !== undefined) accepted.payments.push({ id: paid.withdrawal.id, to });
    } else if (turn % 2 === 0) await call('GET', `/api/v1/wallets/${walletId}`);
    else {
      const body = { message: randomBytes(8).toString('hex'), network_internal_code: 'ETHEREUM_SANDBOX' };
      const asked = await call('POST', `/api/v1/web3/transaction/${walletId}/signMessage`, body);
      if (asked !== undefined) accepted.signatures.push(asked.signing_request.id);
    }
  };
  const running = (async () => {
    for (; !isOver; count += 1) {
      const acting = act(count + 1).finally(() => under.delete(acting));
      under.add(acting);
      if (count % 4 === 0) await chain.mine({ blocks: 1 });
      await sleep(BETWEEN_CALLS_MS);
    }
    await Promise.all(under);
  })();
  return {
    accepted,
    calls: () => count,
    expectNoFailure: () => expect(failures).toEqual([]),
    expectAllEnded: () => expectAllEnded(target, structuredClone(accepted)),
    progress: async (calls) => {
      const [from, signed] = [count, accepted.signatures.length];
      const done = () => count >= from + calls && accepted.signatures.length > signed;
      await expect.poll(done, { timeout: 2 * MINUTE_MS }).toBe(true);
      expect(await client.waitForSignature(accepted.signatures.at(-1) ?? '')).toMatchObject({ status: 'success' });
    },
    makeNoMoreWallets: async () => {
      makesWallets = false;
      await Promise.all(under);
      await lastWallet;
    },
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

async function expectAllEnded(
  { client, chain }: LoadTarget,
  { signatures, payments, wallets }: SteadyLoad['accepted'],
): Promise<void> {
  for (const id of signatures) {
    const signed = await client.waitForSignature(id);
    expect(signed).toMatchObject({ status: 'success' });
    expect(await isValid(signed as Parameters<typeof isValid>[0]), id).toBe(true);
  }
  const mining = setInterval(() => void chain.mine({ blocks: 1 }).catch(() => {}), 300);
  try {
    for (const { id, to } of payments) {
      expect(await client.waitForWithdrawal(id, { timeoutMs: 3 * MINUTE_MS }), id).toMatchObject({
        status: 'completed',
      });
      expect(await chain.getBalance({ address: to }), id).toBe(parseEther(AMOUNT));
    }
  } finally {
    clearInterval(mining);
  }
  for (const id of wallets)
    expect(await client.waitForWallet(id, { timeoutMs: WALLET_MS }), id).toMatchObject({ status: 'success' });
}

/** One try. Status 0 when the connection broke. */
async function sendOnce({ credentials, baseUrl }: LoadTarget, { method, path, body }: Call): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const signed = signRequest(credentials, { method, path, body: text }, Math.floor(Date.now() / 1000));
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...signed, ...content },
      body: body === undefined ? null : text,
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}
