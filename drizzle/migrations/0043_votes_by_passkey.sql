CREATE UNIQUE INDEX "approvals_once_by_secret" ON "approvals" USING btree ("subject_id","api_key_id") WHERE "approvals"."passkey_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_once_by_passkey" ON "approvals" USING btree ("subject_id","api_key_id","passkey_id");--> statement-breakpoint
ALTER TABLE "approvals" DROP CONSTRAINT "approvals_once";
