// Goal: the faults of a run follow from its seed alone, so that a run can be repeated, and none outlasts the run.
// Method: draw them, and look at what was drawn.
import { describe, expect, test } from 'vitest';
import { chanceOf } from '../../chaos/chance.ts';
import { drawFaults, kindsOfFaults } from '../../chaos/faults/draw-faults.ts';

const TEN_MINUTES_MS = 600_000;

describe('faults', () => {
  test('one seed draws the same faults each time, and another one others', () => {
    expect(drawFaults(7, TEN_MINUTES_MS)).toEqual(drawFaults(7, TEN_MINUTES_MS));
    expect(drawFaults(7, TEN_MINUTES_MS)).not.toEqual(drawFaults(8, TEN_MINUTES_MS));
  });

  test('they come in order, and are over when the run is', () => {
    const faults = drawFaults(1, TEN_MINUTES_MS);
    const times = faults.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    for (const { atMs, forMs } of faults) expect(atMs + forMs).toBeLessThanOrEqual(TEN_MINUTES_MS);
  });

  test('a long run has every kind of fault at every target', () => {
    const faults = drawFaults(1, 30 * TEN_MINUTES_MS);
    const drawn = new Set(faults.map(({ kind, target }) => `${kind} ${target}`));
    for (const [kind, { targets }] of Object.entries(kindsOfFaults))
      for (const target of targets) expect(drawn).toContain(`${kind} ${target}`);
  });

  test('a minute brings about twenty', () => {
    expect(drawFaults(3, TEN_MINUTES_MS).length / 10).toBeGreaterThan(15);
    expect(drawFaults(3, TEN_MINUTES_MS).length / 10).toBeLessThan(35);
  });
});

describe('chance', () => {
  test('what weighs nothing is never picked, and what weighs more comes more often', () => {
    const chance = chanceOf(5);
    const items = [
      { name: 'never', weight: 0 },
      { name: 'seldom', weight: 1 },
      { name: 'often', weight: 9 },
    ];
    const picked = Array.from({ length: 1_000 }, () => chance.pickWeighted(items).name);
    expect(picked).not.toContain('never');
    expect(picked.filter((name) => name === 'seldom').length).toBeGreaterThan(50);
    expect(picked.filter((name) => name === 'often').length).toBeGreaterThan(800);
  });

  test('a number lies between its bounds, both of which come', () => {
    const chance = chanceOf(5);
    expect(new Set(Array.from({ length: 200 }, () => chance.between(2, 4)))).toEqual(new Set([2, 3, 4]));
  });
});
