// The product's workflows with a change that looks harmless in each and breaks every one that is under way: what replay.test.ts must notice.
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';
import { generateKeyOptions, rowOptions } from '../../../workflows/activity-options.ts';
import type { CreateWalletInput } from '../../../workflows/create-wallet.ts';
import type { SignInput } from '../../../workflows/sign.ts';

const { generateKey, activateWallet } = proxyActivities<Activities>(generateKeyOptions);
const { fulfilSigningRequest } = proxyLocalActivities<Activities>(rowOptions);

/** The curves one after the other instead of side by side. */
export async function createWallet({ walletId }: CreateWalletInput): Promise<void> {
  const keys = [await generateKey(walletId, 'secp256k1'), await generateKey(walletId, 'ed25519')];
  await activateWallet(walletId, keys);
}

/** The step as a local activity instead of an ordinary one. */
export async function sign(task: SignInput): Promise<void> {
  await fulfilSigningRequest(task);
}
