CREATE TABLE "export_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"content" text NOT NULL,
	"format" text NOT NULL,
	"wallet_ids" uuid[],
	"cron" text NOT NULL,
	"time_zone" text NOT NULL,
	"time_window" text,
	"status" text DEFAULT 'active' NOT NULL,
	"paused_reason" text,
	"requested_by" uuid NOT NULL,
	"active_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_scheduled_for" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"applied_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "schedule_id" uuid;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "scheduled_for" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_schedules" ADD CONSTRAINT "export_schedules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_schedules_workspace_created" ON "export_schedules" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "export_schedules_workspace_updated" ON "export_schedules" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "export_schedules_applied" ON "export_schedules" USING btree ("applied_at");