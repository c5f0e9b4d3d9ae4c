// Wallets for tests on a real btcd: a local key signs the digests as the cluster would, and the first one is paid by
// every block.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import { bitcoinAddress } from '../../../activities/chains/bitcoin/key-address.ts';
import type { Block } from '../../../activities/chains/port/movements.ts';
import type { Coin, FeeQuote, ReservedCoin, Transfer } from '../../../activities/chains/port/transactions.ts';
import { signedBytesOf } from '../../../activities/mpc/verify/digest.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import { startBitcoinNode } from './bitcoin-node.ts';

/** The first eleven can be spent. */
const FIRST_BLOCKS = 110;
export const btc = { contract: null, decimals: 8 };

export interface Wallet {
  secret: Uint8Array;
  publicKey: string;
  address: string;
}

export function newWallet(): Wallet {
  const secret = secp256k1.utils.randomSecretKey();
  const key = secp256k1.getPublicKey(secret, true);
  return { secret, publicKey: `0x${Buffer.from(key).toString('hex')}`, address: bitcoinAddress(key, 'regtest') };
}

export type TestBitcoin = Awaited<ReturnType<typeof startBitcoin>>;

export async function startBitcoin() {
  const miner = newWallet();
  const node = await startBitcoinNode(miner.address);
  const chain = bitcoinChain({ rpcUrl: node.rpcUrl, network: 'regtest' });
  const mine = (count = 1) => node.ask<string[]>('generate', count);
  const coinsOf = async (address: string): Promise<Coin[]> => (await chain.coins(address)).free;

  /** Builds and signs; `quote` as the chain estimates it for these coins, unless another is given. */
  async function sign(wallet: Wallet, transfer: Transfer, coins: readonly ReservedCoin[], quote?: FeeQuote) {
    const reservation = { coins };
    const fee = quote ?? (await chain.estimateFee(transfer, 'medium', reservation));
    const { unsigned, payloads } = await chain.build(transfer, fee, reservation);
    const signatures = payloads.map((payload) => {
      const digest = signedBytesOf(decodePayload(payload));
      return `0x${Buffer.from(secp256k1.sign(digest, wallet.secret, { prehash: false })).toString('hex')}1b`;
    });
    return { ...chain.assemble(unsigned, signatures, wallet.publicKey), fee, coins };
  }

  async function pay(wallet: Wallet, to: string, amount: bigint) {
    const transfer = { from: wallet.address, to, asset: btc, amount };
    const quote = await chain.estimateFee(transfer, 'medium');
    const coins = chain.selectCoins(await coinsOf(wallet.address), transfer, quote);
    const signed = await sign(wallet, transfer, coins);
    expect(await chain.broadcast(signed.raw)).toEqual({ outcome: 'accepted' });
    return signed;
  }

  /** A wallet with one confirmed coin. */
  async function newFundedWallet(amount = 1_000_000n): Promise<Wallet & { coins: Coin[] }> {
    const wallet = newWallet();
    await pay(miner, wallet.address, amount);
    await mine();
    return { ...wallet, coins: await coinsOf(wallet.address) };
  }

  async function blockAt(number: number): Promise<Block> {
    const block = await chain.block(number);
    if (block === undefined) throw new Error(`there is no block ${number}`);
    return block;
  }

  await mine(FIRST_BLOCKS);
  return { node, chain, miner, mine, coinsOf, sign, pay, newFundedWallet, blockAt };
}
