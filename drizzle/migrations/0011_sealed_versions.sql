ALTER TABLE "audit_logs" ADD COLUMN "sealed" text;--> statement-breakpoint
CREATE INDEX "audit_logs_sealed" ON "audit_logs" USING btree ("position") WHERE "audit_logs"."sealed" is not null;