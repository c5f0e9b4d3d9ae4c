// Goal: a node that is away, lies, lags or is on another chain costs a retry: never a credit, a loss, a false end, or
// the key in its address. Method: a proxy in front of an anvil that answers chosen methods in its own way.
import { type Address, getAddress, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { raiseEvmFee } from '../../../activities/chains/evm/fees.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Asset } from '../../../activities/chains/port/transactions.ts';
import {
  type Answer,
  type AnsweringProxy,
  alters,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { evmSender } from '../../support/chains/evm-sender.ts';
import { watching } from '../../support/chains/watching.ts';

const CHAIN_ID = 31_337;
const ETHER: Asset = { contract: null, decimals: 18 };
const recipient: Address = '0x00000000000000000000000000000000000000AA';
const SECRETS = ['operator-name', 'operator-password', 'path-key-123', 'query-key-456'];

let anvil: Anvil;
let proxy: AnsweringProxy;
const connect = (options: { trace?: boolean; confirmations?: number } = {}) => {
  const [name, password, pathKey, queryKey] = SECRETS;
  const rpcUrl = `http://${name}:${password}@${proxy.host}/v2/${pathKey}?token=${queryKey}`;
  return evmChain({ rpcUrl, chainId: CHAIN_ID, ...options });
};

beforeAll(async () => {
  anvil = await startAnvil();
  proxy = await startAnsweringProxy(anvil.url);
});
afterEach(() => {
  proxy.answers.clear();
  vi.restoreAllMocks();
});
afterAll(async () => {
  proxy.stop();
  await anvil.stop();
});

async function failureOf(asking: Promise<unknown>): Promise<Error> {
  const error = await asking.then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(ChainError);
  return error as Error;
}

test('a node on another chain is refused by every call, and believed once it is the right one', async () => {
  const chain = connect();
  proxy.answers.set('eth_chainId', says('0x1'));
  for (const asking of [chain.balance(recipient, ETHER), chain.head(), chain.broadcast('0x02'), chain.follow('0x00')])
    expect(await failureOf(asking)).toMatchObject({
      code: 'wrong_chain',
      message: expect.stringMatching(/on chain 1, and chain 31337 is expected/),
    });
  proxy.answers.clear();
  expect(await chain.balance(recipient, ETHER)).toBe(0n);
});

describe('no failure tells the address', () => {
  const stalled: Answer = (response) => void response.writeHead(200).write('{"jsonrpc":');
  const away = 'unavailable';
  test.each<[string, Answer, RegExp, string | undefined]>([
    ['an error with the key in it', refuses(`bad key ${SECRETS.join(' ')}`), /bad key … … … …/, undefined],
    ['too many requests', (response) => void response.writeHead(429).end('slow down'), /HTTP status 429/, away],
    ['a page of a proxy', (response) => void response.end('<html>'), /not JSON-RPC/, away],
    ['a closed connection', (response) => void response.destroy(), /cannot be reached/, away],
    ['silence', () => {}, /did not answer/, away],
    ['half an answer', stalled, /did not answer/, away],
    ['no number', says('plenty'), /no balance/, undefined],
  ])('%s', async (_case, answer, words, code) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
    proxy.answers.set('eth_getBalance', answer);
    const error = await failureOf(connect().balance(recipient, ETHER));
    expect(error.message).toMatch(words);
    expect(error).toMatchObject({ code });
    expect(error.cause).toBeUndefined();
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });
});

describe('broadcast', () => {
  let chain: Chain;
  let raw: string;
  let txHash: string;
  beforeAll(async () => {
    chain = connect({ confirmations: 1 });
    const sender = await evmSender(chain, anvil);
    ({ raw, txHash } = await sender.prepare({ to: recipient, asset: ETHER, amount: 1n }, 0));
  });

  test.each([
    ['already known', 'accepted'],
    ['transaction underpriced: gas tip cap 1, minimum needed 2', 'rejected'],
    ['replacement transaction underpriced', 'rejected'],
    ['invalid chain id for signer: have 1 want 2', 'rejected'],
    ['insufficient funds for gas * price + value: balance 0', 'retry'],
    ['max fee per gas less than block base fee', 'retry'],
    ['nonce too high', 'retry'],
    ['txpool is full', 'retry'],
    ['nonce too low: next nonce 1, tx nonce 0', 'retry'], // the node's own count says that the nonce is free
    ['something new', 'retry'],
  ])('"%s" is %s', async (message, outcome) => {
    proxy.answers.set('eth_sendRawTransaction', refuses(message));
    const status = await chain
      .broadcast(raw)
      .catch((error) => (error instanceof ChainError ? { outcome: 'retry' } : error));
    expect(status).toMatchObject({ outcome });
    if (status.outcome === 'rejected') expect(status.reason).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    'insufficient funds for gas * price + value: address 0x00 have 1 want 2', // geth, Erigon, anvil
    'InsufficientFunds, Balance is 1 less than sending value', // Nethermind
    'Upfront cost exceeds account balance (transaction up-front cost 0x2 exceeds balance 0x1)', // Besu
  ])('"%s" is for want of funds', async (message) => {
    proxy.answers.set('eth_sendRawTransaction', refuses(message));
    expect(await failureOf(chain.broadcast(raw))).toMatchObject({ code: 'insufficient_funds' });
  });

  test('a contract that says so is not the node that says so', async () => {
    proxy.answers.set('eth_estimateGas', refuses('execution reverted: insufficient funds', 3));
    const call = { from: dev.address, to: recipient, value: 0n, data: '0x12345678' };
    expect(await failureOf(chain.estimateFee(call, 'low'))).toMatchObject({ code: undefined });
  });

  test('a hash that is not ours is not taken for ours', async () => {
    proxy.answers.set('eth_sendRawTransaction', says(`0x${'1'.repeat(64)}`));
    await failureOf(chain.broadcast(raw));
  });

  test('sent although the answer was lost: the next attempt is refused for its nonce, and is told as accepted', async () => {
    await anvil.client.sendRawTransaction({ serializedTransaction: raw as Hex });
    await anvil.client.mine({ blocks: 1 });
    proxy.answers.set('eth_sendRawTransaction', refuses('nonce too low'));
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    let times = 0; // the first answer comes from a neighbour that lags
    proxy.answers.set(
      'eth_getTransactionByHash',
      alters((result) => (times++ === 0 ? null : result)),
    );
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    expect(times).toBe(2);
    expect(await chain.follow(txHash)).toMatchObject({ state: 'included' });
  });

  test('a receipt is believed only on the chain, with a status, and never with fewer than no blocks on it', async () => {
    proxy.answers.set(
      'eth_getTransactionReceipt',
      alters((result: object) => ({ ...result, blockHash: `0x${'2'.repeat(64)}` })),
    );
    expect(await chain.follow(txHash)).toEqual({ state: 'pending' });
    proxy.answers.set(
      'eth_getTransactionReceipt',
      alters((result: object) => ({ ...result, status: undefined })),
    );
    await failureOf(chain.follow(txHash));
    proxy.answers.set(
      'eth_getTransactionReceipt',
      alters((result: object) => ({ ...result, l1Fee: '0x64' })),
    );
    const { feePaid } = (await chain.follow(txHash)) as { feePaid: bigint };
    proxy.answers.clear();
    expect(((await chain.follow(txHash)) as { feePaid: bigint }).feePaid).toBe(feePaid - 100n);
  });
});

describe('fees', () => {
  const transfer = { from: dev.address, to: recipient, asset: ETHER, amount: 1n };
  test('gas is tried with the amount, but for a plain account, where it does not matter and may not be there yet', async () => {
    const refuser = await deploy(anvil, 'refuser');
    await connect().estimateFee(transfer, 'low');
    await failureOf(connect().estimateFee({ ...transfer, to: refuser }, 'low'));
    const tried = proxy.asked.filter(({ method }) => method === 'eth_estimateGas').slice(-2);
    expect(tried.map(({ params: [call] }) => call?.value)).toEqual(['0x0', '0x1']);
  });

  test('the gas price decides only on a chain without a base fee', async () => {
    proxy.answers.set(
      'eth_getBlockByNumber',
      alters((block: object) => ({ ...block, baseFeePerGas: undefined })),
    );
    proxy.answers.set('eth_gasPrice', says('0x64'));
    const { parameters, maxFee } = await connect().estimateFee(transfer, 'low');
    expect([parameters, maxFee]).toEqual([{ gasLimit: '21000', gasPrice: '100' }, 2_100_000n]);
  });

  test('the tip is the median of what blocks with transactions paid, else what the node suggests', async () => {
    const history = { oldestBlock: '0x1', baseFeePerGas: ['0x5', '0x5', '0x5', '0x5', '0xa'] };
    proxy.answers.set(
      'eth_feeHistory',
      says({ ...history, gasUsedRatio: [0.5, 0, 0, 0.2], reward: [['0x9'], ['0x0'], ['0x0'], ['0x7']] }),
    );
    expect((await connect().estimateFee(transfer, 'medium')).parameters).toEqual({
      gasLimit: '21000',
      maxFeePerGas: '29',
      maxPriorityFeePerGas: '9',
    });
    proxy.answers.set('eth_feeHistory', says({ ...history, gasUsedRatio: [0, 0, 0, 0], reward: null }));
    proxy.answers.set('eth_maxPriorityFeePerGas', says('0x2'));
    expect((await connect().estimateFee(transfer, 'medium')).parameters['maxPriorityFeePerGas']).toBe('2');
  });
});

test('a rollup that charges for the chain below says so, and the quote holds it, also when it is raised', async () => {
  const transfer = { from: dev.address, to: recipient, asset: ETHER, amount: 1n };
  const plain = await connect().estimateFee(transfer, 'low');
  // PUSH1 100, MSTORE(0), RETURN(0, 32): the fee of any transaction is 100.
  await anvil.client.setCode({
    address: '0x420000000000000000000000000000000000000F',
    bytecode: '0x606460005260206000f3',
  });
  const quote = await connect().estimateFee(transfer, 'low');
  await anvil.client.setCode({ address: '0x420000000000000000000000000000000000000F', bytecode: '0x' });
  expect(quote).toEqual({ ...plain, maxFee: plain.maxFee + 200n, parameters: { ...plain.parameters, l1Fee: '200' } });
  const raised = raiseEvmFee(quote, 10);
  expect(raised.maxFee).toBe(raiseEvmFee(plain, 10).maxFee + 200n);
});

test('inbound transfers fail rather than leave something out', async () => {
  const chain = connect({ trace: true });
  const [token, other] = [await deploy(anvil, 'honestToken'), await deploy(anvil, 'honestToken')];
  const data: Hex = `0xa9059cbb${recipient.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`;
  for (const to of [token, other]) await anvil.client.sendTransaction({ to, data });
  await anvil.client.mine({ blocks: 1 });
  const block = await chain.head();
  const inboundTransfers = (from = chain) => from.inboundTransfers(block, watching([recipient], [getAddress(token)]));
  expect(await inboundTransfers()).toMatchObject([{ amount: 5n }]);
  const lies: [method: string, lie: Answer][] = [
    ['debug_traceBlockByHash', says(null)],
    ['debug_traceBlockByHash', says([])],
    ['debug_traceBlockByHash', says([{ error: 'execution timeout' }, { error: 'execution timeout' }])],
    ['debug_traceBlockByHash', alters((traces: object[]) => traces.map((trace) => ({ ...trace, txHash: block.hash })))],
    ['debug_traceBlockByHash', refuses('the method does not exist', -32_601)],
    ['eth_getBlockByHash', says(null)],
    ['eth_getLogs', refuses('unknown block')],
    ['eth_getLogs', alters((logs: object[]) => logs.map((log) => ({ ...log, blockHash: block.parentHash })))],
    ['eth_getLogs', alters((logs: object[]) => logs.map((log) => ({ ...log, removed: true })))],
    ['eth_getTransactionReceipt', says(null)],
    ['eth_getTransactionReceipt', alters((receipt: object) => ({ ...receipt, blockHash: block.parentHash }))],
    ['eth_getTransactionReceipt', alters((receipt: object) => ({ ...receipt, logs: [] }))],
    ['eth_getTransactionReceipt', alters((receipt: object) => ({ ...receipt, status: '0x0' }))],
    ['eth_call', refuses('missing trie node')],
    ['eth_call', says('0x')],
  ];
  for (const [method, lie] of lies) {
    proxy.answers.set(method, lie);
    await failureOf(inboundTransfers());
    proxy.answers.clear();
  }
  expect(await inboundTransfers(connect())).toMatchObject([{ amount: 5n }]);
  proxy.answers.set(
    'eth_getLogs',
    alters((logs: object[]) => logs.map((log) => ({ ...log, address: other }))),
  );
  expect(await inboundTransfers()).toEqual([]); // true ones of a contract that nobody asked for
  proxy.answers.clear();
  const asked = proxy.asked.filter(({ method }) => method === 'eth_getLogs').map(({ params: [filter] }) => filter);
  expect(asked.every((filter) => JSON.stringify(filter?.address) === JSON.stringify([getAddress(token)]))).toBe(true);
  await connect().inboundTransfers(block, watching([recipient]));
  expect(proxy.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(asked.length);
});
