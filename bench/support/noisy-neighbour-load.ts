// A workspace that asks for 1,000 wallets and 100 rescans as fast as it is let, and a chain's node that takes its time
// with each answer.
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import type { CountersignClient } from '../../src/client/client.ts';
import { CountersignError } from '../../src/client/errors.ts';

const WALLETS = 1_000;
const RESCANS = 100;
/** Requests under way. */
const WALLET_ASKERS = 6;
const RESCAN_ASKERS = 2;
/** Whoever is refused asks again soon, whatever `Retry-After` says. */
const AGAIN_AFTER_MS = 250;
const NODE_ANSWERS_AFTER_MS = 1_000;
/** Chain id 31337. */
const SANDBOX_CHAIN = '0x7a69';
const ENDED_WITHIN_MS = 300_000;

export class Noise {
  readonly #client: CountersignClient;
  readonly #ended = new AbortController();
  readonly #asking: Promise<unknown>;
  #wallets = 0;
  #rescans = 0;
  #refused = 0;

  constructor(client: CountersignClient, networkId: string) {
    this.#client = client;
    this.#asking = Promise.all([
      ...this.#askers(WALLET_ASKERS, WALLETS, () => this.#createWallet()),
      ...this.#askers(RESCAN_ASKERS, RESCANS, () => this.#rescan(networkId)),
    ]);
  }

  /** A second later, when what it asked for is being worked at. */
  underWay(): Promise<void> {
    return pause(1_000);
  }

  /** Asks no more, and waits until nothing of it is under way, so that it does not reach into the next round. */
  async stop(databaseUrl: string, workspaceId: string): Promise<string> {
    this.#ended.abort();
    await this.#asking;
    const sql = postgres(databaseUrl, { max: 1 });
    const creating = async () =>
      Number(
        (await sql`select count(*) from wallets where workspace_id = ${workspaceId} and status = 'creating'`)[0]?.[
          'count'
        ],
      );
    const left = await creating();
    const deadline = Date.now() + ENDED_WITHIN_MS;
    while ((await creating()) > 0 && Date.now() < deadline) await pause(200);
    await sql.end();
    return `${this.#wallets} wallets and ${this.#rescans} rescans accepted, ${this.#refused} requests refused; ${left} wallets were under way at its end`;
  }

  #askers(count: number, times: number, ask: () => Promise<void>): Promise<void>[] {
    let left = times;
    const askOneAfterAnother = async () => {
      while (left > 0 && !this.#ended.signal.aborted) {
        left -= 1;
        await ask();
      }
    };
    return Array.from({ length: count }, askOneAfterAnother);
  }

  async #createWallet(): Promise<void> {
    const name = randomBytes(8).toString('hex');
    if (await this.#insist(() => this.#client.createWallet({ name }))) this.#wallets += 1;
  }

  async #rescan(networkId: string): Promise<void> {
    const body = { tx_hash: `0x${randomBytes(32).toString('hex')}`, network_id: networkId };
    if (await this.#insist(() => this.#client.post('/api/v1/networks/rescan-transaction', { body })))
      this.#rescans += 1;
  }

  /** False when it is over before it was let. */
  async #insist(ask: () => Promise<unknown>): Promise<boolean> {
    while (!this.#ended.signal.aborted) {
      try {
        await ask();
        return true;
      } catch (error) {
        if (!(error instanceof CountersignError) || error.status !== 429) throw error;
        this.#refused += 1;
        await pause(AGAIN_AFTER_MS);
      }
    }
    return false;
  }
}

/** On the chain of the sandbox, where it knows of nothing, and says so late. */
export async function startSlowNode(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => void answerLate(body, response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

interface Question {
  id: unknown;
  method: string;
}

async function answerLate(body: string, response: ServerResponse): Promise<void> {
  await pause(NODE_ANSWERS_AFTER_MS);
  const asked = JSON.parse(body) as Question | Question[];
  const answer = ({ id, method }: Question) => ({
    jsonrpc: '2.0',
    id,
    result: method === 'eth_chainId' ? SANDBOX_CHAIN : null,
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)));
}
