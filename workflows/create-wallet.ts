// Creates a wallet's keys and publishes its addresses.
//
// 1. generateKey, both curves side by side by (wallet, curve); waits for missing nodes up to generateKeyOptions; ends
//   with test signatures of every quorum
// 2. activateWallet creating → active with keys and addresses in one commit; retried until the database is back or
//   failWallet creating → failed with the cluster's code and reason; no address was published
import { CancellationScope, proxyActivities, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { CreateWalletInput } from '../domain/workflow-inputs.ts';
import { generateKeyOptions, rowOptions } from './activity-options.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';

const { generateKey } = proxyActivities<Activities>(generateKeyOptions);
const { activateWallet, failWallet } = proxyLocalActivities<Activities>(rowOptions);

export async function createWallet({ walletId }: CreateWalletInput): Promise<void> {
  setCurrentDetails('Three nodes generate the keys; all of them must be up.');
  try {
    const keys = await Promise.all([
      generateKey.executeWithOptions({ summary: 'secp256k1 key' }, [walletId, 'secp256k1']),
      generateKey.executeWithOptions({ summary: 'ed25519 key' }, [walletId, 'ed25519']),
    ]);
    await activateWallet(walletId, keys);
    report('active', 'The wallet is active: its keys are on all three nodes and every quorum has signed a test.');
  } catch (error) {
    const { code, reason } = describeFailure(error);
    // Also when an operator cancelled: the row must end.
    await CancellationScope.nonCancellable(() => failWallet(walletId, code, reason));
    report('failed', `No wallet was created: ${reason} (${code}).`);
  }
}
