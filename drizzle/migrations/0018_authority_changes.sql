CREATE TABLE "authority_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"details" jsonb NOT NULL,
	"secret_encrypted" "bytea",
	"status" text DEFAULT 'pending' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authority_changes" ADD CONSTRAINT "authority_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authority_changes_workspace" ON "authority_changes" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "authority_changes_workspace_updated" ON "authority_changes" USING btree ("workspace_id","updated_at","id");