// Decides by the policy of a workspace what becomes of an operation: reads the policy and the facts by SQL in the request's own transaction and leaves the
// judging to evaluate.ts. Stores nothing.
import type { Transaction } from '../../drizzle/database.ts';
import {
  countSignings,
  countWithdrawalsWithin,
  findAssetOf,
  isInAddressBook,
  lockTotals,
  sumWithdrawals,
} from '../../drizzle/policy-facts.ts';
import { type Evaluation, evaluate, windowsToRead } from './evaluate.ts';
import {
  type AmountFacts,
  type CallFacts,
  type Decision,
  type Facts,
  nameOf,
  type PolicyIntent,
  type WindowCondition,
} from './facts.ts';
import type { PolicyDocument } from './policies.schema.ts';
import { findPolicyInForce } from './policy-in-force.ts';

export type { Decision };

/**
 * To be called before the operation's own row is stored, in the transaction that stores it: where a rule looks at sums or counts, whoever else asks for the
 * same ones waits until that transaction ends.
 */
export async function decide(tx: Transaction, intent: PolicyIntent): Promise<Decision> {
  const [decision] = await decideEach(tx, [intent]);
  if (decision === undefined) throw new Error('an operation was not decided');
  return decision;
}

/** Decides several operations of one workspace in order, each as if those before it that are not denied were there already. */
export async function decideEach(tx: Transaction, intents: readonly PolicyIntent[]): Promise<Decision[]> {
  const [first] = intents;
  if (first === undefined) return [];
  const { document } = await findPolicyInForce(tx, first.workspaceId, first.production);
  const asked: Asked[] = [];
  for (const intent of intents) asked.push(await readFacts(tx, document, intent));
  await lockTotals(tx, [...new Set(asked.flatMap(locksOf))]);
  const decisions: Decision[] = [];
  const accepted: Asked[] = [];
  for (const one of asked) {
    const { considered: _, ...decision } = evaluate(document, await withTotals(tx, one, accepted));
    decisions.push(decision);
    if (decision.action !== 'deny') accepted.push(one);
  }
  return decisions;
}

/** As `decide`, by this document if one is given, and with every rule that was looked at. Locks nothing: it is true for the moment. */
export async function explain(
  tx: Transaction,
  intent: PolicyIntent,
  tried: PolicyDocument | undefined,
): Promise<Evaluation> {
  const document = tried ?? (await findPolicyInForce(tx, intent.workspaceId, intent.production)).document;
  return evaluate(document, await withTotals(tx, await readFacts(tx, document, intent), []));
}

interface Asked {
  intent: PolicyIntent;
  facts: Facts;
  windows: readonly WindowCondition[];
}

/** A call that nobody has read may do anything. */
const unreadCall: CallFacts = { kind: 'unknown', because: 'it calls a contract with what was not read' };

async function readFacts(tx: Transaction, document: PolicyDocument, intent: PolicyIntent): Promise<Asked> {
  const { workspaceId, networkId, destination } = intent;
  const asksBook = document.rules.some(({ when }) => when.destination?.in_address_book !== undefined);
  const facts: Facts = {
    operation: intent.operation,
    walletId: intent.walletId,
    networkCode: intent.networkCode,
    initiator: intent.initiator,
    method: intent.method,
    amount: document.rules.length === 0 ? undefined : await readAmount(tx, intent),
    destination,
    inAddressBook:
      destination === undefined || !asksBook
        ? undefined
        : await isInAddressBook(tx, workspaceId, networkId, destination),
    payloadKind: intent.payloadKind,
    typedData: intent.typedData,
    call: intent.call ?? (intent.method === 'contract_call' ? unreadCall : undefined),
    totals: new Map(),
  };
  return { intent, facts, windows: windowsToRead(document, facts) };
}

async function readAmount(tx: Transaction, intent: PolicyIntent): Promise<AmountFacts | undefined> {
  const { networkId, assetId, contract, amountBaseUnits: baseUnits } = intent;
  if (baseUnits === undefined || (assetId ?? contract) === undefined) return undefined;
  const asset = await findAssetOf(tx, networkId, assetId === undefined ? { contract: contract ?? null } : { assetId });
  return asset && { assetId: asset.id, decimals: asset.decimals, baseUnits };
}

const locksOf = ({ intent: { workspaceId, operation }, facts: { amount }, windows }: Asked) =>
  windows.map(({ kind }) => `${kind} ${workspaceId} ${kind === 'velocity' ? amount?.assetId : operation}`);

async function withTotals(tx: Transaction, asked: Asked, accepted: readonly Asked[]): Promise<Facts> {
  const totals = new Map<string, bigint>();
  for (const window of asked.windows) {
    const before = accepted.filter((earlier) => isWithin(window, asked, earlier));
    const added = before.map(({ facts }) => (window.kind === 'count' ? 1n : (facts.amount?.baseUnits ?? 0n)));
    const stored = await readTotal(tx, asked, window);
    totals.set(
      nameOf(window),
      added.reduce((sum, more) => sum + more, stored),
    );
  }
  return { ...asked.facts, totals };
}

/** Whether one that is about to be stored counts in this window of another. */
function isWithin({ kind, condition }: WindowCondition, { facts }: Asked, { facts: earlier }: Asked): boolean {
  if (condition.per === 'wallet' && earlier.walletId !== facts.walletId) return false;
  if (kind === 'count') return earlier.operation === facts.operation;
  return earlier.operation === 'withdrawal' && earlier.amount?.assetId === facts.amount?.assetId;
}

function readTotal(tx: Transaction, { intent, facts }: Asked, { kind, condition }: WindowCondition): Promise<bigint> {
  const { workspaceId, operation } = intent;
  const walletId = condition.per === 'wallet' ? intent.walletId : undefined;
  const window = { workspaceId, walletId, seconds: condition.window_seconds };
  if (kind === 'velocity') return sumWithdrawals(tx, window, facts.amount?.assetId ?? '');
  return operation === 'withdrawal' ? countWithdrawalsWithin(tx, window) : countSignings(tx, window);
}
