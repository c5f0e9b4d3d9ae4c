ALTER TABLE "audit_findings" ADD COLUMN "resolved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_findings" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "audit_findings" ADD COLUMN "resolved_hash" text;--> statement-breakpoint
ALTER TABLE "network_states" ADD COLUMN "reading_failure" text;--> statement-breakpoint
ALTER TABLE "network_states" ADD COLUMN "skip_traces_until" bigint;