CREATE TABLE "nonce_repairs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"network_id" uuid NOT NULL,
	"address" text NOT NULL,
	"next_nonce" bigint NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nonce_repairs" ADD CONSTRAINT "nonce_repairs_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "nonce_repairs_address" ON "nonce_repairs" USING btree ("network_id","address","id");