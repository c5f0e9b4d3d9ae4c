DROP INDEX "wallets_status_created";--> statement-breakpoint
DROP INDEX "wallets_status_updated";--> statement-breakpoint
DROP INDEX "withdrawals_status_created";--> statement-breakpoint
DROP INDEX "withdrawals_status_updated";--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "metadata_terms" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "wallets_kind_created" ON "wallets" USING btree ("workspace_id","status","wallet_type","created_at","id");--> statement-breakpoint
CREATE INDEX "wallets_kind_updated" ON "wallets" USING btree ("workspace_id","status","wallet_type","updated_at","id");--> statement-breakpoint
CREATE INDEX "wallets_name_created" ON "wallets" USING btree ("workspace_id",lower("name"),"created_at","id");--> statement-breakpoint
CREATE INDEX "wallets_name_updated" ON "wallets" USING btree ("workspace_id",lower("name"),"updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_external_id" ON "wallets" USING btree ("workspace_id","external_id");--> statement-breakpoint
CREATE INDEX "wallets_metadata" ON "wallets" USING gin ("metadata_terms");--> statement-breakpoint
CREATE INDEX "withdrawals_kind_created" ON "withdrawals" USING btree ("workspace_id","status","method","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_kind_updated" ON "withdrawals" USING btree ("workspace_id","status","method","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_tx_hash" ON "withdrawals" USING btree (lower("tx_hash"));--> statement-breakpoint
CREATE INDEX "withdrawals_from" ON "withdrawals" USING btree ("workspace_id",lower("from_address"));--> statement-breakpoint
CREATE INDEX "withdrawals_recipient" ON "withdrawals" USING btree ("workspace_id",lower("recipient_address"));