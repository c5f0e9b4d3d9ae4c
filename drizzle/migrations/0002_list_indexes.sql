DROP INDEX "signing_requests_workspace_status";--> statement-breakpoint
DROP INDEX "transactions_workspace_status";--> statement-breakpoint
DROP INDEX "transactions_tx_hash";--> statement-breakpoint
CREATE INDEX "signing_requests_status_created" ON "signing_requests" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_status_updated" ON "signing_requests" USING btree ("workspace_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_wallet_updated" ON "signing_requests" USING btree ("wallet_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_kind_created" ON "transactions" USING btree ("workspace_id","direction","method","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_kind_updated" ON "transactions" USING btree ("workspace_id","direction","method","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_asset_created" ON "transactions" USING btree ("workspace_id","asset_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_asset_updated" ON "transactions" USING btree ("workspace_id","asset_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_network_created" ON "transactions" USING btree ("workspace_id","network_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_network_updated" ON "transactions" USING btree ("workspace_id","network_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_from" ON "transactions" USING btree ("workspace_id",lower("from_address"));--> statement-breakpoint
CREATE INDEX "transactions_to" ON "transactions" USING btree ("workspace_id",lower("to_address"));--> statement-breakpoint
CREATE INDEX "transactions_recipient" ON "transactions" USING btree ("workspace_id",lower("recipient_address"));--> statement-breakpoint
CREATE INDEX "wallets_status_created" ON "wallets" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "wallets_status_updated" ON "wallets" USING btree ("workspace_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_tx_hash" ON "transactions" USING btree (lower("tx_hash"));