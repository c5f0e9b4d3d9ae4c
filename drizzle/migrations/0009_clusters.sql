-- What was made before belongs to the one cluster that there was.
ALTER TABLE "wallets" ADD COLUMN "cluster" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "cluster" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "node_health" ADD COLUMN "cluster" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_findings" ADD COLUMN "cluster" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "node_health" DROP CONSTRAINT "node_health_pkey";--> statement-breakpoint
ALTER TABLE "node_health" ADD CONSTRAINT "node_health_cluster_node_pk" PRIMARY KEY("cluster","node");--> statement-breakpoint
ALTER TABLE "audit_findings" DROP CONSTRAINT "audit_findings_workspace_id_seq_node_pk";--> statement-breakpoint
ALTER TABLE "audit_findings" ADD CONSTRAINT "audit_findings_workspace_id_seq_cluster_node_pk" PRIMARY KEY("workspace_id","seq","cluster","node");--> statement-breakpoint
-- Keys do not move: a wallet that is said to be of another cluster would only seem to be lost.
CREATE TRIGGER wallets_cluster_kept BEFORE UPDATE OF cluster ON wallets FOR EACH ROW EXECUTE FUNCTION refuse_change();
