// The metadata of a wallet as an index finds it: one term for each name and value, with the workspace in it, so that no
// workspace's look-up reads what others keep. Pure.
import type { WalletMetadata } from '../../domain/wallets/wallet-metadata.ts';

/** Names have no colon. */
export const metadataTerm = (workspaceId: string, name: string, value: string) => `${workspaceId}:${name}:${value}`;

export const metadataTerms = (workspaceId: string, metadata: WalletMetadata) =>
  Object.entries(metadata).map(([name, value]) => metadataTerm(workspaceId, name, value));
