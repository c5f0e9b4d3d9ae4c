// Refuses a policy that its shape alone does not show to be wrong: what it names must be there, what it says must be
// possible. Stores nothing.
import { AmountError, parseAmount } from '../../domain/money.ts';
import { addressMistake, likelyFamily } from '../../domain/payloads/address-mistake.ts';
import { canonicalAddress } from '../../domain/payloads/canonical-address.ts';
import type {
  Conditions,
  NeededApprovals,
  PolicyAction,
  PolicyDocument,
} from '../../domain/policies/policy-document.ts';
import { approvingScopes } from '../../domain/votes/vote-rules.ts';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { listPasskeyUsers } from '../../drizzle/passkeys/passkeys.ts';
import { type FoundReferences, findReferences, type References } from '../../drizzle/policies/policy-references.ts';
import { ApiError } from '../http/errors.ts';

export async function assertDocument(tx: Transaction, workspaceId: string, document: PolicyDocument): Promise<void> {
  assertDistinctNames(document);
  for (const { where, needed } of approvalsOf(document)) assertEnoughApprovers(where, needed);
  await assertPasskeysSuffice(tx, workspaceId, document);
  const found = await findReferences(tx, workspaceId, referencesOf(document));
  for (const { where, needed } of approvalsOf(document))
    for (const id of needed.approvers ?? []) if (!found.userIds.has(id)) throw missing(where, 'user', id);
  for (const { name, when } of document.rules) assertConditions(`the rule "${name}"`, when, found);
}

function assertDistinctNames({ rules }: PolicyDocument): void {
  const names = rules.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index || name === 'default');
  if (twice !== undefined)
    throw misfit(`the name "${twice}"`, 'is taken: each rule needs a name of its own, other than default');
}

/** Every place that asks for approvals. */
function approvalsOf(document: PolicyDocument): { where: string; needed: NeededApprovals }[] {
  const actions: [string, PolicyAction][] = [
    ...document.rules.map(({ name, then }): [string, PolicyAction] => [`the rule "${name}"`, then]),
    ['default', document.default],
  ];
  const { changes } = document;
  return [
    ...actions.flatMap(([where, action]) => (action.action === 'require_approvals' ? [{ where, needed: action }] : [])),
    ...(changes === undefined ? [] : [{ where: 'changes', needed: changes }]),
  ];
}

function assertEnoughApprovers(where: string, { approvals, approvers }: NeededApprovals): void {
  if (approvers !== undefined && approvers.length < approvals)
    throw misfit(where, `asks for ${approvals} approvals of ${approvers.length} approvers`);
}

/** What nobody could approve would stop all for ever, changes of the policy itself first. */
async function assertPasskeysSuffice(tx: Transaction, workspaceId: string, document: PolicyDocument): Promise<void> {
  const demanding = approvalsOf(document).filter(({ needed }) => needed.approve_with !== undefined);
  if (demanding.length === 0) return;
  const voters = (await listPasskeyUsers(tx, workspaceId)).filter(({ scopes }) =>
    scopes.some((scope) => approvingScopes.includes(scope)),
  );
  for (const { where, needed } of demanding) {
    const able = voters.filter(({ userId }) => needed.approvers?.includes(userId) ?? true);
    if (able.length < needed.approvals)
      throw misfit(
        where,
        `asks for ${needed.approvals} approvals by passkey, and ${able.length} users who may approve have one`,
      );
  }
}

function referencesOf(document: PolicyDocument): References {
  const all = document.rules.map(({ when }) => when);
  return {
    networkCodes: all.flatMap(({ networks = [] }) => networks),
    assetIds: all.flatMap(assetIdsOf),
    walletIds: all.flatMap(({ wallet_ids = [] }) => wallet_ids),
    userIds: [
      ...all.flatMap(({ initiators = [] }) => initiators),
      ...approvalsOf(document).flatMap(({ needed }) => needed.approvers ?? []),
    ],
  };
}

export const assetIdsOf = ({ asset_ids = [], amount, fee, velocity }: Conditions) => [
  ...asset_ids,
  ...[amount, fee, velocity].flatMap((limit) => (limit === undefined ? [] : [limit.asset_id])),
];

function assertConditions(where: string, when: Conditions, found: FoundReferences): void {
  for (const code of when.networks ?? []) if (!found.networkCodes.has(code)) throw missing(where, 'network', code);
  for (const id of assetIdsOf(when)) if (!found.assets.has(id)) throw missing(where, 'asset', id);
  for (const id of when.wallet_ids ?? []) if (!found.walletIds.has(id)) throw missing(where, 'wallet', id);
  for (const id of when.initiators ?? []) if (!found.userIds.has(id)) throw missing(where, 'user', id);
  for (const limit of [when.amount, when.fee, when.velocity]) {
    if (limit === undefined) continue;
    const decimals = found.assets.get(limit.asset_id) ?? 0;
    for (const text of [limit.more_than, limit.at_most]) if (text !== undefined) assertAmount(where, text, decimals);
    assertCanHold(where, limit, (text) => parseAmount(text, decimals));
  }
  if (when.fee !== undefined && !found.nativeAssets.has(when.fee.asset_id))
    throw misfit(
      where,
      `has a fee in the asset ${when.fee.asset_id}, and fees are paid in the native currency of a network`,
    );
  if (when.count !== undefined) assertCanHold(where, when.count, BigInt);
  for (const address of when.destination?.addresses ?? []) assertAddress(where, address);
}

/** What nothing can ever meet is a mistake, and in a rule that denies a hole. */
function assertCanHold<Bound extends string | number>(
  where: string,
  { more_than, at_most }: { more_than?: Bound; at_most?: Bound },
  read: (bound: Bound) => bigint,
): void {
  if (more_than === undefined || at_most === undefined || read(more_than) < read(at_most)) return;
  throw misfit(where, `asks for more than ${more_than} and at most ${at_most}, which nothing is.`);
}

function assertAmount(where: string, text: string, decimals: number): void {
  try {
    parseAmount(text, decimals);
  } catch (error) {
    if (error instanceof AmountError) throw misfit(where, `has the amount ${text}. ${error.message}`);
    throw error;
  }
}

/** Of any family. Destinations are compared in their canonical form, so that any other form would never be met. */
function assertAddress(where: string, text: string): void {
  const forms = addressTypes.flatMap((type) =>
    (['mainnet', 'testnet', 'regtest'] as const).map((network) => canonicalAddress(type, text, network)),
  );
  const canonical = forms.find((form) => form !== undefined);
  if (canonical === undefined)
    throw new ApiError('invalid_address', `In ${where} the address ${text.slice(0, 100)} ${mistakeIn(text)}.`);
  if (!forms.includes(text) && !text.startsWith('0x'))
    throw new ApiError('invalid_address', `In ${where} write the address ${text.slice(0, 100)} as ${canonical}.`);
}

function mistakeIn(text: string): string {
  const addressType = likelyFamily(text);
  return addressMistake({ addressType, bitcoinNetwork: 'mainnet', name: 'any chain' }, text);
}

const missing = (where: string, what: string, id: string) =>
  misfit(where, `names the ${what} ${id}, which is not here`);

const misfit = (where: string, what: string) =>
  new ApiError('invalid_request', `The policy does not fit: ${where} ${what}.`);
