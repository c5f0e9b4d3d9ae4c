// Fake deposits on Bitcoin (control D4), each upon a wallet of its own, and true ones that look like them.

import { p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer';
import { hexToBytes } from 'viem';
import type { TestBitcoin, Wallet } from '../../../support/chains/bitcoin-wallets.ts';

export interface BitcoinWorld {
  bitcoin: TestBitcoin;
  /** The wallet that the fake is aimed at. */
  ours: Wallet;
  /** Reads on, amid the play. */
  read: () => Promise<unknown>;
}

export interface BitcoinCase {
  name: string;
  play: (world: BitcoinWorld) => Promise<unknown>;
  credited?: readonly bigint[];
}

const AMOUNT = 1_000_000n;
const native = { contract: null, decimals: 8 };
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

const fund = async ({ bitcoin, ours }: BitcoinWorld) => {
  const paid = await bitcoin.pay(bitcoin.miner, ours.address, AMOUNT);
  await bitcoin.mine();
  return paid;
};

/** Another transaction over the same coins, that nodes prefer. */
async function replace(
  { bitcoin }: BitcoinWorld,
  paid: Awaited<ReturnType<TestBitcoin['pay']>>,
  to: string,
  amount: bigint,
) {
  const dearer = bitcoin.chain.raiseFee(paid.fee, 200);
  const transfer = { from: bitcoin.miner.address, to, asset: native, amount };
  const { raw } = await bitcoin.sign(bitcoin.miner, transfer, paid.coins, dearer);
  const { outcome } = await bitcoin.chain.broadcast(raw);
  if (outcome !== 'accepted') throw new Error('the replacement was not taken');
}

const publicKeyOf = ({ publicKey }: Wallet) => hexToBytes(publicKey as `0x${string}`);

/** Of the same key, and none of the wallet's: it neither sees nor spends what lies there. */
const otherForms: Record<string, (wallet: Wallet) => string | undefined> = {
  'an old address (P2PKH)': (wallet) => p2pkh(publicKeyOf(wallet), REGTEST).address,
  'a wrapped address (P2SH)': (wallet) => p2sh(p2wpkh(publicKeyOf(wallet), REGTEST), REGTEST).address,
  'a taproot address (P2TR)': (wallet) => p2tr(publicKeyOf(wallet).slice(1), undefined, REGTEST).address,
};

export const bitcoinCases: readonly BitcoinCase[] = [
  {
    name: 'the change of a payment of the wallet’s own',
    play: async (world) => {
      await fund(world);
      await world.bitcoin.pay(world.ours, world.bitcoin.miner.address, 300_000n);
    },
    credited: [AMOUNT],
  },
  {
    name: 'change that is barely more than dust',
    play: async (world) => {
      await fund(world);
      const coins = await world.bitcoin.coinsOf(world.ours.address);
      const transfer = { from: world.ours.address, to: world.bitcoin.miner.address, asset: native, amount: 0n };
      const { maxFee } = await world.bitcoin.chain.estimateFee({ ...transfer, amount: AMOUNT / 2n }, 'medium', {
        coins,
      });
      const signed = await world.bitcoin.sign(world.ours, { ...transfer, amount: AMOUNT - maxFee - 700n }, coins);
      await world.bitcoin.chain.broadcast(signed.raw);
    },
    credited: [AMOUNT],
  },
  {
    name: 'a drop, which gives the wallet all that it had',
    play: async (world) => {
      await fund(world);
      const coins = await world.bitcoin.coinsOf(world.ours.address);
      const transfer = { from: world.ours.address, to: world.ours.address, asset: native, amount: 0n };
      const signed = await world.bitcoin.sign(world.ours, transfer, coins);
      await world.bitcoin.chain.broadcast(signed.raw);
    },
    credited: [AMOUNT],
  },
  {
    name: 'a payment that is replaced before it is mined',
    play: async (world) => {
      const paid = await world.bitcoin.pay(world.bitcoin.miner, world.ours.address, AMOUNT);
      await world.read();
      await replace(world, paid, world.bitcoin.miner.address, 2n * AMOUNT);
    },
  },
  {
    name: 'a payment that is replaced by one of another amount',
    play: async (world) => {
      const paid = await world.bitcoin.pay(world.bitcoin.miner, world.ours.address, AMOUNT);
      await world.read();
      await replace(world, paid, world.ours.address, AMOUNT / 2n);
    },
    credited: [AMOUNT / 2n],
  },
  {
    name: 'a payment that a reorganisation undoes, for one that conflicts with it',
    play: async (world) => {
      const { bitcoin } = world;
      const paid = await fund(world);
      await world.read();
      await bitcoin.node.ask('invalidateblock', (await bitcoin.chain.head()).hash);
      await replace(world, paid, bitcoin.miner.address, 2n * AMOUNT);
    },
    credited: [],
  },
  {
    name: 'a payment that is mined twice',
    play: async (world) => {
      await fund(world);
      await world.read();
      await world.bitcoin.node.ask('invalidateblock', (await world.bitcoin.chain.head()).hash);
    },
    credited: [AMOUNT],
  },
  ...Object.entries(otherForms).map(
    ([form, addressOf]): BitcoinCase => ({
      name: `a payment to ${form} of the wallet’s key`,
      play: ({ bitcoin, ours }) => bitcoin.pay(bitcoin.miner, addressOf(ours) ?? '', AMOUNT),
    }),
  ),
];
