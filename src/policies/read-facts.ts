// Reads the facts of an operation, for each network that it may be valid on: what the catalogue and the address book
// know of its movements. Sums and counts are read in decide.ts. Decides nothing.

import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findBookEntries, findMovedAssets, type MovedAssetRow } from '../../drizzle/policies/policy-facts.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { assetIdsOf } from './assert-document.ts';
import type { CallFacts, Facts, JudgedNetwork, Movement, MovementFacts, PolicyIntent } from './facts.ts';

/** A call that nobody has read may do anything. */
const unreadCall: CallFacts = { kind: 'unknown', because: 'it calls a contract with what was not read' };

/** Without totals. */
export async function readFacts(
  tx: Transaction,
  seals: Seals,
  document: PolicyDocument,
  intent: PolicyIntent,
): Promise<Facts[]> {
  const named = new Set(document.rules.flatMap(({ when }) => assetIdsOf(when)));
  const assets = await readAssets(tx, intent, named);
  const isKnown = await readBook(tx, seals, document, intent);
  const { operation, walletId, initiator, method, unknown, fee, payloadKind, typedData } = intent;
  return intent.networks.map((network) => ({
    operation,
    walletId,
    networkCode: network.code,
    initiator,
    method,
    movements: intent.movements.map((movement) => ({
      ...movement,
      ...knownOf(movement, network, assets),
      inAddressBook: movement.destination === undefined ? undefined : isKnown?.(network, movement.destination),
    })),
    unknown,
    fee,
    nativeAssetId: assets.find(({ networkId, isNative }) => isNative && networkId === network.id)?.id,
    decimals: new Map(
      assets.flatMap(({ id, networkId, decimals }) =>
        networkId === network.id && named.has(id) ? [[id, decimals] as const] : [],
      ),
    ),
    payloadKind,
    typedData,
    call: intent.call ?? (method === 'contract_call' ? unreadCall : undefined),
    totals: new Map(),
  }));
}

/** Those that move, those that rules name, and what fees are paid in. */
async function readAssets(
  tx: Transaction,
  { networks, movements, fee }: PolicyIntent,
  named: ReadonlySet<string>,
): Promise<MovedAssetRow[]> {
  const moved = movements.flatMap(({ asset }) => (asset === undefined ? [] : [asset]));
  if (moved.length + named.size === 0 && fee === 0n) return [];
  return findMovedAssets(
    tx,
    networks.map(({ id }) => id),
    {
      ids: [...named, ...moved.flatMap((asset) => ('id' in asset ? [asset.id] : []))],
      contracts: moved.flatMap((asset) => ('contract' in asset && asset.contract !== null ? [asset.contract] : [])),
    },
  );
}

function knownOf(
  { asset }: Movement,
  network: JudgedNetwork,
  assets: readonly MovedAssetRow[],
): Pick<MovementFacts, 'assetId' | 'decimals'> {
  const isMoved = (row: MovedAssetRow) => {
    if (asset === undefined || row.networkId !== network.id) return false;
    if ('id' in asset) return row.id === asset.id;
    return asset.contract === null ? row.isNative : row.contractAddress === asset.contract;
  };
  const row = assets.find(isMoved);
  return { assetId: row?.id, decimals: row?.decimals };
}

/** Undefined when no rule asks. */
async function readBook(
  tx: Transaction,
  seals: Seals,
  document: PolicyDocument,
  { workspaceId, networks, movements }: PolicyIntent,
): Promise<((network: JudgedNetwork, address: string) => boolean) | undefined> {
  if (!document.rules.some(({ when }) => when.destination?.in_address_book !== undefined)) return undefined;
  const addresses = [...new Set(movements.flatMap(({ destination }) => destination ?? []))];
  if (addresses.length === 0) return undefined;
  const networkIds = networks.map(({ id }) => id);
  const entries = await findBookEntries(tx, seals, workspaceId, { networkIds, addresses });
  const known = new Set(entries.map(({ networkId, address }) => `${networkId} ${address}`));
  return ({ id }, address) => known.has(`${id} ${address}`);
}
