CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"status" text DEFAULT 'active' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Each key that exists becomes a user of its own with the same id, so that policies, rounds and votes that name keys go on meaning the same.
INSERT INTO "users" ("id", "workspace_id", "name", "status", "created_by", "created_at")
  SELECT "id", "workspace_id", "name", CASE WHEN "revoked_at" IS NULL THEN 'active' ELSE 'disabled' END, "created_by", "created_at" FROM "api_keys";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "user_id" uuid;--> statement-breakpoint
UPDATE "api_keys" SET "user_id" = "id";--> statement-breakpoint
ALTER TABLE "api_keys" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "approvals" DISABLE TRIGGER approvals_kept;--> statement-breakpoint
UPDATE "approvals" SET "user_id" = "api_key_id";--> statement-breakpoint
ALTER TABLE "approvals" ENABLE TRIGGER approvals_kept;--> statement-breakpoint
ALTER TABLE "approvals" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "users_workspace" ON "users" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "users_workspace_updated" ON "users" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
-- Who voted stays known.
CREATE TRIGGER users_kept BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse_change();
