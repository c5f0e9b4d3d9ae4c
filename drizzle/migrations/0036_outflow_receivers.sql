ALTER TABLE "unexplained_outflows" ADD COLUMN "to_address" text;--> statement-breakpoint
ALTER TABLE "unexplained_outflows" ADD COLUMN "fee_base_units" numeric(78, 0);