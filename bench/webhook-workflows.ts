// The two ways that bench/webhooks.ts compares: the product's workflow for an endpoint, and a workflow for each event.
import { proxyActivities } from '@temporalio/workflow';
import { deliverOptions } from '../workflows/activity-options.ts';
import { report } from '../workflows/report.ts';

export { deliverWebhooks } from '../workflows/deliver-webhooks.ts';

export interface DeliverOneActivities {
  sendOne(place: number): Promise<void>;
}

const { sendOne } = proxyActivities<DeliverOneActivities>(deliverOptions);

export async function deliverOne({ place }: { place: number }): Promise<void> {
  await sendOne(place);
  report('delivered', 'Delivered.');
}
