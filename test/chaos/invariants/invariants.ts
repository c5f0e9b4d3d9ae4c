// What must hold when faults have stopped and everything is quiet, by name. Each answers with what breaks it, in
// sentences; nothing when it holds. Pure, but for the time that verifying signatures takes.
import type { Facts, FeedEvent } from './facts.ts';
import { type AnySignature, verifies } from './verify-any.ts';

type Invariant = (facts: Facts) => readonly string[] | Promise<readonly string[]>;

const finalEvents = new Map([
  ['signing.success', 'success'],
  ['signing.failed', 'failed'],
  ['withdrawal.completed', 'completed'],
  ['withdrawal.failed', 'failed'],
  ['withdrawal.rejected', 'rejected'],
  ['withdrawal.cancelled', 'cancelled'],
]);

export const invariants: Readonly<Record<string, Invariant>> = {
  'nothing is open': ({ open }) => open,
  'what was accepted is there': ({ accepted, signatures, withdrawals, wallets }) => [
    ...missing('signature', accepted.signatures, signatures),
    ...missing('withdrawal', accepted.withdrawals, withdrawals),
    ...missing('wallet', accepted.wallets, wallets),
  ],
  'callers meet no surprise': ({ surprises }) => surprises,
  'every wallet is active, and none was frozen': ({ wallets }) =>
    wallets.filter(({ status }) => status !== 'active').map(({ id, status }) => `wallet ${id} is ${status}`),
  'every signature verifies for the address of its wallet': verifySignatures,
  'a withdrawal that completed paid its recipient once': ({ withdrawals }) =>
    withdrawals
      .filter((each) => each.status === 'completed' && each.receivedBaseUnits !== each.amountBaseUnits)
      .map((each) => `withdrawal ${each.id} of ${each.amountBaseUnits} paid ${each.receivedBaseUnits}`),
  'a withdrawal that ended otherwise paid nobody': ({ withdrawals }) =>
    withdrawals
      .filter((each) => each.status !== 'completed' && each.receivedBaseUnits !== 0n)
      .map((each) => `withdrawal ${each.id} is ${each.status} and paid ${each.receivedBaseUnits}`),
  'the books of withdrawals are in order': ({ brokenBooks }) => brokenBooks,
  'the ledger is what the chains hold': ({ differences }) => differences,
  'nonces are used without a gap': ({ nonces }) => nonces.flatMap(findNonceGaps),
  'the feed of events has no gap': ({ events }) =>
    events.flatMap(({ seq }, place) => (seq === place + 1 ? [] : [`event ${seq} stands at place ${place + 1}`])),
  'every operation ended once, as its events say': ({ signatures, withdrawals, events }) =>
    findWrongEnds([...signatures, ...withdrawals], events),
  'every event was delivered': ({ events, delivered, deliveredSince }) =>
    events
      .filter(({ id, timestamp }) => Date.parse(timestamp) > Date.parse(deliveredSince) && !delivered.has(id))
      .map(({ id, seq, type }) => `event ${seq} (${type}, ${id}) never came`),
  'every delivery verifies': ({ refusedDeliveries }) => refusedDeliveries,
  'the audit log is whole': ({ auditProblems }) => auditProblems,
};

export interface Finding {
  invariant: string;
  broken: readonly string[];
}

/** Empty when all of them hold. */
export async function findBroken(facts: Facts): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [invariant, judge] of Object.entries(invariants)) {
    const broken = await judge(facts);
    if (broken.length > 0) findings.push({ invariant, broken });
  }
  return findings;
}

function missing(what: string, accepted: readonly string[], rows: readonly { id: string }[]): string[] {
  const known = new Set(rows.map(({ id }) => id));
  return accepted.filter((id) => !known.has(id)).map((id) => `${what} ${id} was accepted and is not there`);
}

async function verifySignatures({ signatures }: Facts): Promise<string[]> {
  const broken: string[] = [];
  for (const signature of signatures)
    if (signature.status === 'success' && !(await verifies(signature as AnySignature)))
      broken.push(`signature ${signature.id} (${signature.key_type}) does not verify for ${signature.address}`);
  return broken;
}

function findNonceGaps({ address, next, used }: Facts['nonces'][number]): string[] {
  const all = new Set(used);
  const absent = Array.from({ length: next }, (_, nonce) => nonce).filter((nonce) => !all.has(nonce));
  const beyond = [...all].filter((nonce) => nonce >= next);
  return [
    ...absent.map((nonce) => `nonce ${nonce} of ${address} was used by no transaction of the service`),
    ...beyond.map((nonce) => `nonce ${nonce} of ${address} is not used on the chain, whose next one is ${next}`),
  ];
}

function findWrongEnds(operations: readonly { id: string; status: string }[], events: readonly FeedEvent[]): string[] {
  const ends = new Map<string, string[]>();
  for (const { type, about } of events) {
    const end = finalEvents.get(type);
    if (end !== undefined && about !== undefined) ends.set(about, [...(ends.get(about) ?? []), end]);
  }
  return operations.flatMap(({ id, status }) => {
    const told = ends.get(id) ?? [];
    return told.length === 1 && told[0] === status
      ? []
      : [`${id} is ${status}, and its events say: ${told.join(', ')}`];
  });
}
