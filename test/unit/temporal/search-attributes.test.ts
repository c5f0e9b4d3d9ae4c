// Goal: a worker starts although the namespace withholds the operator service, or another worker adds the attributes at
// the same moment. Method: an operator service that answers with gRPC's errors.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { ensureSearchAttributes } from '../../../src/process/temporal.ts';

const grpcError = (code: number) => Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} });

function clientOf(operator: { list?: number; add?: number }) {
  const added: object[] = [];
  const operatorService = {
    listSearchAttributes: async () => {
      if (operator.list !== undefined) throw grpcError(operator.list);
      return { customAttributes: {} };
    },
    addSearchAttributes: async (request: object) => {
      if (operator.add !== undefined) throw grpcError(operator.add);
      added.push(request);
    },
  };
  const client = { options: { namespace: 'default' }, connection: { operatorService } } as unknown as Client;
  return { client, added };
}

async function warningsOf(operator: { list?: number; add?: number }): Promise<number> {
  let warnings = 0;
  await ensureSearchAttributes(clientOf(operator).client, { warn: () => (warnings += 1) });
  return warnings;
}

test.each([
  ['reading is denied', { list: 7 }, 1],
  ['there is no operator service', { list: 12 }, 1],
  ['adding is denied', { add: 7 }, 1],
  ['another worker was first', { add: 6 }, 0],
])('when %s the worker goes on', async (_name, operator, warnings) => {
  expect(await warningsOf(operator)).toBe(warnings);
});

test('what is missing is added by its type, and any other failure is thrown', async () => {
  const { client, added } = clientOf({});
  await ensureSearchAttributes(client, { warn: () => {} });
  expect(added).toEqual([
    {
      namespace: 'default',
      searchAttributes: { WorkspaceId: 2, WalletId: 2, WalletIds: 7, NetworkCode: 2, OperationStatus: 2 },
    },
  ]);
  await expect(warningsOf({ list: 14 })).rejects.toThrow('refused');
});
