// Goal: withdrawals on Solana land once each while the chain is killed again and again. Method: the product's workflow
// and activities on real PostgreSQL and Temporal, against the sandbox's Solana as a process of its own; the cluster is
// in memory.
import { rmSync } from 'node:fs';
import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { fundedSolanaClient, SOL, type SolanaClient } from '../../support/chains/solana.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { FEE, networkCode, newDirectory, stranger } from '../../support/withdrawals/solana-withdrawals.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

describe('on a chain that is a process of its own', () => {
  let directory: string;
  let node: TestChain;
  let client: SolanaClient;
  let stack: WithdrawalStack;

  beforeAll(async () => {
    directory = newDirectory();
    node = await startTestSolana(directory);
    client = await fundedSolanaClient(node.address);
    stack = await startWithdrawals({ [networkCode]: node.address }, { fastRetries: true });
  });
  afterAll(async () => {
    await stack.stop();
    await node.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('killed again and again in the midst: every withdrawal lands once', async () => {
    const walletId = await stack.makeWallet();
    const from = address(await stack.addressOf(walletId, networkCode));
    await client.execute(getTransferSolInstruction({ source: client.payer, destination: from, amount: 10n * SOL }));
    await stack.credit(walletId, networkCode, 10n * SOL);
    const recipients = await Promise.all([0, 1, 2, 3].map(() => stranger()));
    const ids: string[] = [];
    for (const [index, to] of recipients.entries()) {
      ids.push(await stack.withdraw({ walletId, networkCode, amount: SOL, to }));
      await new Promise((resolve) => setTimeout(resolve, index * 150));
      node.part().kill('SIGKILL');
      await node.part().exited;
    }
    for (const id of ids) await stack.until(id, 'completed', 60_000);
    for (const to of recipients) expect((await client.rpc.getBalance(to).send()).value).toBe(SOL);
    const { value } = await client.rpc.getBalance(from).send();
    expect(value).toBe(6n * SOL - 4n * FEE.SOL);
    await expectSettled(stack, walletId, networkCode, { SOL: value });
  }, 120_000);
});
