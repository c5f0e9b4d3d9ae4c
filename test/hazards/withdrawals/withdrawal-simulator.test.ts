// Goal: W4, whatever chance does to the chain, the cluster, the database, the worker and its callers, no withdrawal
// pays twice, none pays after it has failed, and the books are in order; and when chance stops, every withdrawal ends.
// Method: the product's workflow and activities on real PostgreSQL and Temporal, with a chain and a cluster in memory
// (support/withdrawals/withdrawal-simulation.ts). A seed chooses what happens and when, the scheduler what it meets on
// its way: SIMULATION_SEED=4,5,6 tries others, SIMULATION_TICKS makes each longer.
import { afterAll, expect, test } from 'vitest';
import { MORE_IN_CALM, WithdrawalSimulation } from '../../support/withdrawals/withdrawal-simulation.ts';

const { SIMULATION_SEED = '1,2,3,4', SIMULATION_TICKS = '70' } = process.env;
const ALL_END_WITHIN_MS = 240_000;

const started: WithdrawalSimulation[] = [];
// Together: one whose connections were lost takes five seconds to let go of them.
afterAll(() => Promise.all(started.map((simulation) => simulation.stop())));

const counted = (ends: readonly string[]) =>
  [...new Set(ends)].sort().map((end) => `${ends.filter((one) => one === end).length} ${end}`);

test.concurrent.for(SIMULATION_SEED.split(',').map(Number))(
  'W4: seed %i: safe at every step, and all end when chance stops',
  { timeout: 10 * 60_000 },
  async (seed, { expect: own }) => {
    const simulation = await WithdrawalSimulation.start(seed);
    started.push(simulation);
    simulation.stir();
    for (let tick = 1; tick <= Number(SIMULATION_TICKS); tick += 1) {
      await simulation.tick();
      if (tick % 10 === 0) await simulation.closeAbandoned();
      await simulation.assertPaidOnce();
      if (tick % 5 === 0) await simulation.assertBooks();
    }
    await simulation.calmDown();
    const open = async () => {
      simulation.mine();
      await simulation.letMinutesPass();
      await simulation.closeAbandoned();
      await simulation.assertPaidOnce();
      return (await simulation.ends()).filter((end) => end.startsWith('open'));
    };
    const ended = own.poll(open, { timeout: ALL_END_WITHIN_MS, interval: 200 }).toEqual([]);
    await ended.catch(async (error: unknown) => {
      console.log(`seed ${seed}, what stays open:\n${await simulation.describeOpen()}`);
      throw error;
    });
    await simulation.assertBooks();
    await simulation.assertSettled();
    const ends = await simulation.ends();
    console.log(`seed ${seed}: ${counted(ends).join(', ')}`);
    // Not all of them must: somebody else with the same key may have taken a nonce.
    expect(ends.slice(-MORE_IN_CALM)).toContain('completed');
  },
);
