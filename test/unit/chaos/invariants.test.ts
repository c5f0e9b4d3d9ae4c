// Goal: each invariant of a run sees what breaks it, and no other one does. Method: a run in which all is well, and one
// planted breakage after the other.
import { privateKeyToAccount, sign } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import type { Facts } from '../../chaos/invariants/facts.ts';
import { findBroken, invariants } from '../../chaos/invariants/invariants.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const HASH = `0x${'22'.repeat(32)}` as const;
const AT = '2026-01-01T00:00:01.000Z';
let signature: Facts['signatures'][number];

beforeAll(async () => {
  const { address, publicKey } = privateKeyToAccount(KEY);
  const made = await sign({ hash: HASH, privateKey: KEY, to: 'hex' });
  const base = { id: 's', status: 'success', key_type: 'secp256k1', signing_hash: HASH } as const;
  signature = { ...base, signature: made, public_key: publicKey, address };
});

const sound = (): Facts => ({
  accepted: { signatures: ['s'], withdrawals: ['w'], wallets: ['a'] },
  surprises: [],
  signatures: [signature],
  withdrawals: [
    { id: 'w', status: 'completed', amountBaseUnits: 5n, receivedBaseUnits: 5n },
    { id: 'v', status: 'cancelled', amountBaseUnits: 5n, receivedBaseUnits: 0n },
  ],
  wallets: [{ id: 'a', status: 'active' }],
  open: [],
  brokenBooks: [],
  differences: [],
  nonces: [{ address: '0x1', next: 2, used: [0, 1] }],
  events: [
    { id: 'e1', seq: 1, type: 'signing.success', timestamp: AT, about: 's' },
    { id: 'e2', seq: 2, type: 'withdrawal.completed', timestamp: AT, about: 'w' },
    { id: 'e3', seq: 3, type: 'withdrawal.cancelled', timestamp: AT, about: 'v' },
  ],
  delivered: new Set(['e1', 'e2', 'e3']),
  deliveredSince: '2026-01-01T00:00:00.000Z',
  refusedDeliveries: [],
  auditProblems: [],
});

const withdrawalsThat = (change: Partial<Facts['withdrawals'][number]>, place: number) =>
  sound().withdrawals.map((each, index) => (index === place ? { ...each, ...change } : each));

const planted: Readonly<Record<string, () => Partial<Facts>>> = {
  'nothing is open': () => ({ open: ['withdrawal w is processing'] }),
  'what was accepted is there': () => ({ accepted: { signatures: ['lost'], withdrawals: [], wallets: [] } }),
  'callers meet no surprise': () => ({ surprises: ['one key is a and b'] }),
  'every wallet is active, and none was frozen': () => ({ wallets: [{ id: 'a', status: 'frozen' }] }),
  'every signature verifies for the address of its wallet': () => ({
    signatures: [{ ...signature, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  }),
  'a withdrawal that completed paid its recipient once': () => ({
    withdrawals: withdrawalsThat({ receivedBaseUnits: 10n }, 0),
  }),
  'a withdrawal that ended otherwise paid nobody': () => ({
    withdrawals: withdrawalsThat({ receivedBaseUnits: 5n }, 1),
  }),
  'the books of withdrawals are in order': () => ({ brokenBooks: ['what has ended holds nothing: withdrawal w'] }),
  'the ledger is what the chains hold': () => ({ differences: ['+1 ETH'] }),
  'nonces are used without a gap': () => ({ nonces: [{ address: '0x1', next: 3, used: [0, 2] }] }),
  'the feed of events has no gap': () => ({
    events: sound().events.map((event) => (event.seq === 3 ? { ...event, seq: 4 } : event)),
  }),
  'every operation ended once, as its events say': () => ({
    events: [...sound().events, { id: 'e1', seq: 4, type: 'signing.failed', timestamp: AT, about: 's' }],
  }),
  'every event was delivered': () => ({ delivered: new Set(['e1', 'e2']) }),
  'every delivery verifies': () => ({ refusedDeliveries: ['None of its signatures is by these keys.'] }),
  'the audit log is whole': () => ({ auditProblems: ['entry 3 is missing'] }),
};

test('a run in which all is well breaks nothing', async () => {
  expect(await findBroken(sound())).toEqual([]);
});

test('each invariant has its planted breakage', () => {
  expect(Object.keys(planted).sort()).toEqual(Object.keys(invariants).sort());
});

test.each(Object.keys(planted))('a breakage is seen: %s', async (name) => {
  const found = await findBroken({ ...sound(), ...planted[name]?.() });
  expect(found.map(({ invariant }) => invariant)).toEqual([name]);
});

test('a nonce that the chain has not used is told of, too', async () => {
  const found = await findBroken({ ...sound(), nonces: [{ address: '0x1', next: 1, used: [0, 1] }] });
  expect(found[0]?.broken).toEqual(['nonce 1 of 0x1 is not used on the chain, whose next one is 1']);
});

test('an operation of which no event says the end is told of', async () => {
  const found = await findBroken({ ...sound(), signatures: [signature, { ...signature, id: 'silent' }] });
  expect(found[0]?.broken).toEqual(['silent is success, and its events say: ']);
});
