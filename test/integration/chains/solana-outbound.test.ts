// Goal: what a transaction took from an address is what the chain's own balances lost there, fees of failed ones
// included, with the signature where there is one. Method: the port against the sandbox's Solana as its own process;
// transactions of a client that knows nothing of the port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, getBase58Encoder, lamports } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type { OutboundTransfer } from '../../../activities/chains/port/movements.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import {
  fundedSolanaClient,
  makeMint,
  SOL,
  type SolanaClient,
  signFor,
  tokenAccountOf,
} from '../../support/chains/solana.ts';
import { watching } from '../../support/chains/watching.ts';

const FEE = 5_000n;

let directory: string;
let node: TestChain;
let client: SolanaClient;
let chain: Chain;

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
const hexOf = (base58: string) => `0x${Buffer.from(getBase58Encoder().encode(base58)).toString('hex')}`;

async function outboundTransfersIn(
  slot: bigint,
  ours: readonly string[],
  mints: readonly string[] = [],
): Promise<OutboundTransfer[]> {
  const block = await chain.block(Number(slot));
  if (block === undefined) throw new Error(`no block ${slot}`);
  const watched = watching(ours, mints);
  const { inboundTransfers, outboundTransfers } = await chain.movements(block, watched);
  expect(watched.asked).toHaveLength(1);
  expect(inboundTransfers).toEqual(await chain.inboundTransfers(block, watching(ours, mints)));
  return outboundTransfers;
}

test('lamports with the fee, of the payer; nothing of others', async () => {
  const { payer } = client;
  const to = await stranger();
  const { slot, signature } = await client.execute(
    getTransferSolInstruction({ source: payer, destination: to, amount: SOL }),
  );
  const outboundTransfers = await outboundTransfersIn(slot, [payer.address, to]);
  expect(outboundTransfers).toMatchObject([
    {
      txHash: signature,
      index: `lamports:${payer.address}`,
      contract: null,
      from: payer.address,
      to,
      amount: SOL + FEE,
      fee: FEE,
      succeeded: true,
      isCounted: true,
    },
  ]);
  expect(outboundTransfers[0]?.signatures).toEqual([hexOf(signature)]);
  expect(await outboundTransfersIn(slot, [to])).toEqual([]);
});

test('the fee of a transaction that failed', async () => {
  const { payer } = client;
  const amount = 10_000n * SOL;
  const failing = await client.sign(
    getTransferSolInstruction({ source: payer, destination: await stranger(), amount }),
  );
  const { slot, meta } = await client.confirm(await client.send(failing, true));
  expect(meta.err).not.toBeNull();
  expect(await outboundTransfersIn(slot, [payer.address])).toMatchObject([
    { amount: FEE, fee: FEE, succeeded: false, to: null },
  ]);
});

test('tokens: by the owner, by whom it approved, and an account that is given away; each as its balance says', async () => {
  const { payer, rpc, confirm, send } = client;
  const { mint, mintTo } = await makeMint(client, 6);
  const [owner, delegate, other] = await Promise.all([1, 2, 3].map(() => generateKeyPairSigner()));
  if (owner === undefined || delegate === undefined || other === undefined) throw new Error('no keys');
  for (const each of [owner, delegate, other])
    await client.execute(getTransferSolInstruction({ source: payer, destination: each.address, amount: SOL }));
  await mintTo(owner.address, 100n);
  const [source, destination] = [await tokenAccountOf(owner.address, mint), await tokenAccountOf(other.address, mint)];
  await client.execute(
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata: destination, owner: other.address, mint }),
  );
  const execute = async (signer: typeof owner, ...instructions: Parameters<typeof signFor>[1]) => {
    const signature = await send(await signFor(signer, instructions, (await rpc.getLatestBlockhash().send()).value));
    return { ...(await confirm(signature)), signature };
  };
  const tokensLeft = async ({ slot }: { slot: bigint }) =>
    (await outboundTransfersIn(slot, [owner.address], [mint])).filter(({ contract }) => contract !== null);
  const common = { contract: mint, from: owner.address, index: `token:${mint}:${source}` };

  const own = await execute(
    owner,
    getTransferInstruction({ source, destination, authority: owner, amount: 10n }),
    getApproveInstruction({ source, delegate: delegate.address, owner, amount: 30n }),
  );
  const receiver = { to: other.address, fee: 0n, succeeded: true, isCounted: true };
  expect(await tokensLeft(own)).toMatchObject([
    { ...common, ...receiver, amount: 10n, signatures: [hexOf(own.signature)] },
  ]);
  expect(await outboundTransfersIn(own.slot, [owner.address])).toHaveLength(1); // of a mint that nobody asked for, the fee only

  const taken = await execute(
    delegate,
    getTransferInstruction({ source, destination, authority: delegate, amount: 30n }),
  );
  expect(await tokensLeft(taken)).toMatchObject([{ ...common, amount: 30n, signatures: [] }]);

  const given = await execute(
    owner,
    getSetAuthorityInstruction({
      owned: source,
      owner,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: other.address,
    }),
  );
  expect(await tokensLeft(given)).toMatchObject([{ ...common, amount: 60n, signatures: [hexOf(given.signature)] }]);

  // What lies in another account than the associated one was never a part of the balance.
  const aside = await execute(other, getTransferInstruction({ source, destination, authority: other, amount: 5n }));
  const ofOther = await outboundTransfersIn(aside.slot, [other.address], [mint]);
  expect(ofOther.filter(({ contract }) => contract === mint)).toMatchObject([{ amount: 5n, isCounted: false }]);
});

test('a signer who does not pay the fee has a signature of his own', async () => {
  const source = await generateKeyPairSigner();
  await client.rpc.requestAirdrop(source.address, lamports(2n * SOL)).send();
  const { slot, signature } = await client.execute(
    getTransferSolInstruction({ source, destination: await stranger(), amount: SOL }),
  );
  const [outboundTransfer, ...more] = await outboundTransfersIn(slot, [source.address]);
  expect(more).toEqual([]);
  expect(outboundTransfer).toMatchObject({ txHash: signature, amount: SOL, fee: 0n });
  expect(outboundTransfer?.signatures).toHaveLength(1);
  expect(outboundTransfer?.signatures).not.toEqual([hexOf(signature)]);
});
