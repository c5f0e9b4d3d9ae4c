// Goal: every version of a policy is read with what it changed, beside the one that was in force when it was asked for.
// Method: the API on a real database, case by status code.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { policies } from '../../../drizzle/policies/policies.ts';
import { closed, guarded, open, type PoliciesApi, startPolicies } from '../../support/policies/policies-api.ts';

let api: PoliciesApi['api'];
let stage: PoliciesApi['stage'];
let setter: PoliciesApi['setter'];
let approvers: PoliciesApi['approvers'];
let path: PoliciesApi['path'];
let read: PoliciesApi['read'];
let put: PoliciesApi['put'];
let decide: PoliciesApi['decide'];
let forget: PoliciesApi['forget'];
beforeAll(async () => {
  const started = await startPolicies();
  ({ api, stage, setter, approvers, path, read, put, decide, forget } = started);
});
afterAll(() => api.stop());
/** Each test begins with a workspace that has set none. */
beforeEach(async () => {
  await forget();
});

describe('history', () => {
  const history = async (query = '') => (await stage.call('GET', `${path}/policy/history${query}`)).body.data;

  test('200: nothing, where none was set', async () => {
    expect(await history()).toEqual([]);
  });

  test('200: every version, the newest first, beside the one that was in force when it was asked for', async () => {
    await put(guarded);
    await put(closed);
    await decide('reject', (await read()).pending.approval.digest, approvers[0]);
    await put({ ...guarded, default: { action: 'deny' } });
    await put({ ...closed, rules: [{ name: 'none', when: {}, then: { action: 'deny' } }] });
    for (const approver of approvers) await decide('approve', (await read()).pending.approval.digest, approver);
    await put(open);
    const versions = await history();
    expect(
      // oxlint-disable-next-line typescript/no-explicit-any
      versions.map((each: any) => [each.version, each.status, each.compared_with, each.approval?.status]),
    ).toEqual([
      [5, 'active', 4, undefined],
      [4, 'superseded', 1, 'approved'],
      [3, 'superseded', 1, 'cancelled'],
      [2, 'rejected', 1, 'rejected'],
      [1, 'superseded', 0, undefined],
    ]);
    expect(versions[0]).toMatchObject({
      document: open,
      created_by: setter.id,
      differences: [
        { part: 'rule', change: 'removed', rule: 'none' },
        { part: 'default', change: 'changed', before: { action: 'deny' }, after: { action: 'allow' } },
      ],
    });
    expect(versions[4].differences).toEqual([
      expect.objectContaining({ part: 'rule', change: 'removed', rule: 'sandbox' }),
      { part: 'changes', change: 'added', after: guarded.changes },
    ]);
    expect(versions.some((each: object) => 'altered' in each)).toBe(false);
    expect((await read()).active.updated_at).toBe(versions[0].updated_at);
  });

  test('200: in pages, each beside versions of another page', async () => {
    for (const document of [open, closed, open]) await put(document);
    const { body, headers } = await stage.call('GET', `${path}/policy/history?limit=2`);
    // oxlint-disable-next-line typescript/no-explicit-any
    expect(body.data.map((each: any) => [each.version, each.compared_with])).toEqual([
      [3, 2],
      [2, 1],
    ]);
    expect(body.data[1].differences).toHaveLength(1);
    const rest = await history(`?limit=2&cursor=${String(headers['x-next-cursor'])}`);
    expect(rest).toMatchObject([{ version: 1, compared_with: 0 }]);
  });

  test('200: what somebody has changed in the database says so', async () => {
    await put(closed);
    await api.db.update(policies).set({ document: open }).where(eq(policies.workspaceId, api.workspaceId));
    expect(await history()).toMatchObject([{ version: 1, altered: true }]);
  });

  test("403 without the scope, 404 on another workspace's, 400 with a filter that there is not", async () => {
    const unable = await api.makeKey({ scopes: ['policies:write'] });
    expect((await stage.call('GET', `${path}/policy/history`, undefined, { key: unable })).status).toBe(403);
    const { workspaceId } = await api.makeWorkspace();
    expect((await stage.call('GET', `/api/v1/workspaces/${workspaceId}/policy/history`)).status).toBe(404);
    expect((await stage.call('GET', `${path}/policy/history?status=active`)).status).toBe(400);
  });
});
