// Goal: nobody is served without limits: time, size, and fields that the document knows (control A7). Method: what
// Node's server is told, the OpenAPI document walked, and a request that is too large.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { WALLETS } from '../../support/api/signed-requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('A7: limits on what is taken', () => {
  test('A7: a request must come in time, and a connection may not stay silent for ever', () => {
    const { requestTimeout, headersTimeout, timeout } = api.app.server;
    for (const ms of [requestTimeout, headersTimeout, timeout]) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(60_000);
    }
  });

  test('A7: unknown fields are refused in every body and query that the document knows', async () => {
    const { paths } = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
    for (const [path, methods] of Object.entries<
      Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
    >(paths))
      for (const [method, { requestBody }] of Object.entries(methods))
        for (const { schema } of Object.values(requestBody?.content ?? {}))
          for (const one of schema.anyOf ?? [schema])
            if (one.type === 'object') expect([method, path, one.additionalProperties]).toEqual([method, path, false]);
    for (const path of Object.keys(paths).filter((path) => path.startsWith('/api/v1/') && 'get' in paths[path])) {
      const url = `${path.replaceAll(/\{\w+\}/g, api.workspaceId)}?unknown_parameter=1`;
      expect([path, (await api.call('GET', url)).status]).toEqual([path, 400]);
    }
  });

  test('A7: a body of one byte more than 1 MiB: 413, before it is looked at', async () => {
    const answer = await api.call('POST', WALLETS, undefined, { rawBody: ' '.repeat(1024 * 1024 + 1) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

interface Schema {
  type?: string;
  additionalProperties?: boolean;
  anyOf?: Schema[];
}
