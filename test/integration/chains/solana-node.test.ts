// Goal: a node that is of another cluster, behind, incomplete, lying or away makes nothing up, hides nothing, and its
// address stays secret. Method: the port against the sandbox's Solana through a proxy that answers single methods
// otherwise.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Block } from '../../../activities/chains/port/movements.ts';
import { isExpiredSolana } from '../../../activities/chains/solana/follow-transaction.ts';
import { connectSolana } from '../../../activities/chains/solana/rpc.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { fundedSolanaClient, makeMint, SOL, type SolanaClient } from '../../support/chains/solana.ts';
import { watching } from '../../support/chains/watching.ts';

const NATIVE = { contract: null, decimals: 9 };
const SKIPPED = { error: { code: -32007, message: 'Slot was skipped' } };

type Reply = { result: unknown } | { error: { code: number; message: string } };
type Real = { result: Record<string, unknown> };
/** Undefined leaves the answer to the sandbox. */
type Otherwise = Record<string, (params: unknown[], real: () => Promise<Real>) => Reply | undefined | Promise<Reply>>;

let directory: string;
let sandbox: TestChain;
let client: SolanaClient;
let genesisHash: string;
const proxies: Server[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  sandbox = await startTestSolana(directory);
  client = await fundedSolanaClient(sandbox.address);
  genesisHash = await client.rpc.getGenesisHash().send();
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
  }
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

const stranger = async () => (await generateKeyPairSigner()).address;
const pay = (to: Awaited<ReturnType<typeof stranger>>) =>
  client.execute(getTransferSolInstruction({ source: client.payer, destination: to, amount: SOL }));

async function startProxy(otherwise: Otherwise, status = 200) {
  const asked: { method: string; headers: IncomingMessage['headers'] }[] = [];
  const forward = async (body: string) =>
    (await fetch(sandbox.address, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text();
  const answer = async (request: IncomingMessage): Promise<string> => {
    const body = await text(request);
    const { id, method, params } = JSON.parse(body) as { id: string; method: string; params: unknown[] };
    asked.push({ method, headers: request.headers });
    const reply = await otherwise[method]?.(params, async () => JSON.parse(await forward(body)) as Real);
    return reply === undefined ? forward(body) : JSON.stringify({ jsonrpc: '2.0', id, ...reply });
  };
  const server = createServer((request, response) => {
    void answer(request).then((body) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxies.push(server);
  const { port } = server.address() as AddressInfo;
  return { asked, port, rpcUrl: `http://127.0.0.1:${port}` };
}

const endpointWhere = async (otherwise: Otherwise) => ({ rpcUrl: (await startProxy(otherwise)).rpcUrl, genesisHash });

async function chainWhere(otherwise: Otherwise) {
  return solanaChain(await endpointWhere(otherwise));
}

test('asks nothing of a node of another cluster', async () => {
  const { asked, rpcUrl } = await startProxy({
    getGenesisHash: () => ({ result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }),
  });
  const chain = solanaChain({ rpcUrl, genesisHash });
  for (const attempt of [chain.head(), chain.balance(client.payer.address, NATIVE)])
    await expect(attempt).rejects.toMatchObject({
      code: 'wrong_chain',
      message: expect.stringContaining('another cluster'),
    });
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['getGenesisHash']));
});

test('a node that could not name its cluster at first is asked again', async () => {
  let calls = 0;
  const chain = await chainWhere({
    getGenesisHash: () => (calls++ === 0 ? { error: { code: -32005, message: 'Node is behind' } } : undefined),
  });
  await expect(chain.head()).rejects.toThrow(ChainError);
  await chain.head();
  await chain.head();
  expect(calls).toBe(2);
});

test('user and password go into a header, and no error names them, the key in the address or the host', async () => {
  const leaking = { error: { code: -32603, message: 'no plan for http://node.example/?api-key=topsecret' } };
  const { asked, port } = await startProxy({ getSlot: () => leaking });
  const failing = await startProxy({}, 503);
  const urlOf = (to: number) => `http://mallory:p%40ss@127.0.0.1:${to}/?api-key=topsecret`;
  await solanaChain({ rpcUrl: urlOf(port) }).balance(client.payer.address, NATIVE);
  expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('mallory:p@ss').toString('base64')}`);
  const messages: string[] = [];
  for (const rpcUrl of [urlOf(port), urlOf(failing.port), urlOf(1)]) {
    const error: unknown = await solanaChain({ rpcUrl })
      .head()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChainError);
    messages.push((error as Error).message);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
      /mallory|p@ss|p%40ss|topsecret|127\.0\.0\.1|node\.example/,
    );
  }
  expect(messages).toEqual([
    'The Solana node answered with error -32603.',
    'The Solana node answered with HTTP status 503.',
    'The Solana node cannot be reached.',
  ]);
  expect(() => solanaChain({ rpcUrl: 'topsecret' })).toThrow(/^The address of a Solana node is not an HTTP URL\.$/);
});

test('waits for no answer for ever', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
  const chain = await chainWhere({ getSlot: () => new Promise(() => {}) });
  await expect(chain.head()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The Solana node did not answer within 30000 ms.',
  });
});

test('pays what lately was enough, the least of the level when the node does not tell, and never beyond a bound', async () => {
  const transfer = { from: client.payer.address, to: await stranger(), asset: NATIVE, amount: SOL };
  const priceWhere = async (reply: Reply) => {
    const chain = await chainWhere({ getRecentPrioritizationFees: () => reply });
    return (await chain.estimateFee(transfer, 'medium')).parameters['microLamportsPerUnit'];
  };
  const paid = (...fees: number[]) => ({
    result: fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
  });
  expect(await priceWhere({ error: { code: -32601, message: 'Method not found' } })).toBe('10000');
  expect(await priceWhere(paid())).toBe('10000');
  expect(await priceWhere(paid(90_000, 20_000, 30_000, 40_000))).toBe('90000');
  expect(await priceWhere(paid(90_000, 20_000, 30_000, 40_000, 50_000))).toBe('50000');
  expect(await priceWhere(paid(...Array<number>(9).fill(4_000_000_000)))).toBe('10000000');
});

test('a block that the node has lost is not taken for a slot without one', async () => {
  const { slot } = await pay(await stranger());
  const { slot: later } = await pay(await stranger());
  const getBlock = ([number]: unknown[]) => (number === Number(slot) ? SKIPPED : undefined);
  const isLost = async (otherwise: Otherwise) => {
    const chain = await chainWhere({ getBlock, ...otherwise });
    await expect(chain.block(Number(slot))).rejects.toThrow('lacks blocks');
  };
  await isLost({}); // still listed
  await isLost({ getBlocksWithLimit: () => ({ result: [Number(later)] }) }); // named as a parent only
  const unlisted = await chainWhere({
    getBlock,
    getBlocksWithLimit: () => ({ result: [] }),
  });
  expect(await unlisted.block(Number(slot))).toBeUndefined();
});

test('over blocks that only this node has lost, no walk goes on', async () => {
  const { slot: before } = await pay(await stranger());
  const { slot } = await pay(await stranger());
  const { slot: later } = await pay(await stranger());
  const isAsked = ([start]: unknown[]) => Number(start) > Number(before) && Number(start) <= Number(slot);
  const chain = await chainWhere({
    getBlocksWithLimit: (params) => (isAsked(params) ? { result: [Number(later)] } : undefined),
  });
  await expect(chain.next(Number(before))).rejects.toThrow('lacks blocks');
  expect(await chain.next(Number(slot))).toBe(Number(later));
});

test('holds nothing for expired on the word of a node that is behind', async () => {
  const { signature } = await pay(await stranger());
  const behind = { result: { context: { slot: 1 }, value: [null] } };
  const ask = connectSolana(await endpointWhere({ getSignatureStatuses: () => behind }));
  await expect(isExpiredSolana(ask, signature, 0)).rejects.toThrow('behind');
  expect(await isExpiredSolana(connectSolana({ rpcUrl: sandbox.address }), signature, 0)).toBe(false);
});

test('what is not finalized is pending', async () => {
  const { signature, slot } = await pay(await stranger());
  const status = {
    slot: Number(slot),
    confirmations: 3,
    err: null,
    status: { Ok: null },
    confirmationStatus: 'confirmed',
  };
  const chain = await chainWhere({
    getSignatureStatuses: () => ({ result: { context: { slot: Number(slot) + 3 }, value: [status] } }),
  });
  expect(await chain.follow(signature)).toEqual({ state: 'pending' });
});

test('fails rather than leave an inbound transfer out, and takes none that failed or is of another program', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  const ours = await stranger();
  const { slot } = await mintTo(ours, 5n);
  const block = (await solanaChain({ rpcUrl: sandbox.address }).block(Number(slot))) as Block;
  type Meta = { err: unknown; preBalances: number[]; postTokenBalances?: { owner?: string; programId?: string }[] };
  type Shown = { meta: Meta | null };
  const inboundTransfersWhere = async (alter: (shown: Shown, result: Record<string, unknown>) => void) => {
    const chain = await chainWhere({
      getBlock: async (_params, real) => {
        const { result } = await real();
        const [shown] = result['transactions'] as Shown[];
        if (shown !== undefined) alter(shown, result);
        return { result };
      },
    });
    return chain.inboundTransfers(block, watching([ours], [mint]));
  };
  expect(await inboundTransfersWhere(() => {})).toMatchObject([{ amount: 5n }]);
  await expect(inboundTransfersWhere((_, result) => (result['blockhash'] = genesisHash))).rejects.toThrow(
    'another block',
  );
  await expect(inboundTransfersWhere((shown) => (shown.meta = null))).rejects.toThrow('in part');
  await expect(inboundTransfersWhere(({ meta }) => void meta?.preBalances.pop())).rejects.toThrow('do not fit');
  await expect(inboundTransfersWhere(({ meta }) => void delete meta?.postTokenBalances)).rejects.toThrow(
    'no token balances',
  );
  await expect(inboundTransfersWhere(({ meta }) => void delete meta?.postTokenBalances?.[0]?.owner)).rejects.toThrow(
    'without their owner',
  );
  const arrives = (alter: (meta: Meta) => void) => inboundTransfersWhere(({ meta }) => meta && alter(meta));
  expect(await arrives((meta) => (meta.err = { InstructionError: [0, { Custom: 1 }] }))).toEqual([]);
  const asIf = (programId: string) =>
    arrives((meta) => meta.postTokenBalances?.forEach((each) => Object.assign(each, { programId })));
  expect(await asIf('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')).toEqual([]);
});
