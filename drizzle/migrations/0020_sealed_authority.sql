ALTER TABLE "api_keys" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "seal_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "approval_rounds" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "address_book" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "address_book" ADD COLUMN "seal_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "seal_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seal_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A vote stays as it was given. Its seal is made for votes of before, and anew under another key-encryption key.
DROP TRIGGER approvals_kept ON approvals;--> statement-breakpoint
CREATE TRIGGER approvals_kept BEFORE UPDATE OF id, subject_id, api_key_id, user_id, decision, digest, created_at OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();
