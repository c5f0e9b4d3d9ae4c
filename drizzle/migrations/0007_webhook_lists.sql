DROP INDEX "webhook_deliveries_type_created";--> statement-breakpoint
DROP INDEX "webhooks_workspace_created";--> statement-breakpoint
DROP INDEX "webhooks_workspace_updated";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_status_updated" ON "webhook_deliveries" USING btree ("webhook_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_kind_created" ON "webhook_deliveries" USING btree ("webhook_id","event_type","status","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_kind_updated" ON "webhook_deliveries" USING btree ("webhook_id","event_type","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_there_created" ON "webhooks" USING btree ("workspace_id","created_at","id") WHERE "webhooks"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX "webhooks_there_updated" ON "webhooks" USING btree ("workspace_id","updated_at","id") WHERE "webhooks"."status" <> 'deleted';