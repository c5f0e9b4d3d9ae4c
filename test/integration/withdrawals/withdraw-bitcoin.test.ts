// Goal: a withdrawal of bitcoin ends once, with a settled ledger, whichever of its transactions is mined and whatever
// becomes of its coins. Method: the product's workflow and activities on real PostgreSQL and Temporal, against a real
// btcd that mines only when it is told to, behind a node that answers as the test says; and against the sandbox's own,
// which is killed. The cluster is in memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import type { UtxoChain } from '../../../activities/chains/port/chain.ts';
import { signedBytesOf } from '../../../activities/mpc/verify/digest.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import { treasuries } from '../../../domain/catalog/sandbox.ts';
import { type AnsweringProxy, refuses, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { btc, newWallet, startBitcoin, type TestBitcoin, type Wallet } from '../../support/chains/bitcoin-wallets.ts';
import { startTestBitcoin, type TestChain } from '../../support/chains/chains.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'BTC_SANDBOX';
const BUILD_MS = 300_000;
const COIN = 1_000_000n;
const CONFIRMATIONS = 2;
/** In satoshis a virtual byte, where the node has seen too few blocks to tell. */
const RATE = 5n;
/** By how many coins it spends, with one recipient of P2WPKH and the change. */
const vsizeOf = (coins: number) => BigInt(Math.ceil((42 + coins * 272 + 2 * 124) / 4));

const until = (isSo: () => Promise<unknown>, what: unknown) => expect.poll(isSo, { timeout: 60_000 }).toEqual(what);

describe('on a chain that the test mines', () => {
  let bitcoin: TestBitcoin;
  let node: AnsweringProxy;
  let stack: WithdrawalStack;
  let walletId: string;
  let from: string;

  beforeAll(async () => {
    bitcoin = await startBitcoin();
    const url = new URL(bitcoin.node.rpcUrl);
    node = await startAnsweringProxy(url.origin);
    url.host = node.host;
    stack = await startWithdrawals({ [networkCode]: url.href }, { fastRetries: true, confirmations: CONFIRMATIONS });
  }, BUILD_MS);
  afterAll(async () => {
    await stack.stop();
    node.stop();
    await bitcoin.node.stop();
  });
  beforeEach(async () => {
    walletId = await stack.makeWallet();
    from = await stack.addressOf(walletId, networkCode);
  });
  afterEach(() => node.answers.clear());

  async function fund(...coins: bigint[]): Promise<void> {
    for (const amount of coins) await bitcoin.pay(bitcoin.miner, from, amount);
    await bitcoin.mine();
    for (const amount of coins) await stack.credit(walletId, networkCode, amount);
  }

  const balanceOf = (address: string) => bitcoin.chain.balance(address, btc);
  const held = () => stack.balance(walletId, networkCode, 'held');
  const available = () => stack.balance(walletId, networkCode, 'available');
  const untilSubStatus = (id: string, subStatus: string) =>
    until(async () => (await stack.read(id)).subStatus, subStatus);
  const statusesOf = async (id: string) =>
    (await stack.transactionsOf(id)).map(({ kind, status }) => `${kind} ${status}`);
  const withdraw = (amount: bigint, to: string) => stack.withdraw({ walletId, networkCode, amount, to });
  const mempool = () => bitcoin.node.ask<string[]>('getrawmempool');
  const expectLedgerIsChain = async () => expectSettled(stack, walletId, networkCode, { BTC: await balanceOf(from) });

  /** What the transactions of a withdrawal spend, one list for each. */
  async function spentBy(id: string): Promise<string[][]> {
    return (await stack.transactionsOf(id)).map(({ signed }) => {
      const transaction = Transaction.fromRaw(Buffer.from(signed?.slice(2) ?? '', 'hex'));
      return Array.from({ length: transaction.inputsLength }, (_, index) => {
        const { txid, index: output } = transaction.getInput(index);
        return `${Buffer.from(txid ?? []).toString('hex')}:${output}`;
      });
    });
  }

  /** The cluster makes none before it is let go. */
  function holdNextSignature(): { isHeld: Promise<void>; letGo: () => void } {
    const sign = stack.cluster.sign.bind(stack.cluster);
    let [hold, letGo] = [() => {}, () => {}];
    const isHeld = new Promise<void>((resolve) => (hold = resolve));
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    stack.cluster.sign = async (...args) => {
      stack.cluster.sign = sign;
      hold();
      await isLetGo;
      return sign(...args);
    };
    return { isHeld, letGo };
  }

  /** The wallet's key, as whoever signs with it beside the withdrawals has it. */
  async function walletBeside(id: string): Promise<Wallet> {
    const path = (await stack.read(id)).derivationPath.replace('m/', '').split('/').map(Number);
    const secret = stack.cluster.privateKey(walletId, 'secp256k1', path);
    const publicKey = `0x${Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex')}`;
    return { secret, publicKey, address: from };
  }

  test('of whose signature a node may have a copy: its coins are spent before the money is given back', async () => {
    await fund(COIN);
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const to = newWallet().address;
    const id = await withdraw(COIN / 2n, to);
    await until(() => statusesOf(id), ['transfer abandoned', 'fill broadcast']);
    expect(await held()).toBeGreaterThan(COIN / 2n);
    await bitcoin.mine(CONFIRMATIONS);
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'mpc_error' });
    expect(await balanceOf(to)).toBe(0n);
    await expectLedgerIsChain();
  });

  describe('coins', () => {
    test('one: the amount and the fee leave, the change comes back', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      const fee = RATE * vsizeOf(1);
      expect([await held(), await available()]).toEqual([400_000n + fee, 600_000n - fee]);
      await bitcoin.mine(CONFIRMATIONS);
      expect(await stack.until(id, 'completed')).toMatchObject({ feePaidBaseUnits: fee, subStatus: null });
      expect(await stack.activityOf(id)).toMatchObject({ feeBaseUnits: fee });
      expect(await balanceOf(to)).toBe(400_000n);
      expect(await balanceOf(from)).toBe(600_000n - fee);
      await expectLedgerIsChain();
    });

    test('several: each has a signature of its own', async () => {
      await fund(400_000n, 300_000n, 200_000n);
      const to = newWallet().address;
      const id = await withdraw(800_000n, to);
      await untilSubStatus(id, 'confirming');
      const [transaction] = await stack.transactionsOf(id);
      expect(transaction?.signingIds).toHaveLength(3);
      expect((await spentBy(id))[0]).toHaveLength(3);
      await bitcoin.mine(CONFIRMATIONS);
      const row = await stack.until(id, 'completed');
      expect(row).toMatchObject({ feePaidBaseUnits: RATE * vsizeOf(3), signedByNodes: [1, 2] });
      expect(await balanceOf(to)).toBe(800_000n);
      await expectLedgerIsChain();
    });

    test('all of them: what would be left is dust, and goes to the fee', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const fee = RATE * (vsizeOf(1) - 31n);
      const id = await withdraw(COIN - fee - 200n, to);
      await untilSubStatus(id, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      expect((await stack.until(id, 'completed')).feePaidBaseUnits).toBe(fee + 200n);
      expect(await available()).toBe(0n);
      await expectLedgerIsChain();
    });

    test('of two withdrawals at once are never the same', async () => {
      await fund(COIN, COIN, COIN);
      const recipients = [newWallet().address, newWallet().address, newWallet().address];
      const ids = await Promise.all(recipients.map((to) => withdraw(500_000n, to)));
      for (const id of ids) await untilSubStatus(id, 'confirming');
      const spent = (await Promise.all(ids.map(spentBy))).flat(2);
      expect(new Set(spent).size).toBe(3);
      await bitcoin.mine(CONFIRMATIONS);
      for (const id of ids) await stack.until(id, 'completed');
      for (const to of recipients) expect(await balanceOf(to)).toBe(500_000n);
      await expectLedgerIsChain();
    });

    test('that another has taken and not spent yet are passed over', async () => {
      await fund(COIN, COIN);
      const signature = holdNextSignature();
      const first = await withdraw(500_000n, newWallet().address);
      await untilSubStatus(first, 'awaiting_signature');
      await signature.isHeld;
      const second = await withdraw(500_000n, newWallet().address);
      await untilSubStatus(second, 'confirming');
      expect((await stack.read(first)).subStatus).toBe('awaiting_signature');
      signature.letGo();
      await untilSubStatus(first, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      for (const id of [first, second]) await stack.until(id, 'completed');
      await expectLedgerIsChain();
    });

    test('that are all taken are waited for: the next goes on with the change', async () => {
      await fund(COIN);
      const [one, other] = [newWallet().address, newWallet().address];
      const first = await withdraw(300_000n, one);
      await untilSubStatus(first, 'confirming');
      const second = await withdraw(300_000n, other);
      await untilSubStatus(second, 'insufficient_funds');
      expect((await stack.read(second)).shortage).toMatchObject({
        symbol: 'BTC',
        missing: '0.0030055',
      });
      expect(await stack.transactionsOf(second)).toEqual([]);
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(first, 'completed');
      await untilSubStatus(second, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(second, 'completed');
      expect([await balanceOf(one), await balanceOf(other)]).toEqual([300_000n, 300_000n]);
      await expectLedgerIsChain();
    });

    test('of a withdrawal whose signature fails are free again', async () => {
      await fund(COIN);
      stack.cluster.meet('sign', 'mpc_refused');
      const failed = await withdraw(300_000n, newWallet().address);
      expect(await stack.until(failed, 'failed')).toMatchObject({ txHash: null });
      await expectLedgerIsChain();
      const next = await withdraw(300_000n, newWallet().address);
      await untilSubStatus(next, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(next, 'completed');
      await expectLedgerIsChain();
    });
  });

  describe('what can never be sent fails at once, with everything released:', () => {
    test.each([
      ['dust', 293n, () => newWallet().address],
      ['an address of another network', 100_000n, () => 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ])('%s', async (_what, amount, to) => {
      await fund(COIN);
      const id = await withdraw(amount, to());
      expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'impossible_transfer', txHash: null });
      expect(await stack.transactionsOf(id)).toEqual([]);
      await expectLedgerIsChain();
    });

    test('the least that is no dust is sent', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(294n, to);
      await untilSubStatus(id, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      expect(await balanceOf(to)).toBe(294n);
      await expectLedgerIsChain();
    });
  });

  describe('T5: a reissue', () => {
    test('that speeds it up spends the same coins: only one of the two can land', async () => {
      await fund(COIN, COIN);
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      await stack.replace(id, 'speed_up');
      await until(() => statusesOf(id), ['transfer broadcast', 'speed_up broadcast']);
      const [first, second] = await stack.transactionsOf(id);
      const [coins, reissued] = await spentBy(id);
      expect(reissued).toEqual(coins);
      expect(await mempool()).toEqual([second?.txHash]);
      expect(second?.maxFeeBaseUnits).toBeGreaterThanOrEqual(((first?.maxFeeBaseUnits ?? 0n) * 12n) / 10n);
      expect(await held()).toBe(400_000n + (second?.maxFeeBaseUnits ?? 0n));
      await bitcoin.mine(CONFIRMATIONS);
      const row = await stack.until(id, 'completed');
      expect([row.txHash, row.feePaidBaseUnits]).toEqual([second?.txHash, second?.maxFeeBaseUnits]);
      expect(await statusesOf(id)).toEqual(['transfer abandoned', 'speed_up included']);
      expect(await balanceOf(to)).toBe(400_000n);
      await expectLedgerIsChain();
    });

    test('again and again is taken by the node each time', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      for (const made of [2, 3, 4]) {
        await stack.replace(id, 'speed_up');
        await until(async () => (await statusesOf(id)).filter((each) => each.endsWith('broadcast')).length, made);
      }
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      expect(new Set((await spentBy(id)).flat()).size).toBe(1);
      expect(await balanceOf(to)).toBe(400_000n);
      await expectLedgerIsChain();
    });

    test('that got lost leaves the first to land: it completes with the fee of the first', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      node.answers.set('sendrawtransaction', says('ab'.repeat(32)));
      await stack.replace(id, 'speed_up');
      await until(() => statusesOf(id), ['transfer broadcast', 'speed_up broadcast']);
      await bitcoin.mine(CONFIRMATIONS);
      const [first] = await stack.transactionsOf(id);
      const row = await stack.until(id, 'completed');
      expect([row.txHash, row.feePaidBaseUnits]).toEqual([first?.txHash, first?.maxFeeBaseUnits]);
      expect(await balanceOf(to)).toBe(400_000n);
      await expectLedgerIsChain();
    });

    test('that drops it gives the money back only once it is mined, less its fee', async () => {
      await fund(400_000n, 300_000n);
      const to = newWallet().address;
      const id = await withdraw(600_000n, to);
      await untilSubStatus(id, 'confirming');
      await stack.replace(id, 'drop');
      await until(() => statusesOf(id), ['transfer broadcast', 'drop broadcast']);
      const [coins, reissued] = await spentBy(id);
      expect(reissued).toEqual(coins);
      expect(await held()).toBeGreaterThan(600_000n);
      await bitcoin.mine();
      await until(async () => (await stack.read(id)).confirmations, 1);
      expect(await held()).toBeGreaterThan(600_000n);
      await bitcoin.mine();
      expect(await stack.until(id, 'failed')).toMatchObject({ subStatus: 'replaced', errorCode: 'dropped' });
      expect(await balanceOf(to)).toBe(0n);
      await expectLedgerIsChain();
    });

    test('that nothing is left to pay for is not made; a drop is', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(COIN - RATE * (vsizeOf(1) - 31n), to);
      await untilSubStatus(id, 'confirming');
      await stack.replace(id, 'speed_up');
      await until(async () => (await stack.read(id)).requestedReplacement, null);
      expect(await statusesOf(id)).toEqual(['transfer broadcast']);
      await stack.credit(walletId, networkCode, 10_000n); // a deposit: the higher fee can be held
      await stack.replace(id, 'drop');
      await until(() => statusesOf(id), ['transfer broadcast', 'drop broadcast']);
      await bitcoin.mine(CONFIRMATIONS);
      expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'dropped' });
      expect(await balanceOf(to)).toBe(0n);
      expect([await available(), await held()]).toEqual([(await balanceOf(from)) + 10_000n, 0n]);
      await stack.assertBalanced();
    });

    test('by whoever has the key beside it: the money comes back only when that is final, and its other coins are free', async () => {
      await fund(400_000n, 300_000n);
      const [coin] = (await bitcoin.coinsOf(from)).filter(({ amount }) => amount === 400_000n);
      const to = newWallet().address;
      const id = await withdraw(600_000n, to);
      await untilSubStatus(id, 'confirming');
      const beside = await walletBeside(id);
      const other = newWallet().address;
      const transfer = { from, to: other, asset: btc, amount: 100_000n };
      const quote = { level: 'high', maxFee: COIN, parameters: { rate: '50' } } as const;
      const conflict = await bitcoin.sign(beside, transfer, coin === undefined ? [] : [coin], quote);
      expect(await bitcoin.chain.broadcast(conflict.raw)).toEqual({ outcome: 'accepted' });
      await bitcoin.mine();
      await untilSubStatus(id, 'stuck');
      expect(await held()).toBeGreaterThan(600_000n);
      await bitcoin.mine();
      expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'replaced_elsewhere' });
      expect(await statusesOf(id)).toEqual(['transfer abandoned']);
      expect([await held(), await available()]).toEqual([0n, 700_000n]);
      await stack.assertBalanced();
      const next = await withdraw(500_000n, to); // by the coin that was not spent, and the change of the other one
      await untilSubStatus(next, 'confirming');
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(next, 'completed');
      expect(await balanceOf(to)).toBe(500_000n);
    });
  });

  describe('a chain that changes', () => {
    test('T4: a reorg takes it out of its block: it is on its way again, is mined again and completes once', async () => {
      await fund(COIN);
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      const [lost] = await bitcoin.mine();
      await until(async () => (await stack.read(id)).confirmations, 1);
      await bitcoin.node.ask('invalidateblock', lost);
      await until(async () => (await stack.historyOf(id)).includes('processing reorged'), true);
      expect(await held()).toBeGreaterThan(400_000n);
      const [transaction] = await stack.transactionsOf(id);
      await until(mempool, [transaction?.txHash]);
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer included']);
      expect(await balanceOf(to)).toBe(400_000n);
      await expectLedgerIsChain();
    });

    test('what the node has forgotten goes out again with the same bytes', async () => {
      await fund(COIN);
      node.answers.set('sendrawtransaction', says('ab'.repeat(32)));
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      expect(await mempool()).toEqual([]);
      node.answers.clear();
      const [transaction] = await stack.transactionsOf(id);
      await until(mempool, [transaction?.txHash]);
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      expect(await statusesOf(id)).toEqual(['transfer included']);
      await expectLedgerIsChain();
    });

    test('what the node refused at first is known as sent once it takes it', async () => {
      await fund(COIN);
      node.answers.set('sendrawtransaction', refuses('min relay fee not met', -26));
      const id = await withdraw(400_000n, newWallet().address);
      await untilSubStatus(id, 'stuck');
      expect(await stack.read(id)).toMatchObject({ txHash: null });
      node.answers.clear();
      await untilSubStatus(id, 'confirming');
      const [transaction] = await stack.transactionsOf(id);
      expect([transaction?.status, (await stack.read(id)).txHash]).toEqual(['broadcast', transaction?.txHash]);
      expect(await mempool()).toEqual([transaction?.txHash]);
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      await expectLedgerIsChain();
    });

    test('T1: a broadcast whose answer is lost is not a second one', async () => {
      await fund(COIN);
      let sent = 0;
      node.answers.set('sendrawtransaction', async (response, truth) => {
        await truth();
        sent += 1;
        if (sent > 2) node.answers.clear();
        response.destroy();
      });
      const to = newWallet().address;
      const id = await withdraw(400_000n, to);
      await untilSubStatus(id, 'confirming');
      expect(sent).toBe(3);
      expect(await mempool()).toHaveLength(1);
      await bitcoin.mine(CONFIRMATIONS);
      await stack.until(id, 'completed');
      expect(await balanceOf(to)).toBe(400_000n);
      await expectLedgerIsChain();
    });
  });
});

describe('on the chain of the sandbox', () => {
  let directory: string;
  let chain: TestChain;
  let stack: WithdrawalStack;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-bitcoin-'));
    chain = await startTestBitcoin(directory);
    stack = await startWithdrawals({ [networkCode]: chain.address }, { fastRetries: true });
  }, BUILD_MS);
  afterAll(async () => {
    await stack.stop();
    await chain.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('killed in the midst, what waited goes out again, and every withdrawal lands once', async () => {
    const miner = bitcoinChain({ rpcUrl: chain.address, network: 'regtest' });
    const balanceOf = (address: string) => miner.balance(address, btc);
    const walletId = await stack.makeWallet();
    const from = await stack.addressOf(walletId, networkCode);
    const amounts = [COIN, COIN, COIN];
    for (const amount of amounts) await payFromTreasury(miner, from, amount);
    await until(() => balanceOf(from), 3n * COIN);
    for (const amount of amounts) await stack.credit(walletId, networkCode, amount);
    const recipients = [newWallet().address, newWallet().address, newWallet().address];
    const ids: string[] = [];
    for (const [index, to] of recipients.entries()) {
      ids.push(await stack.withdraw({ walletId, networkCode, amount: 400_000n, to }));
      await new Promise((resolve) => setTimeout(resolve, index * 400));
      chain.part().kill('SIGKILL');
      await chain.part().exited;
    }
    for (const id of ids) await stack.until(id, 'completed', 90_000);
    for (const to of recipients) expect(await balanceOf(to)).toBe(400_000n);
    await expectSettled(stack, walletId, networkCode, { BTC: await balanceOf(from) });
  }, 180_000);
});

async function payFromTreasury(chain: UtxoChain, to: string, amount: bigint): Promise<void> {
  const { privateKey, address: from } = treasuries.BTC_SANDBOX;
  const secret = Buffer.from(privateKey, 'hex');
  const transfer = { from, to, asset: btc, amount };
  const { free: among } = await chain.coins(from);
  const coins = chain.selectCoins(among, transfer, await chain.estimateFee(transfer, 'medium'));
  const quote = await chain.estimateFee(transfer, 'medium', { coins });
  const { unsigned, payloads } = await chain.build(transfer, quote, { coins });
  const signatures = payloads.map((payload) => {
    const digest = signedBytesOf(decodePayload(payload));
    return `0x${Buffer.from(secp256k1.sign(digest, secret, { prehash: false })).toString('hex')}1b`;
  });
  const publicKey = Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex');
  const { raw } = chain.assemble(unsigned, signatures, publicKey);
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
}
