// Goal: each network is reached through its own node or not at all, a node of another chain is believed nothing, and no
// address is told. Method: nodes made here that answer what a test says, for every family.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChainNetwork, connectChains } from '../../../activities/chains/connect-chains.ts';
import { hasAdapter } from '../../../domain/catalog/capabilities.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { type AnsweringProxy, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';

const networks: readonly ChainNetwork[] = networkSeed;
const NATIVE = { contract: null, decimals: 0 };
const NOBODY = 'http://127.0.0.1:1';

let node: AnsweringProxy;
let rpcUrl: string;
beforeEach(async () => {
  node = await startAnsweringProxy(NOBODY);
  rpcUrl = `http://name:pass-word@${node.host}/path-key-123`;
});
afterEach(() => node.stop());

const methods = () => node.asked.map(({ method }) => method);

describe('find', () => {
  test('a chain for each address of a node, the same one each time; none without a node', () => {
    const chains = connectChains({ ETHEREUM_MAINNET: rpcUrl, SOL_SANDBOX: rpcUrl, BTC_TESTNET: rpcUrl }, networks);
    for (const code of ['ETHEREUM_MAINNET', 'SOL_SANDBOX', 'BTC_TESTNET']) {
      expect(chains.find(code)).toBeDefined();
      expect(chains.find(code)).toBe(chains.find(code));
      expect(chains.findSecond(code)).toBeUndefined();
    }
    for (const code of ['BASE_MAINNET', 'BTC_MAINNET', 'NO_SUCH', 'constructor'])
      expect(chains.find(code)).toBeUndefined();
  });

  test('each family has its model', () => {
    const chains = connectChains({ ETHEREUM_MAINNET: rpcUrl, SOL_MAINNET: rpcUrl, BTC_MAINNET: rpcUrl }, networks);
    expect(chains.find('ETHEREUM_MAINNET')?.model).toBe('account');
    expect(chains.find('BTC_MAINNET')?.model).toBe('utxo');
    expect(chains.find('SOL_MAINNET')?.model).toBe('expiring');
    expect(chains.find('BTC_MAINNET')?.canonicalAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBeDefined();
    expect(chains.find('BTC_MAINNET')?.canonicalAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBeUndefined();
  });

  test('what the catalogue says of a family is what there is: Tron has no chain yet', () => {
    const urls = Object.fromEntries(networks.map(({ internalCode }) => [internalCode, rpcUrl]));
    const chains = connectChains(urls, networks);
    for (const { internalCode, addressType } of networks)
      expect([internalCode, chains.find(internalCode) !== undefined]).toEqual([internalCode, hasAdapter(addressType)]);
    expect(chains.find('TRON_MAINNET')).toBeUndefined();
  });

  test('a second node is another chain', async () => {
    const second = await startAnsweringProxy(NOBODY);
    const secondRpcUrls = { ETHEREUM_MAINNET: `http://${second.host}` };
    const chains = connectChains({ ETHEREUM_MAINNET: rpcUrl }, networks, { secondRpcUrls });
    second.answers.set('eth_chainId', says('0x5'));
    const balance = chains.findSecond('ETHEREUM_MAINNET')?.balance(`0x${'1'.repeat(40)}`, NATIVE);
    await expect(balance).rejects.toMatchObject({ code: 'wrong_chain' });
    expect(methods()).toEqual([]);
    second.stop();
  });
});

test.each([
  ['no URL', { ETHEREUM_MAINNET: 'a-secret' }, 'The address of the node of ETHEREUM_MAINNET is no http(s) URL.'],
  [
    'another scheme',
    { SOL_MAINNET: 'wss://x:a-secret@y' },
    'The address of the node of SOL_MAINNET is no http(s) URL.',
  ],
  ['an unknown code', { ETHEREUM: 'http://x/a-secret' }, 'ETHEREUM has the address of a node, and is no network'],
])('%s is refused without telling it', (_case, urls, words) => {
  const messageOf = (act: () => unknown) => {
    try {
      act();
      return 'no error';
    } catch (error) {
      return `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)}`;
    }
  };
  const messages = [
    messageOf(() => connectChains(urls, networks)),
    messageOf(() => connectChains({}, networks, { secondRpcUrls: urls })),
  ];
  for (const message of messages) {
    expect(message).toContain(words);
    expect(message).not.toContain('a-secret');
  }
});

describe('D8: a node on another chain', () => {
  test.each([
    ['ETHEREUM_MAINNET', { eth_chainId: '0x89' }],
    ['SOL_MAINNET', { getGenesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }],
    ['SOL_DEVNET', { getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }],
    ['BTC_MAINNET', { getblockchaininfo: { chain: 'regtest' } }],
    ['BTC_SANDBOX', { getblockchaininfo: { chain: 'main' } }],
    // Litecoin's node is made of Bitcoin's.
    [
      'BTC_MAINNET',
      {
        getblockchaininfo: { chain: 'main' },
        getblockhash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
      },
    ],
  ])('%s: is asked nothing, and its errors say so without its key', async (code, answers) => {
    for (const [method, answer] of Object.entries(answers)) node.answers.set(method, says(answer));
    const chain = connectChains({ [code]: rpcUrl }, networks).find(code);
    const block = { number: 1, hash: '01', parentHash: '00' };
    const watched = { contracts: new Set<string>(), ours: async () => new Set<string>() };
    for (const ask of [() => chain?.head(), () => chain?.block(1), () => chain?.inboundTransfers(block, watched)]) {
      const error = await Promise.resolve(ask()).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'ChainError', code: 'wrong_chain' });
      expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toMatch(/pass-word|path-key/);
    }
    expect(new Set(methods())).toEqual(new Set(Object.keys(answers)));
  });

  test('of the sandbox’s Solana any is taken: it has another first block with each new start', async () => {
    node.answers.set('getSlot', says(0));
    node.answers.set('getBlock', says({ blockhash: '1', previousBlockhash: '1', parentSlot: 0 }));
    expect(await connectChains({ SOL_SANDBOX: rpcUrl }, networks).find('SOL_SANDBOX')?.head()).toMatchObject({
      number: 0,
    });
    expect(methods()).not.toContain('getGenesisHash');
  });
});

test.each(['ETHEREUM_MAINNET', 'SOL_MAINNET', 'BTC_MAINNET'])(
  '%s: a node that is away is unavailable',
  async (code) => {
    await expect(
      connectChains({ [code]: NOBODY }, networks)
        .find(code)
        ?.head(),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
  },
);
