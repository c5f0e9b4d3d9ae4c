// Whether the run that asks for a signature may have it made, by the row of the signing operation.
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { assertRunCounts } from '../runtime/assert-run-counts.ts';

export const assertRunMaySign =
  (seals: Seals, run: RunFacts | undefined) =>
  (row: SigningRequestRow): void =>
    assertRunCounts(seals, { ...row, kind: 'signing_request', workflowId: workflowIdOfRow(row) }, run);
