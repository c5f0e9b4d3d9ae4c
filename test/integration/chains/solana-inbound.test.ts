// Goal: what arrived at an address of ours is what the chain's own balances gained there, whoever moved it and however,
// and nothing else is. Method: the port against the sandbox's Solana as its own process; transactions of a client that
// knows nothing of the port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExpiringChain } from '../../../activities/chains/port/chain.ts';
import type { Block } from '../../../activities/chains/port/movements.ts';
import type { Asset } from '../../../activities/chains/port/transactions.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import {
  fundedSolanaClient,
  inboundTransfersIn,
  makeMint,
  SOL,
  type SolanaClient,
  tokenAccountOf,
} from '../../support/chains/solana.ts';
import { watching } from '../../support/chains/watching.ts';

/** Of a token account of 165 bytes. */
const RENT = 2_039_280n;

let directory: string;
let node: TestChain;
let client: SolanaClient;
let chain: ExpiringChain;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  node = await startTestSolana(directory);
  client = await fundedSolanaClient(node.address);
  chain = solanaChain({ rpcUrl: node.address });
});
afterAll(async () => {
  await node.stop();
  rmSync(directory, { recursive: true, force: true });
});

const stranger = async () => (await generateKeyPairSigner()).address;
const token = (mint: Address): Asset => ({ contract: mint, decimals: 6 });

test('a look-alike mint arrives under its own name only', async () => {
  const [real, fake] = [await makeMint(client, 6), await makeMint(client, 6)];
  const to = await stranger();
  const { slot } = await fake.mintTo(to, 9_000_000n);
  expect(await inboundTransfersIn(chain, slot, [to], [real.mint])).toEqual([]);
  expect(await inboundTransfersIn(chain, slot, [to], [real.mint, fake.mint])).toMatchObject([
    { contract: fake.mint, from: null, amount: 9_000_000n },
  ]);
  expect(await chain.balance(to, token(real.mint))).toBe(0n);
});

test('tokens outside the wallet’s own account are no inbound transfer: the wallet’s transfers do not draw on them', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  const [ours, other, extra] = [await stranger(), await stranger(), await generateKeyPairSigner()];
  const { slot } = await client.execute(
    getCreateAccountInstruction({
      payer: client.payer,
      newAccount: extra,
      lamports: RENT,
      space: 165n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeAccount3Instruction({ account: extra.address, mint, owner: ours }),
    getMintToInstruction({ mint, token: extra.address, mintAuthority: client.payer, amount: 7n }),
  );
  expect(await inboundTransfersIn(chain, slot, [ours], [mint])).toEqual([]);
  expect(await chain.balance(ours, token(mint))).toBe(0n);
  const { slot: later } = await mintTo(other, 8n);
  expect(await inboundTransfersIn(chain, later, [ours], [mint])).toEqual([]);
});

test('one transaction that pays two of ours, and in two assets, is told apart', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  await mintTo(client.payer.address, 10n);
  const [one, two] = [await stranger(), await stranger()];
  const [source, destination] = [await tokenAccountOf(client.payer.address, mint), await tokenAccountOf(one, mint)];
  const pay = (to: Address, amount: bigint) =>
    getTransferSolInstruction({ source: client.payer, destination: to, amount });
  const { slot } = await client.execute(
    pay(one, SOL),
    pay(two, 2n * SOL),
    pay(one, SOL),
    getCreateAssociatedTokenIdempotentInstruction({ payer: client.payer, ata: destination, owner: one, mint }),
    getTransferCheckedInstruction({ source, mint, destination, authority: client.payer, amount: 4n, decimals: 6 }),
  );
  const watch = watching([one, two], [mint]);
  await chain.inboundTransfers((await chain.block(Number(slot))) as Block, watch);
  expect(watch.asked.map((addresses) => addresses.toSorted())).toEqual([[destination, one, two].toSorted()]);
  const found = (await inboundTransfersIn(chain, slot, [one, two], [mint])).map(({ index, amount, from }) => [
    index,
    amount,
    from,
  ]);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      [`lamports:${one}`, 2n * SOL, client.payer.address],
      [`lamports:${two}`, 2n * SOL, client.payer.address],
      [`token:${mint}:${one}`, 4n, client.payer.address],
    ]),
  );
});

test('what a program moves, without any transfer among the instructions, arrives', async () => {
  const { mint } = await makeMint(client, 6);
  const account = await tokenAccountOf(client.payer.address, mint);
  const { payer } = client;
  const created = await client.execute(
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata: account, owner: payer.address, mint }),
  );
  // The program of associated accounts has the system program pay the rent: an inner instruction.
  expect(await inboundTransfersIn(chain, created.slot, [account])).toMatchObject([
    { amount: RENT, from: payer.address },
  ]);
  const to = await stranger();
  const closed = await client.execute(getCloseAccountInstruction({ account, destination: to, owner: payer }));
  expect(await inboundTransfersIn(chain, closed.slot, [to])).toMatchObject([
    { txHash: closed.signature, index: `lamports:${to}`, amount: RENT, from: account },
  ]);
});
