// Decides by the policy of a workspace what becomes of an operation: reads the policy and the facts by SQL in the
// request's own transaction and leaves the judging to evaluate.ts. Stores nothing.

import { type Decision } from '../../domain/policies/decision.ts';
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { countSignings, countWithdrawalsWithin, lockTotals, sumKnown } from '../../drizzle/policies/policy-facts.ts';
import type { UnknownAmount } from '../../drizzle/policies/unknown-movements.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { type Evaluation, evaluate, windowsToRead } from './evaluate.ts';
import {
  type CountedAmount,
  type Facts,
  type MovedTotal,
  nameOf,
  type PolicyIntent,
  type WindowCondition,
} from './facts.ts';
import { amountOf, mayMoveMore } from './judge-conditions.ts';
import { findPolicyInForce } from './policy-in-force.ts';
import { readFacts } from './read-facts.ts';
import { strictest } from './strictest.ts';

export type { Decision };

export interface Decided extends Decision {
  /** What the operation adds to sums when it is stored, each asset once. */
  moved: readonly CountedAmount[];
  /** The sums that nobody knows while it counts. */
  unknown: readonly UnknownAmount[];
}

/**
 * To be called before the operation's own row is stored, in the transaction that stores it: where a rule looks at sums
 * or counts, whoever else asks for the same ones waits until that transaction ends.
 */
export async function decide(tx: Transaction, seals: Seals, intent: PolicyIntent): Promise<Decided> {
  const [decision] = await decideEach(tx, seals, [intent]);
  if (decision === undefined) throw new Error('an operation was not decided');
  return decision;
}

/**
 * Decides several operations of one workspace in order, each as if those before it that are not denied were there
 * already.
 */
export async function decideEach(tx: Transaction, seals: Seals, intents: readonly PolicyIntent[]): Promise<Decided[]> {
  const [first] = intents;
  if (first === undefined) return [];
  const { workspaceId, production } = first;
  const { document } = await findPolicyInForce(tx, { seals, production }, workspaceId);
  const asked: JudgedOperation[] = [];
  for (const intent of intents) asked.push(await readAsked(tx, seals, document, intent));
  await lockTotals(tx, [...new Set(asked.flatMap(locksOf))]);
  const decisions: Decided[] = [];
  const accepted: JudgedOperation[] = [];
  for (const one of asked) {
    const { considered: _, ...decision } = await evaluateAsked(tx, document, one, accepted);
    decisions.push({ ...decision, moved: movedBy(one), unknown: unknownBy(one) });
    if (decision.action !== 'deny') accepted.push(one);
  }
  return decisions;
}

export interface Explanation extends Evaluation {
  /** The operation on each network that it was judged for. */
  facts: readonly Facts[];
}

/**
 * As `decide`, by this document if one is given, and with every rule that was looked at. Locks nothing: it is true for
 * the moment.
 */
export async function explain(
  tx: Transaction,
  seals: Seals,
  intent: PolicyIntent,
  tried: PolicyDocument | undefined,
): Promise<Explanation> {
  const document =
    tried ?? (await findPolicyInForce(tx, { seals, production: intent.production }, intent.workspaceId)).document;
  const asked = await readAsked(tx, seals, document, intent);
  const facts = asked.onNetworks.map((one) => one.facts);
  return { ...(await evaluateAsked(tx, document, asked, [])), facts };
}

interface JudgedOperation {
  intent: PolicyIntent;
  onNetworks: readonly OnNetwork[];
}

/** An operation as it would be on one network. */
interface OnNetwork {
  facts: Facts;
  windows: readonly WindowCondition[];
}

async function readAsked(
  tx: Transaction,
  seals: Seals,
  document: PolicyDocument,
  intent: PolicyIntent,
): Promise<JudgedOperation> {
  const onNetworks = await readFacts(tx, seals, document, intent);
  return { intent, onNetworks: onNetworks.map((facts) => ({ facts, windows: windowsToRead(document, facts) })) };
}

/** For each network that it may be valid on: nobody says on which one it will be used. */
async function evaluateAsked(
  tx: Transaction,
  document: PolicyDocument,
  asked: JudgedOperation,
  accepted: readonly JudgedOperation[],
): Promise<Evaluation> {
  const evaluations: Evaluation[] = [];
  for (const on of asked.onNetworks) evaluations.push(evaluate(document, await withTotals(tx, asked, on, accepted)));
  return strictest(evaluations as [Evaluation]);
}

const locksOf = ({ intent: { workspaceId, operation }, onNetworks }: JudgedOperation) =>
  onNetworks.flatMap(({ windows }) =>
    windows.map((window) =>
      window.kind === 'velocity'
        ? `velocity ${workspaceId} ${window.condition.asset_id}`
        : `count ${workspaceId} ${operation}`,
    ),
  );

async function withTotals(
  tx: Transaction,
  { intent }: JudgedOperation,
  { facts, windows }: OnNetwork,
  accepted: readonly JudgedOperation[],
): Promise<Facts> {
  const totals = new Map<string, MovedTotal>();
  for (const window of windows) {
    const name = nameOf(window);
    if (totals.has(name)) continue;
    const stored = await readTotal(tx, intent, window);
    totals.set(
      name,
      accepted.reduce((sum, earlier) => add(sum, addedBy(earlier, window, intent)), stored),
    );
  }
  return { ...facts, totals };
}

const add = (one: MovedTotal, other: MovedTotal): MovedTotal =>
  one === 'unknown' || other === 'unknown' ? 'unknown' : one + other;

/** What one that is about to be stored adds to a window of another. */
function addedBy(asked: JudgedOperation, window: WindowCondition, intent: PolicyIntent): MovedTotal {
  const { intent: earlier, onNetworks } = asked;
  const { kind, condition } = window;
  if (condition.per === 'wallet' && earlier.walletId !== intent.walletId) return 0n;
  if (kind === 'count') return earlier.operation === intent.operation ? 1n : 0n;
  const { asset_id: assetId } = condition;
  if (onNetworks.some(({ facts }) => facts.decimals.has(assetId) && mayMoveMore(facts, assetId))) return 'unknown';
  return onNetworks.reduce((sum, { facts }) => sum + amountOf(facts, assetId), 0n);
}

/** On each network that it may be valid on: any asset of it, or those of which it is known that some of it moves. */
function unknownBy({ intent, onNetworks }: JudgedOperation): UnknownAmount[] {
  return intent.networks.flatMap(({ id: networkId }, index) => {
    const facts = onNetworks[index]?.facts;
    if (facts === undefined) return [];
    const { movements, unknown, fee, nativeAssetId } = facts;
    if (unknown.length > 0 || movements.some(({ assetId }) => assetId === undefined))
      return [{ networkId, assetId: undefined }];
    const ofMovements = movements.flatMap((each) => (each.amountBaseUnits === undefined ? [each.assetId] : []));
    const assetIds = new Set([...ofMovements, ...(fee === undefined ? [nativeAssetId] : [])]);
    return [...assetIds].map((assetId) => ({ networkId, assetId }));
  });
}

/** On each network that it may be valid on; an asset is of one network. */
const movedBy = ({ onNetworks }: JudgedOperation): CountedAmount[] =>
  onNetworks.flatMap(({ facts }) => {
    const assetIds = [...facts.movements.map(({ assetId }) => assetId), facts.nativeAssetId];
    const amounts = [...new Set(assetIds)].flatMap((assetId) =>
      assetId === undefined ? [] : [{ assetId, amountBaseUnits: amountOf(facts, assetId) }],
    );
    return amounts.filter(({ amountBaseUnits }) => amountBaseUnits > 0n);
  });

async function readTotal(
  tx: Transaction,
  intent: PolicyIntent,
  { kind, condition }: WindowCondition,
): Promise<MovedTotal> {
  const { workspaceId, operation } = intent;
  const walletId = condition.per === 'wallet' ? intent.walletId : undefined;
  const window = { workspaceId, walletId, seconds: condition.window_seconds };
  if (kind === 'velocity') return (await sumKnown(tx, window, condition.asset_id)) ?? 'unknown';
  return operation === 'withdrawal' ? countWithdrawalsWithin(tx, window) : countSignings(tx, window);
}
