CREATE TABLE "quota_counters" (
	"workspace_id" uuid NOT NULL,
	"quota" text NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "quota_counters_workspace_id_quota_pk" PRIMARY KEY("workspace_id","quota")
);
--> statement-breakpoint
ALTER TABLE "quota_counters" ADD CONSTRAINT "quota_counters_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;