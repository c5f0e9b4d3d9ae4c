ALTER TABLE "node_health" ADD COLUMN "banned_nodes" smallint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "node_health" ADD COLUMN "answer_ms" integer;--> statement-breakpoint
ALTER TABLE "node_health" ADD COLUMN "signing_ms" integer;