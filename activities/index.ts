// Every activity that a worker serves. Workflows import only the type.
import { type WalletDependencies, createWalletActivities } from './wallets.ts';
import { createSigningActivities } from './signing-requests.ts';

export function createActivities(dependencies: WalletDependencies) {
  return { ...createWalletActivities(dependencies), ...createSigningActivities(dependencies) };
}

export type Activities = ReturnType<typeof createActivities>;
