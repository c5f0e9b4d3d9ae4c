CREATE TABLE "signing_movements" (
	"signing_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "signing_movements_signing_id_asset_id_pk" PRIMARY KEY("signing_id","asset_id")
);
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "judged_fee_base_units" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "signing_movements" ADD CONSTRAINT "signing_movements_signing_id_signing_requests_id_fk" FOREIGN KEY ("signing_id") REFERENCES "public"."signing_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_movements" ADD CONSTRAINT "signing_movements_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "signing_movements_workspace" ON "signing_movements" USING btree ("workspace_id","asset_id","created_at");--> statement-breakpoint
CREATE INDEX "signing_movements_wallet" ON "signing_movements" USING btree ("wallet_id","asset_id","created_at");