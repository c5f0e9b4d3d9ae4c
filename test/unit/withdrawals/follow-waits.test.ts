// Goal: however many withdrawals wait for their blocks, few of them look again by their workflows in one second, and
// they take no more than half of the places that their workspace, and all workspaces, have in a worker. Method: the
// waits by themselves; the clock is the test's.
import { expect, test } from 'vitest';
import { FollowWaits } from '../../../activities/withdrawals/follow-waits.ts';

const line = { networkId: 'ethereum', workspaceId: 'a' };

test('five hundred behind one nonce come back one after the other, twenty in a second', () => {
  const waits = new FollowWaits({ now: () => 1_000 });
  const laterMs = Array.from({ length: 545 }, () => waits.untilNextLookMs(line, 500));
  expect(laterMs).toEqual(Array.from({ length: 545 }, (_, before) => 500 + before * 50));
});

test('one that is alone, or comes when the others have looked, waits for as long as its chain asks', () => {
  let nowMs = 0;
  const waits = new FollowWaits({ now: () => nowMs });
  expect(waits.untilNextLookMs(line, 500)).toBe(500);
  nowMs = 600;
  expect(waits.untilNextLookMs(line, 500)).toBe(500);
  expect(waits.untilNextLookMs(line, 6_000)).toBe(6_000);
});

test('the crowd of one workspace, or of one network, holds up no other', () => {
  const waits = new FollowWaits({ now: () => 0 });
  for (let before = 0; before < 1_000; before += 1) waits.untilNextLookMs(line, 500);
  expect(waits.untilNextLookMs({ ...line, workspaceId: 'b' }, 500)).toBe(500);
  expect(waits.untilNextLookMs({ ...line, networkId: 'bitcoin' }, 30_000)).toBe(30_000);
});

test('lines that are over are forgotten, and no other', () => {
  let nowMs = 0;
  const waits = new FollowWaits({ now: () => nowMs });
  for (let index = 0; index < 999; index += 1) waits.untilNextLookMs({ ...line, workspaceId: `${index}` }, 500);
  waits.untilNextLookMs(line, 5_000);
  nowMs = 4_700;
  expect(waits.untilNextLookMs({ ...line, workspaceId: 'new' }, 500)).toBe(500);
  expect(waits.untilNextLookMs(line, 100)).toBe(350);
});

test('a workspace holds fifty places, all hold a hundred and fifty, and each is given back once', () => {
  const waits = new FollowWaits();
  const enter = (workspaceId: string, times: number) =>
    Array.from({ length: times }, () => waits.enter(workspaceId)).filter((leave) => leave !== undefined);
  const places = enter('a', 60);
  expect(places).toHaveLength(50);
  expect(enter('b', 60)).toHaveLength(50);
  expect(enter('c', 60)).toHaveLength(50);
  expect(enter('d', 1)).toHaveLength(0);
  places[0]?.();
  places[1]?.();
  expect(enter('d', 1)).toHaveLength(1);
  expect(enter('a', 3)).toHaveLength(1);
});
