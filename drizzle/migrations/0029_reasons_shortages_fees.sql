ALTER TABLE "signing_requests" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "fee_base_units" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "withdrawal_status" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "notes" text;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "withdrawal_events" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "shortage" jsonb;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "freeze_reason" text;--> statement-breakpoint
CREATE INDEX "withdrawals_sub_status_created" ON "withdrawals" USING btree ("workspace_id","sub_status","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_sub_status_updated" ON "withdrawals" USING btree ("workspace_id","sub_status","updated_at","id");--> statement-breakpoint
-- What the withdrawals know of the activity that is there already.
UPDATE "transactions" AS activity
  SET "fee_base_units" = paid."fee_paid_base_units", "withdrawal_status" = paid."status", "external_id" = paid."external_id", "notes" = paid."notes"
  FROM "withdrawals" AS paid WHERE paid."id" = activity."id" AND activity."direction" = 'out';
