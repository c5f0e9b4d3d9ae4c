// A worker in a process of its own that writes exports slowly, so that a test can kill it in the midst of one.
import { ExportFolder } from '../../../activities/exports/export-folder.ts';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { startTestWorker } from './worker.ts';

const { DATABASE_URL = '', EXPORT_DIRECTORY = '', TEMPORAL_ADDRESS = '', TASK_QUEUE = '' } = process.env;
const PIECE_DELAY_MS = 300;

const { db } = connectDatabase(DATABASE_URL, { poolSize: 2, name: 'test-export-worker' });
const exportStore = new ExportFolder(EXPORT_DIRECTORY);
await startTestWorker({
  temporal: { address: TEMPORAL_ADDRESS, namespace: 'default', taskQueue: TASK_QUEUE },
  activities: createExportActivities({ db, exportStore, exportPieceDelayMs: PIECE_DELAY_MS }),
});
