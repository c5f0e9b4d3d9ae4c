// An API with a folder or a bucket for exports, and a worker on its task queue that writes them by the product's
// activities.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ExportBucket } from '../../../activities/exports/export-bucket.ts';
import { ExportFolder } from '../../../activities/exports/export-folder.ts';
import { createExportScheduleActivities } from '../../../activities/exports/run-export-schedule.ts';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import type { AppSettings } from '../../../src/app.ts';
import { testTemporal } from '../processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../processes/worker.ts';
import { testSeals } from '../rows/seals.ts';
import { type Answer, startApi, type TestApi, type TestKey } from './api.ts';

export interface ExportsApi {
  api: TestApi;
  /** Where the files are, when they are in a folder. */
  directory: string;
  store: ExportFolder | ExportBucket;
  path: (rest?: string, workspaceId?: string) => string;
  /** Answers the record of the export when it was asked for. */
  start(body: object, key?: TestKey): Promise<Record<string, unknown> & { id: string }>;
  /** The record once it has ended. */
  // oxlint-disable-next-line typescript/no-explicit-any
  ended(id: string): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  run(body: object, key?: TestKey): Promise<any>;
  content(id: string, options?: { key?: TestKey; headers?: Record<string, string> }): Promise<Answer>;
  /** `pieceDelayMs`: it writes slowly. */
  startWorker(pieceDelayMs?: number): Promise<TestWorker>;
  stop(): Promise<void>;
}

const ENDS_WITHIN_MS = 120_000;

export async function startExports(changed: Partial<AppSettings> = {}): Promise<ExportsApi> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-exports-'));
  const { exportBucket: bucket } = changed;
  const api = await startApi({ ...(bucket === undefined ? { exportDirectory: directory } : {}), ...changed });
  const store = bucket === undefined ? new ExportFolder(directory) : new ExportBucket(bucket);
  const workers: TestWorker[] = [];
  const path = (rest = '', workspaceId = api.workspaceId) => `/api/v1/workspaces/${workspaceId}/exports${rest}`;
  const start = async (body: object, key?: TestKey) => {
    const ask = () => api.call('POST', path(), body, key === undefined ? {} : { key });
    let answer = await ask();
    // Two equal requests in one second are a replay.
    while (answer.body.code === 'request_replayed') {
      await sleep(200);
      answer = await ask();
    }
    expect([answer.status, answer.body.message]).toEqual([202, 'success']);
    return answer.body.data;
  };
  const ended = async (id: string) => {
    const until = Date.now() + ENDS_WITHIN_MS;
    for (;;) {
      const { body } = await api.call('GET', path(`/${id}`), undefined, { headers: { prefer: 'wait=5' } });
      if (['completed', 'failed', 'cancelled'].includes(body.data.status) || Date.now() > until) return body.data;
    }
  };
  return {
    api,
    directory,
    store,
    path,
    start,
    ended,
    run: async (body, key) => ended((await start(body, key)).id),
    content: (id, options = {}) => api.call('GET', path(`/${id}/content`), undefined, options),
    startWorker: async (exportPieceDelayMs) => {
      const { db } = api;
      const activities = {
        ...createExportActivities({ db, exportStore: store, exportPieceDelayMs }),
        ...createExportScheduleActivities({ db, seals: testSeals }),
      };
      const temporal = { ...testTemporal('exports'), taskQueue: api.taskQueue };
      const worker = await startTestWorker({ temporal, activities });
      workers.push(worker);
      return worker;
    },
    stop: async () => {
      for (const worker of workers) await worker.stop().catch(() => {});
      await api.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
