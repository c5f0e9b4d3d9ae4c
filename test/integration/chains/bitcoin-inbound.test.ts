// Goal: every inbound transfer of Bitcoin is seen once, with its true amount, whatever becomes of its block. Method: a
// real btcd of its own, mined and reorganised by the test.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import { btc, newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { watching } from '../../support/chains/watching.ts';

const BUILD_MS = 300_000;

let bitcoin: TestBitcoin;
beforeAll(async () => {
  bitcoin = await startBitcoin();
}, BUILD_MS);
afterAll(() => bitcoin.node.stop());

const headBlock = async () => bitcoin.blockAt((await bitcoin.chain.head()).number);

describe('blocks', () => {
  test('the head, each block with the hash of the one before, and none beyond', async () => {
    const head = await bitcoin.chain.head();
    expect(await bitcoin.chain.block(head.number)).toEqual(head);
    expect((await bitcoin.chain.block(head.number - 1))?.hash).toBe(head.parentHash);
    expect(await bitcoin.chain.block(head.number + 1)).toBeUndefined();
    expect(await bitcoin.chain.block(0)).toMatchObject({ number: 0, parentHash: '0'.repeat(64) });
    await bitcoin.mine();
    expect((await bitcoin.chain.head()).parentHash).toBe(head.hash);
  });
});

describe('inbound transfers', () => {
  test('what others send, with its sender; not the change, and nothing at addresses of others', async () => {
    const wallet = await bitcoin.newFundedWallet(1_234_567n);
    const to = newWallet().address;
    const ours = watching([wallet.address, to]);
    const funded = await headBlock();
    const [coin] = wallet.coins;
    expect(await bitcoin.chain.inboundTransfers(funded, ours)).toEqual([
      {
        txHash: coin?.txHash,
        index: `vout:${coin?.index}`,
        contract: null,
        from: bitcoin.miner.address,
        to: wallet.address,
        amount: 1_234_567n,
        block: funded,
      },
    ]);
    expect(await bitcoin.chain.inboundTransfers(funded, watching([]))).toEqual([]);
    // Asked once: the change, the payment, and the miner of the block that can be spent now.
    expect(ours.asked.map((addresses) => addresses.toSorted())).toEqual([
      [bitcoin.miner.address, wallet.address].toSorted(),
    ]);

    const { txHash } = await bitcoin.pay(wallet, to, 1_000_000n);
    await bitcoin.mine();
    const block = await headBlock();
    const inboundTransfers = await bitcoin.chain.inboundTransfers(block, ours);
    expect(inboundTransfers.map((each) => [each.txHash, each.from, each.to, each.amount])).toEqual([
      [txHash, wallet.address, to, 1_000_000n],
    ]);
  });

  test('what a block pays its miner arrives with the block in which it can be spent', async () => {
    const block = await headBlock();
    const [inboundTransfer, ...others] = await bitcoin.chain.inboundTransfers(block, watching([bitcoin.miner.address]));
    expect(others).toEqual([]);
    expect(inboundTransfer).toMatchObject({ index: 'vout:0', from: null, amount: expect.any(BigInt), block });
    expect(await bitcoin.chain.follow(inboundTransfer?.txHash ?? '')).toMatchObject({ blockNumber: block.number - 99 });
    const young = await bitcoin.blockAt(50);
    expect(await bitcoin.chain.inboundTransfers(young, watching([bitcoin.miner.address]))).toEqual([]);
  });

  test('D4: mined again in another block, it is the same inbound transfer; the block that is gone is refused', async () => {
    const wallet = newWallet();
    const { raw } = await bitcoin.pay(bitcoin.miner, wallet.address, 777_777n);
    await bitcoin.mine();
    const ours = watching([wallet.address]);
    const lost = await headBlock();
    const [before] = await bitcoin.chain.inboundTransfers(lost, ours);
    await bitcoin.node.ask('invalidateblock', lost.hash);
    await expect(bitcoin.chain.inboundTransfers(lost, ours)).rejects.toThrow(ChainError);
    expect(await bitcoin.chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    await bitcoin.mine(2);
    const again = await bitcoin.blockAt(lost.number);
    expect(again.hash).not.toBe(lost.hash);
    const [after] = await bitcoin.chain.inboundTransfers(again, ours);
    expect(after).toEqual({ ...before, block: again });
    expect(await bitcoin.chain.balance(wallet.address, btc)).toBe(777_777n);
  });
});
