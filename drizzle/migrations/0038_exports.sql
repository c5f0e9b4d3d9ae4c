CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"content" text NOT NULL,
	"format" text NOT NULL,
	"wallet_ids" uuid[],
	"from_at" timestamp (3) with time zone,
	"to_at" timestamp (3) with time zone,
	"requested_by" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"row_count" bigint DEFAULT 0 NOT NULL,
	"byte_count" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"snapshot_at" timestamp (3) with time zone,
	"file_id" uuid,
	"error_code" text,
	"error_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"workflow_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_workspace_created" ON "exports" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "exports_workspace_updated" ON "exports" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "exports_ended" ON "exports" USING btree ("completed_at");--> statement-breakpoint
CREATE INDEX "exports_open" ON "exports" USING btree ("id") WHERE "exports"."status" in ('pending', 'running');