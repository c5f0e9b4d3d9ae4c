// Goal: places are given to whoever waits, workspaces in turn, and none is lost. Method: places that the test takes and
// leaves.
import { expect, test } from 'vitest';
import { AttemptPlaces } from '../../../activities/signing/attempt-places.ts';

const never = new AbortController().signal;

function waiting(places: AttemptPlaces) {
  const came: string[] = [];
  const wait = (workspaceId: string, name: string, abort = never) =>
    void places.wait(workspaceId, abort).then((isTaken) => came.push(isTaken ? name : `${name} gave up`));
  return { came, wait };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

test('a crowd of one workspace stands before nobody else', async () => {
  const places = new AttemptPlaces(1);
  expect(places.take()).toBe(true);
  const { came, wait } = waiting(places);
  for (const name of ['a1', 'a2', 'a3']) wait('a', name);
  wait('b', 'b1');
  wait('c', 'c1');
  for (let left = 0; left < 5; left += 1) places.leave();
  await turn();
  expect(came).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  places.leave();
  expect([places.take(), places.take()]).toEqual([true, false]);
});

test('whoever gives up takes no place', async () => {
  const places = new AttemptPlaces(1);
  places.take();
  const { came, wait } = waiting(places);
  const abort = new AbortController();
  wait('a', 'a1', abort.signal);
  wait('a', 'a2');
  wait('b', 'b1', abort.signal);
  abort.abort();
  await turn();
  expect(came).toEqual(['a1 gave up', 'b1 gave up']);
  places.leave();
  await turn();
  expect(came).toEqual(['a1 gave up', 'b1 gave up', 'a2']);
  places.leave();
  expect(await places.wait('c', AbortSignal.abort())).toBe(false);
  expect(await places.wait('c', never)).toBe(true);
});
