// Goal: what was accepted is not refused because too much of it comes at once: a rate of the nodes, and what is left of
// their day, are waited for, and the request says so; what is above a limit by itself ends at once, with the rule's
// sentence. Method: three real nodes with a rate and a limit of a day, the product's workflow and activities on real
// PostgreSQL and Temporal, and more signatures at once than a minute allows.
import { type Address, serializeTransaction } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import type { SigningPayload } from '../../../domain/signing/signing-payload.ts';
import { startTestCluster } from '../../support/cluster/cluster.ts';
import { type NodesAndWorker, startNodesAndWorker } from '../../support/cluster/nodes-and-worker.ts';
import { onEvm, readSigningRequest } from '../../support/rows/operation-rows.ts';

const MINUTE_MS = 60_000;
const TO: Address = '0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1';
const [RATE, DAY] = [4, 100n];

let service: NodesAndWorker;
let walletId: string;

beforeAll(async () => {
  const policy = { raw_digests: true, rates: { per_minute: RATE }, evm: { any_chain: { daily_max: String(DAY) } } };
  const nodes = await startTestCluster({ policy });
  service = await startNodesAndWorker('waits-at-a-limit', nodes, connectCluster(nodes.config));
  walletId = await service.newWallet();
}, 5 * MINUTE_MS);
afterAll(() => service?.stop());

const start = async (payload: SigningPayload) => (await service.ask(walletId, payload, onEvm)).id;
const read = (id: string) => readSigningRequest(service.db, id);

function paying(value: bigint): SigningPayload {
  const fields = { chainId: 1, nonce: 7, gas: 21_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, value, to: TO };
  return { kind: 'evm_transaction', hex: serializeTransaction({ type: 'eip1559', ...fields }) };
}

const digest = (number: number): SigningPayload => ({
  kind: 'raw_digest',
  hex: `0x${number.toString(16).padStart(64, '0')}`,
});

test(
  'a backlog beyond the rate is signed as the rate allows, and none of it fails',
  async () => {
    const ids = await Promise.all(Array.from({ length: 3 * RATE }, (_, place) => start(digest(place + 1))));
    const waits = async () => (await Promise.all(ids.map(read))).filter((row) => row?.statusReason === 'queued').length;
    await expect.poll(waits, { timeout: MINUTE_MS }).toBeGreaterThan(0);
    const statuses = async () => new Set((await Promise.all(ids.map(read))).map((row) => row?.status));
    await expect.poll(statuses, { timeout: 5 * MINUTE_MS, interval: 500 }).toEqual(new Set(['success']));
  },
  6 * MINUTE_MS,
);

test(
  'what is left of a day is waited for; what no day allows ends at once and says why',
  async () => {
    const spent = await start(paying(DAY));
    await expect.poll(async () => (await read(spent))?.status, { timeout: 2 * MINUTE_MS }).toBe('success');
    // Each quorum counts by itself: the third node has seen nothing of the first, and its partner refuses.
    const waiting = await start(paying(DAY));
    await expect
      .poll(() => read(waiting), { timeout: MINUTE_MS })
      .toMatchObject({ status: 'submitted', statusReason: 'queued' });
    const never = await start(paying(DAY + 1n));
    await expect
      .poll(() => read(never), { timeout: 2 * MINUTE_MS })
      .toMatchObject({
        status: 'failed',
        statusReason: 'policy_denied',
        errorCode: 'policy_refused',
        errorReason: expect.stringContaining('The policy of this node refuses more of this asset today.'),
      });
    expect((await read(waiting))?.status).toBe('submitted');
  },
  6 * MINUTE_MS,
);
