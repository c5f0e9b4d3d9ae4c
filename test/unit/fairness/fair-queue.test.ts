// Goal: nobody waits for more than one item of each other owner, and what is dropped is taken from whoever has most.
// Method: the queue by itself.
import { expect, test } from 'vitest';
import { FairQueue } from '../../../src/writes/fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

function filled(max: number, ...pushed: string[]): FairQueue<string> {
  const queue = new FairQueue<string>(max);
  for (const item of pushed) queue.push(item.slice(0, 1), item);
  return queue;
}

test('owners take turns, and the items of one keep their order', () => {
  expect(drain(filled(100, 'a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an owner who comes while others wait for long has its turn after one of each', () => {
  const queue = filled(10_000, ...Array.from({ length: 1_000 }, (_, index) => `a${index}`));
  queue.shift();
  queue.push('b', 'b1');
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a1', 'b1', 'a2']);
});

test('past its limit the longest line loses its last item', () => {
  expect(drain(filled(3, 'a1', 'a2', 'a3', 'b1', 'c1'))).toEqual(['a1', 'b1', 'c1']);
});

test('of lines of one item each, the last one in turn is dropped', () => {
  const queue = filled(2, 'a1', 'b1', 'c1');
  expect(drain(queue)).toEqual(['a1', 'b1']);
  queue.push('d', 'd1');
  expect(drain(queue)).toEqual(['d1']);
});

test('cleared, it is empty', () => {
  const queue = filled(10, 'a1', 'b1');
  queue.clear();
  expect(queue.shift()).toBeUndefined();
  queue.push('a', 'a2');
  expect(drain(queue)).toEqual(['a2']);
});
