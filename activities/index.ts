// Every activity that a worker serves. Workflows import only the type.

import { createSigningActivities } from './signing-requests.ts';
import { createWalletActivities, type WalletDependencies } from './wallets.ts';

export function createActivities(dependencies: WalletDependencies) {
  return { ...createWalletActivities(dependencies), ...createSigningActivities(dependencies) };
}

export type Activities = ReturnType<typeof createActivities>;
