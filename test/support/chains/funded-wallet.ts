// A wallet with money on one of the chains of outflow-families.ts, from which the product sends, or a caller what he
// had signed, or a thief who has a quorum of the nodes: the same cluster, asked beside the product.
import { v7 as uuidv7 } from 'uuid';
import { type Hex, keccak256 } from 'viem';
import { expect } from 'vitest';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type { FeeQuote, Reservation, Transfer } from '../../../activities/chains/port/transactions.ts';
import { deriveChild } from '../../../activities/mpc/verify/derive-child-key.ts';
import { encodeSignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import { type SigningPayload } from '../../../domain/signing/signing-payload.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { findWalletAddress, findWalletKey } from '../../../drizzle/wallets/wallet-keys.ts';
import { anySignature } from '../cluster/any-signature.ts';
import { makeSigningRequest, readSigningRequest } from '../rows/operation-rows.ts';
import type { WithdrawalStack } from '../withdrawals/withdrawals.ts';
import { watchDeposits } from './deposit-watch.ts';
import { type Family, TOKEN, TOKEN_DECIMALS } from './outflow-families.ts';

const STEP_MS = 60_000;
const TOKENS = 10n;

export type Signer = 'operation' | 'thief';

/** With some of everything, which the reader has credited. */
export async function newFundedWallet(stack: WithdrawalStack, family: Family) {
  const { networkCode, addressType, curve, chain } = family;
  const walletId = await stack.makeWallet();
  const row = await findWalletAddress(stack.db, walletId, addressType);
  const from = row?.address ?? '';
  const path = (row?.derivationPath ?? '').replace('m/', '').split('/').map(Number);
  const watch = watchDeposits(stack.db, { networkCode, chain });
  await family.fund(from);
  await watch.read();

  /** Of an EVM transaction the operation is shown only the digest. */
  async function byOperation(payload: SigningPayload): Promise<string> {
    const shown: SigningPayload =
      payload.kind === 'evm_transaction' ? { kind: 'raw_digest', hex: keccak256(payload.hex as Hex) } : payload;
    const chosen = { payload: shown, path, curve, networkCode, addressType };
    const task = await makeSigningRequest(stack.db, stack.workspaceId, walletId, chosen);
    const { client, taskQueue } = stack.worker;
    await client.workflow.execute('sign', {
      workflowId: workflowIdOf('sign', task.signingId),
      taskQueue,
      args: [task],
    });
    const { status, signature } = await readSigningRequest(stack.db, task.signingId);
    expect(status).toBe('success');
    return signature ?? '';
  }

  async function byThief(payload: SigningPayload): Promise<string> {
    const request = { operationId: uuidv7(), attempt: 1, walletId, curve, path, payload: decodePayload(payload) };
    return encodeSignature(curve, await stack.cluster.sign(request, anySignature));
  }

  /** As whoever has signatures sends: past the product. Answers once it is in a block. */
  async function send(signer: Signer, contract: string | null = null): Promise<string> {
    const txHash = await submit(signer, contract);
    await family.mine();
    await expect.poll(async () => (await chain.follow(txHash)).state, { timeout: STEP_MS }).toBe('included');
    return txHash;
  }

  async function submit(signer: Signer, contract: string | null = null): Promise<string> {
    const asset = { contract, decimals: contract === null ? 0 : TOKEN_DECIMALS };
    const amount = contract === null ? family.amount : TOKENS;
    const transfer: Transfer = { from, to: await family.recipient(), asset, amount };
    const guess = await chain.estimateFee(transfer, 'medium');
    const reservation = await reservationFor(chain, transfer, guess);
    const fee = chain.model === 'utxo' ? await chain.estimateFee(transfer, 'medium', reservation) : guess;
    const { unsigned, payloads } = await chain.build(transfer, fee, reservation);
    const signatures: string[] = [];
    for (const payload of payloads) signatures.push(await (signer === 'thief' ? byThief : byOperation)(payload));
    const root = await findWalletKey(stack.db, walletId, curve);
    if (root === undefined) throw new Error('the wallet has no key');
    const publicKey = Buffer.from(deriveChild(curve, root, path)).toString('hex');
    const { raw, txHash } = chain.assemble(unsigned, signatures, publicKey);
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    return txHash;
  }

  async function withdraw(symbol?: string): Promise<void> {
    const amount = symbol === undefined ? family.amount : TOKENS;
    const asked = { walletId, networkCode, amount, to: await family.recipient() };
    const id = await stack.withdraw({ ...asked, ...(symbol === undefined ? {} : { symbol }) });
    // As in the product, where blocks are read all the time.
    const look = async () => {
      await watch.read();
      return (await stack.transactionsOf(id))[0]?.status;
    };
    await expect.poll(look, { timeout: STEP_MS }).toMatch(/broadcast|included/);
    await family.mine();
    await stack.until(id, 'completed', STEP_MS);
  }

  /** By asset: what the ledger has more than the chain. */
  async function readDifferences(): Promise<bigint[]> {
    const contracts = [undefined, ...(family.contract === undefined ? [] : [family.contract])];
    const readOne = async (contract: string | undefined) => {
      const symbol = contract === undefined ? undefined : TOKEN;
      const asset = { contract: contract ?? null, decimals: contract === undefined ? 0 : TOKEN_DECIMALS };
      return (await stack.balance(walletId, networkCode, 'available', symbol)) - (await chain.balance(from, asset));
    };
    return Promise.all(contracts.map(readOne));
  }

  return { walletId, from, read: () => watch.read(), submit, send, withdraw, readDifferences };
}

async function reservationFor(chain: Chain, transfer: Transfer, guess: FeeQuote): Promise<Reservation> {
  switch (chain.model) {
    case 'account':
      return { nonce: await chain.nextNonce(transfer.from) };
    case 'utxo':
      return { coins: chain.selectCoins((await chain.coins(transfer.from)).free, transfer, guess) };
    case 'expiring':
      return {};
  }
}

export const untilSent = (stack: WithdrawalStack, id: string) =>
  expect
    .poll(async () => (await stack.transactionsOf(id))[0]?.status, { timeout: STEP_MS })
    .toMatch(/broadcast|included/);
