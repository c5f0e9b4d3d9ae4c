ALTER TABLE "signing_requests" ADD COLUMN "attempts_open" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "may_be_signed" boolean DEFAULT false NOT NULL;