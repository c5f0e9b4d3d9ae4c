// Delivers events to one webhook endpoint until nothing is left: one for an endpoint, started by the signal that there
// is something to deliver.
//
// 1. deliverDue sends what is due, hundreds of events in one activity; an attempt that was recorded is not made again;
//   retried until the database is back
// 2. a timer to the next attempt, or the signal `changed`; an endpoint that does not answer is left alone for a while,
//   whatever comes Ends when nothing is left: the next signal starts it again. A signal that comes while it ends is
//   seen before it has ended. Continues as new, so that its history stays short. Nothing to compensate: rows say what
//   was sent.
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/deliver-webhooks.ts';
import type { DeliverWebhooksInput } from '../domain/workflow-inputs.ts';
import { deliverOptions } from './activity-options.ts';
import { Changes } from './await-approval.ts';
import { report } from './report.ts';
import { webhookQueueOf } from './task-queues.ts';

export async function deliverWebhooks(input: DeliverWebhooksInput): Promise<void> {
  const taskQueue = webhookQueueOf(workflowInfo().taskQueue);
  const { deliverDue } = proxyActivities<WebhookActivities>({ ...deliverOptions, taskQueue });
  const changes = new Changes();
  for (;;) {
    changes.reset();
    const { restMs, nextInMs } = await deliverDue(input.webhookId);
    if (nextInMs === null && !changes.received) return report('delivered', 'Nothing is left to deliver.');
    if (restMs > 0) {
      setCurrentDetails('The endpoint does not answer, or asks for time: it is left alone for a while.');
      await sleep(restMs);
    }
    const leftMs = (nextInMs ?? 0) - restMs;
    if (leftMs > 0) {
      setCurrentDetails('What failed is tried again later.');
      await changes.waitFor(leftMs);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>(input);
  }
}
