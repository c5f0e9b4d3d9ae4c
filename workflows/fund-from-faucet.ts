// Pays a wallet of the sandbox from the treasury, by a real transaction.
//
// 1. signFaucetPayment   signs, and sends nothing: the bytes are in the history before they go out
// 2. sendFaucetPayment broadcasts these bytes and no others until they are in a block; retried with the same ones,
//   which pay once When they are refused (their nonce or coin went to another, or they expired), 1 and 2 again, at most
//   ROUNDS_MAX times. Nothing to compensate.
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SandboxActivities } from '../activities/sandbox/faucet.ts';
import type { FundFromFaucetInput } from '../domain/workflow-inputs.ts';
import { sandboxOptions } from './activity-options.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';

const { signFaucetPayment, sendFaucetPayment } = proxyActivities<SandboxActivities>(sandboxOptions);

const ROUNDS_MAX = 20;

export async function fundFromFaucet(input: FundFromFaucetInput): Promise<void> {
  const { faucetId, networkCode, address, contract, decimals, amount } = input;
  try {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const key = `${faucetId}/${round}`;
      const payment = await signFaucetPayment({ key, networkCode, address, contract, decimals, amount });
      setCurrentDetails(`Paid by ${payment.txHash}, once it is in a block.`);
      if ((await sendFaucetPayment(key, networkCode, payment)) === 'paid')
        return report('success', `Paid by ${payment.txHash}.`);
    }
    report('failed', `Not paid: the chain refused ${ROUNDS_MAX} transactions.`);
  } catch (error) {
    const { code, reason } = describeFailure(error);
    report('failed', `Not paid: ${reason} (${code}).`);
  }
}
