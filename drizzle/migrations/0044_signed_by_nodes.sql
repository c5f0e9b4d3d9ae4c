ALTER TABLE "signing_requests" ADD COLUMN "signed_by_nodes" integer[];--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "signed_by_nodes" integer[];