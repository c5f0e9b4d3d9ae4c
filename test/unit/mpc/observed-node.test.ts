// Goal: who watches a node hears each refusal with its code, and of each node that will be asked before it is. Method:
// a node that answers what it is told to.
import { expect, test } from 'vitest';
import { ObservedNode } from '../../../activities/mpc/client/observed-cluster.ts';
import type { ResponseBody } from '../../../activities/mpc/transport/wire.ts';

function observed(answer: ResponseBody) {
  const heard: unknown[] = [];
  const transport = { index: 2, readiness: 'open' as const, warm: () => undefined, close: () => undefined };
  const node = new ObservedNode(
    { ...transport, call: async () => answer },
    {
      onCall: () => () => undefined,
      onQuestion: (index, question) => (outcome) => heard.push([index, question, outcome]),
      onNode: (index) => heard.push(['node', index]),
      onRefusal: (index, code) => heard.push([index, code]),
      onWrongSignature: () => undefined,
    },
  );
  return { node, heard };
}

test('a refusal is told with its code, and is the answer', async () => {
  const paused: ResponseBody = { kind: 'Refused', code: 'Paused', peer: null, detail: 'for now' };
  const { node, heard } = observed(paused);
  expect(heard).toEqual([['node', 2]]);
  expect(await node.call({ kind: 'Health' }, 1_000)).toBe(paused);
  expect(heard.slice(1)).toEqual([
    [2, 'Health', 'refused'],
    [2, 'Paused'],
  ]);
});

test('another answer is no refusal', async () => {
  const { node, heard } = observed({ kind: 'InProgress' });
  await node.call({ kind: 'Health' }, 1_000);
  expect(heard.slice(1)).toEqual([[2, 'Health', 'ok']]);
});
