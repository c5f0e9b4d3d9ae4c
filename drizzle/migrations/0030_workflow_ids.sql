-- Expand: a workflow's id carries its type, and a row says the id of its workflow. Rows without one are of before, and their workflow has the bare id.
-- Processes of the former version go on inserting uuids, which become text, and rows that say nothing. Only their search for orphaned operations compares the column with a uuid: it fails from here on, so that it ends nothing whose workflow it would look for under the wrong id.
ALTER TABLE "outbox" ALTER COLUMN "workflow_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "workflow_id" text;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "workflow_id" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "workflow_id" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "workflow_id" text;