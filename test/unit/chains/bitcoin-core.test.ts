// Goal: what Bitcoin Core answers otherwise than btcd (which the integration test runs) is understood, and no unclear
// answer becomes a loss: `rejected` and `unknown` let a caller spend again. Method: a scripted node with the answers
// and words of Bitcoin Core's sources.
import { Transaction } from '@scure/btc-signer';
import { afterEach, describe, expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import { fallbackRates } from '../../../activities/chains/bitcoin/fees.ts';
import { toSatoshis } from '../../../activities/chains/bitcoin/node-records.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import { watching } from '../../support/chains/watching.ts';
import { Refusal, type Script, startScriptedNode } from './scripted-bitcoin-node.ts';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCRIPT = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
const hash = (digit: string) => digit.repeat(64);
const transfer = { from: ADDRESS, to: ADDRESS, asset: { contract: null, decimals: 8 }, amount: 1_000n };

let stop = () => {};
afterEach(() => stop());

const FIRST_BLOCK = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

async function start(script: Script) {
  const getblockhash = (height: never) => (height === 0 ? FIRST_BLOCK : script['getblockhash']?.(height));
  const node = await startScriptedNode({ getblockchaininfo: () => ({ chain: 'main' }), ...script, getblockhash });
  stop = node.stop;
  return { asked: node.asked, chain: bitcoinChain({ rpcUrl: node.rpcUrl, network: 'mainnet' }) };
}

describe('coins', () => {
  test('are the confirmed and mature ones of the set of unspent outputs that nothing waiting spends', async () => {
    const answers: Record<string, unknown> = {
      [hash('a')]: { value: 0.29, confirmations: 1, coinbase: false },
      [hash('b')]: { value: 1, confirmations: 0, coinbase: false },
      [hash('c')]: { value: 1, confirmations: 99, coinbase: true },
      [hash('d')]: { value: 20_999_999.9769, confirmations: 100, coinbase: true },
      [hash('e')]: null,
    };
    const { chain } = await start({
      scantxoutset: (action: string, [descriptor]: [string]) => ({
        success: action === 'start' && descriptor === `addr(${ADDRESS})`,
        unspents: Object.keys(answers).map((txid) => ({ txid, vout: 1 })),
      }),
      gettxout: (txid: string, vout: number, withMempool: boolean) =>
        vout === 1 && withMempool ? answers[txid] : null,
    });
    expect(await chain.coins(ADDRESS)).toEqual({
      free: [
        { txHash: hash('a'), index: 1, amount: 29_000_000n, confirmations: 1 },
        { txHash: hash('d'), index: 1, amount: 2_099_999_997_690_000n, confirmations: 100 },
      ],
      spentByWaiting: [{ txHash: hash('e'), index: 1 }],
    });
  });

  test('are not guessed from a scan that was cut off', async () => {
    const { chain } = await start({ scantxoutset: () => ({ success: false, unspents: [] }) });
    await expect(chain.coins(ADDRESS)).rejects.toThrow(ChainError);
  });

  test('an amount that cannot exist is refused', () => {
    for (const wrong of [-1, 21_000_001, Number.NaN, undefined as unknown as number])
      expect(() => toSatoshis(wrong)).toThrow(ChainError);
  });
});

describe('the fee rate', () => {
  const rateFor = async (script: Script) => {
    const { chain } = await start(script);
    const { parameters } = await chain.estimateFee(transfer, 'high');
    return BigInt(parameters['rate'] ?? '');
  };

  test.each([
    ['is rounded up to whole sat/vB', { feerate: 0.00012001, blocks: 2 }, 13n],
    ['is never absurd', { feerate: 1, blocks: 2 }, 2_000n],
    [
      'is ours when the node has none',
      { errors: ['Insufficient data or no feerate found'], blocks: 2 },
      fallbackRates.high,
    ],
  ])('%s', async (_name, answer, rate) => {
    expect(await rateFor({ estimatesmartfee: () => answer })).toBe(rate);
  });

  test('of btcd is taken, or ours when it says 0 or that it cannot tell', async () => {
    expect(await rateFor({ estimatefee: () => 0.00007 })).toBe(7n);
    expect(await rateFor({ estimatefee: () => 0 })).toBe(fallbackRates.high);
    const tooFew = () => new Refusal(-32_603, 'not enough blocks have been observed');
    expect(await rateFor({ estimatefee: tooFew })).toBe(fallbackRates.high);
  });
});

/** Of the example of BIP-143. */
const RAW =
  '0x01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000';
const OPTIONS = { allowUnknownInputs: true, allowUnknownOutputs: true };
const TXID = Transaction.fromRaw(Buffer.from(RAW.slice(2), 'hex'), OPTIONS).id;
const noTransaction = () =>
  new Refusal(-5, 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.');

describe('broadcast', () => {
  const broadcast = async (refusal: Refusal, getrawtransaction: Script[string] = noTransaction) => {
    const { chain } = await start({ sendrawtransaction: () => refusal, getrawtransaction, ...onTop });
    return chain.broadcast(RAW);
  };
  const onTop: Script = { getbestblockhash: () => hash('6') };
  const spent = new Refusal(-25, 'bad-txns-inputs-missingorspent');

  test.each([
    [spent, 'An input of the transaction is spent, or unknown to the chain.'],
    [new Refusal(-26, 'min relay fee not met, 100 < 141'), 'The fee is too low for the node to take the transaction.'],
    [
      new Refusal(-26, `insufficient fee, rejecting replacement ${hash('a')}`),
      'The fee is too low for the node to take the transaction.',
    ],
    [
      new Refusal(-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate), max-fee-exceeded'),
      'The fee is higher than the node allows.',
    ],
    [new Refusal(-26, 'dust'), 'The Bitcoin node refuses sendrawtransaction: dust'],
    [new Refusal(-22, 'TX decode failed'), 'The Bitcoin node refuses sendrawtransaction: TX decode failed'],
  ])('%o is final', async (refusal, reason) => {
    expect(await broadcast(refusal)).toEqual({ outcome: 'rejected', reason });
  });

  describe('of what has lost a coin', () => {
    const [LOST, OTHER] = ['9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff', hash('e')];
    const parent = (txid: string) =>
      txid === LOST ? { txid, vin: [], vout: [], blockhash: hash('1') } : noTransaction();
    /** Five blocks up to the best one, of which that of `spentIn` spends the coin. */
    const chainWhere = (spentIn: number): Script => ({
      getbestblockhash: () => hash('6'),
      gettxout: (txid: string, vout: number, withMempool: boolean) =>
        txid === LOST && vout === 0 && !withMempool ? null : { value: 1 },
      getblockheader: (of: string) => ({
        hash: of,
        height: Number(of[0]),
        confirmations: 7 - Number(of[0]),
        previousblockhash: hash(String(Number(of[0]) - 1)),
      }),
      getblock: (of: string) => ({
        tx: [
          { txid: hash('c'), vin: [{}], vout: [] },
          { txid: OTHER, vin: [{ txid: Number(of[0]) === spentIn ? LOST : OTHER, vout: 0 }], vout: [] },
        ],
      }),
    });
    const broadcastAfter = async (confirmations: number, script: Script) => {
      const node = await startScriptedNode({
        getblockchaininfo: () => ({ chain: 'regtest' }),
        sendrawtransaction: () => spent,
        getrawtransaction: parent,
        ...script,
      });
      stop = node.stop;
      return bitcoinChain({ rpcUrl: node.rpcUrl, network: 'regtest', confirmations }).broadcast(RAW);
    };
    const rejected = {
      outcome: 'rejected',
      reason: 'An input of the transaction is spent, or unknown to the chain.',
    };
    const dead = { outcome: 'rejected', reason: 'Another transaction has spent a coin of it.', dead: true };

    test.each([
      ['never lands once the other one is as deep as is asked', 5, 2, dead],
      ['may land while the other one is not', 5, 3, rejected],
      ['never lands when the other one is deeper', 1, 3, dead],
      ['may land with one confirmation of the other one, where two are asked for', 6, 2, rejected],
      ['never lands with one, where one is asked for', 6, 1, dead],
    ])('%s', async (_name, spentIn, confirmations, outcome) => {
      expect(await broadcastAfter(confirmations, chainWhere(spentIn))).toEqual(outcome);
    });

    test('may land while the coin itself is in no block, or in one beside the chain', async () => {
      const script = chainWhere(1);
      const waiting = {
        getrawtransaction: (txid: string) => (txid === LOST ? { txid, vin: [], vout: [] } : noTransaction()),
      };
      expect(await broadcastAfter(1, { ...script, ...waiting })).toEqual(rejected);
      const beside = { getblockheader: () => ({ hash: hash('1'), height: 1, confirmations: -1 }) };
      expect(await broadcastAfter(1, { ...script, ...beside })).toEqual(rejected);
    });

    test('may land when a block came while it was looked', async () => {
      const bests = [hash('6'), hash('7')];
      const script = { ...chainWhere(1), getbestblockhash: () => bests.shift() };
      expect(await broadcastAfter(1, script)).toEqual(rejected);
    });
  });

  test.each([
    new Refusal(-26, 'mempool full'),
    new Refusal(-26, 'too-long-mempool-chain'),
    new Refusal(-26, 'txn-mempool-conflict'),
    new Refusal(-28, 'Loading block index…'),
    new Refusal(-32_603, 'internal'),
  ])('%o says nothing about the next time', async (refusal) => {
    await expect(broadcast(refusal)).rejects.toThrow(ChainError);
  });

  test('what the chain has is accepted, whatever the refusal', async () => {
    expect(await broadcast(new Refusal(-27, 'Transaction outputs already in utxo set'))).toEqual({
      outcome: 'accepted',
    });
    const waiting = (txid: string) => (txid === TXID ? { txid, vin: [], vout: [] } : noTransaction());
    expect(await broadcast(spent, waiting)).toEqual({ outcome: 'accepted' });
  });

  test('a node without an index of all transactions can say neither that it was rejected nor that it is unknown', async () => {
    const noIndex = () =>
      new Refusal(
        -5,
        'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries.',
      );
    await expect(broadcast(spent, noIndex)).rejects.toThrow(ChainError);
    const { chain } = await start({ getrawtransaction: noIndex });
    await expect(chain.follow(TXID)).rejects.toThrow(ChainError);
  });
});

describe('blocks', () => {
  const header = { hash: hash('b'), height: 7, previousblockhash: hash('a'), confirmations: 1 };
  const beyond = () => new Refusal(-8, 'Block height out of range');

  test('beyond the head there is none', async () => {
    const { chain } = await start({ getblockhash: beyond });
    expect(await chain.block(8)).toBeUndefined();
  });

  test('a transaction whose block was taken off the chain is unknown', async () => {
    const { chain } = await start({
      getrawtransaction: () => ({ txid: TXID, vin: [], vout: [], blockhash: hash('b'), confirmations: 0 }),
      getblockheader: () => ({ ...header, confirmations: -1 }),
    });
    expect(await chain.follow(TXID)).toEqual({ state: 'unknown' });
  });

  const coinbase = { txid: hash('0'), vin: [{}], vout: [{ n: 0, value: 50, scriptPubKey: { hex: SCRIPT } }] };
  const output = { n: 3, value: 0.00001, scriptPubKey: { hex: SCRIPT } };
  const paying = { txid: hash('1'), vin: [{ txid: hash('2'), vout: 1 }], vout: [output] };
  const block = { number: 7, hash: hash('b'), parentHash: hash('a') };
  const read = async (script: Script) => {
    const { chain } = await start({ getblockhash: () => hash('b'), ...script });
    return chain.inboundTransfers(block, watching([ADDRESS]));
  };

  test('Core names the transactions of a block `tx`; a sender without an address is none', async () => {
    const parent = {
      vout: [output, { n: 1, value: 1, scriptPubKey: { hex: '51' } }].map((each, n) => ({ ...each, n })),
    };
    const script = { getblock: () => ({ tx: [coinbase, paying] }), getrawtransaction: () => parent };
    expect(await read(script)).toEqual([
      { txHash: hash('1'), index: 'vout:3', contract: null, from: null, to: ADDRESS, amount: 1_000n, block },
    ]);
  });

  test.each([
    ['no list', { getblock: () => ({}) }],
    ['a list without its first', { getblock: () => ({ tx: [paying] }) }],
    ['an unknown parent', { getblock: () => ({ tx: [coinbase, paying] }), getrawtransaction: noTransaction }],
    ['another block at its height', { getblock: () => ({ tx: [coinbase] }), getblockhash: () => hash('c') }],
  ])('%s: fails rather than leave something out', async (_name, script) => {
    await expect(read(script)).rejects.toThrow(ChainError);
  });
});

test('D8: a node that is still downloading the chain is asked nothing', async () => {
  const { chain, asked } = await start({ getblockchaininfo: () => ({ chain: 'main', initialblockdownload: true }) });
  await expect(chain.head()).rejects.toThrow('still downloading');
  await expect(chain.head()).rejects.toThrow('still downloading');
  expect(asked).toEqual(['getblockchaininfo', 'getblockchaininfo']);
});
