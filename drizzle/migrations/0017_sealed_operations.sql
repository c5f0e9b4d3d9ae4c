CREATE TABLE "row_sealing" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "signed_seal" text;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "approvals_required" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "wallet_addresses" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "wallet_keys" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "approvals_required" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "seal" text;--> statement-breakpoint
UPDATE "signing_requests" SET "approvals_required" = "round"."required" FROM "approval_rounds" "round" WHERE "round"."subject_id" = "signing_requests"."id";--> statement-breakpoint
UPDATE "withdrawals" SET "approvals_required" = "round"."required" FROM "approval_rounds" "round" WHERE "round"."subject_id" = "withdrawals"."id";--> statement-breakpoint
-- Where there is no workspace, there is nothing of before to seal.
INSERT INTO "row_sealing" ("id") SELECT 1 WHERE NOT EXISTS (SELECT FROM "workspaces");
