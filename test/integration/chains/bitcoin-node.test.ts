// Goal: a wrong, silent or refusing Bitcoin node is told from a right one, and its password shows nowhere. Method: a
// real btcd of its own under wrong addresses, and a server that never answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import { BitcoinNode } from '../../../activities/chains/bitcoin/rpc.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import { startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';

const BUILD_MS = 300_000;

let bitcoin: TestBitcoin;
beforeAll(async () => {
  bitcoin = await startBitcoin();
}, BUILD_MS);
afterAll(() => bitcoin.node.stop());

describe('the node', () => {
  const head = (rpcUrl: string, network: 'regtest' | 'testnet' = 'regtest') => bitcoinChain({ rpcUrl, network }).head();
  const messageOf = (act: Promise<unknown>) =>
    act.then(
      () => 'no error',
      (error: unknown) => {
        expect(error).toBeInstanceOf(ChainError);
        return `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`;
      },
    );
  const codeOf = (act: Promise<unknown>) =>
    act.then(
      () => 'no error',
      ({ code }: ChainError) => code,
    );

  test('D8: of another network is refused, and asked again the next time', async () => {
    const { host } = new URL(bitcoin.node.rpcUrl);
    const other = bitcoinChain({ rpcUrl: bitcoin.node.rpcUrl, network: 'testnet' });
    for (const act of [() => other.head(), () => other.broadcast('0x00'), () => other.coins(bitcoin.miner.address)])
      expect(await messageOf(Promise.resolve(act()))).toContain(
        `The Bitcoin node at ${host} is on regtest, not on testnet.`,
      );
  });

  test('its name and password show in no error', async () => {
    const wrong = bitcoin.node.rpcUrl.replace('test:', 'someone:');
    const messages = await Promise.all([
      messageOf(head(wrong)),
      messageOf(head(bitcoin.node.rpcUrl, 'testnet')),
      messageOf(head(bitcoin.node.rpcUrl.replace(/:\d+$/, ':1'))),
      messageOf(bitcoin.chain.follow('no hash')),
      messageOf((async () => head(`http://test:${bitcoin.node.password}@[bad`))()),
    ]);
    expect(await codeOf(head(wrong))).toBe('unavailable');
    expect(await codeOf(head(bitcoin.node.rpcUrl, 'testnet'))).toBe('wrong_chain');
    expect(await codeOf(bitcoin.chain.follow('no hash'))).toBeUndefined();
    expect(
      messages.map(
        (message) => /refuses the name|is on regtest|cannot be reached|refuses getraw|no URL/.exec(message)?.[0],
      ),
    ).toEqual(['refuses the name', 'is on regtest', 'cannot be reached', 'refuses getraw', 'no URL']);
    for (const message of messages) expect(message).not.toMatch(/a-secret|someone|dGVzd|test@|test:/);
  });

  test('that does not answer is given up', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    const { port } = await new Promise<AddressInfo>((resolve) =>
      silent.once('listening', () => resolve(silent.address() as AddressInfo)),
    );
    const slow = new BitcoinNode(`http://127.0.0.1:${port}`, 'regtest');
    expect(await messageOf(slow.ask('getblockcount', [], 50))).toContain('has not answered within 50 ms');
    silent.closeAllConnections();
    silent.close();
  });
});
