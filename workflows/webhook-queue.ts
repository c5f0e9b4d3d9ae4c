// The task queue of what sends webhooks: its own, so that endpoints that take their time hold none of the places in which wallets are made and money is moved.
export const webhookQueueOf = (taskQueue: string): string => `${taskQueue}-webhooks`;
