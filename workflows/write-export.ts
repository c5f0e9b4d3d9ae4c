// Writes an export into a file.
//
// 1. writeExport pending → running → completed, with the file in its place before anybody reads `completed`; begun anew
//   when its worker dies, as of a later moment then; tried again until the database is back
// or, where a caller cancelled it, nothing: its row says so already, and the attempt stops and erases its part
// or failExport → failed with the code and the reason; nothing of a file is left
import { CancellationScope, proxyActivities, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { WriteExportInput } from '../domain/workflow-inputs.ts';
import { exportOptions, rowOptions } from './activity-options.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';

const { writeExport: writeFile } = proxyActivities<Activities>(exportOptions);
const { failExport } = proxyLocalActivities<Activities>(rowOptions);

export async function writeExport({ exportId }: WriteExportInput): Promise<void> {
  setCurrentDetails('A worker reads one snapshot; how far it is stands in the last heartbeat of its activity.');
  try {
    const written = await writeFile(exportId);
    if (written === 'cancelled') return report('cancelled', 'A caller cancelled it, and nothing of a file is left.');
    report(
      'completed',
      written === null ? 'It had ended before.' : `The file is there: ${written.rows} rows, ${written.bytes} bytes.`,
    );
  } catch (error) {
    const { code, reason } = describeFailure(error);
    // Also when an operator cancelled: the row must end.
    await CancellationScope.nonCancellable(() => failExport(exportId, code, reason));
    report('failed', `No file was written: ${reason} (${code}).`);
  }
}
