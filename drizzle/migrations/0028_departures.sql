CREATE TABLE "departures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"tx_hash" text NOT NULL,
	"departure_index" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"fee_base_units" numeric(78, 0) NOT NULL,
	"succeeded" boolean NOT NULL,
	"status" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"occurrence" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "departures_place" UNIQUE("network_id","tx_hash","departure_index")
);
--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "landing" text;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "nonce" text;--> statement-breakpoint
ALTER TABLE "departures" ADD CONSTRAINT "departures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departures" ADD CONSTRAINT "departures_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departures" ADD CONSTRAINT "departures_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departures" ADD CONSTRAINT "departures_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "departures_block" ON "departures" USING btree ("network_id","status","block_number");--> statement-breakpoint
CREATE INDEX "departures_transaction" ON "departures" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "signing_requests_unlanded" ON "signing_requests" USING btree ("wallet_id","id") WHERE "signing_requests"."landing" = 'open' and "signing_requests"."status" = 'success';--> statement-breakpoint
CREATE INDEX "signing_requests_unlanded_network" ON "signing_requests" USING btree ("network_internal_code","id") WHERE "signing_requests"."landing" = 'open' and "signing_requests"."status" = 'success';--> statement-breakpoint
-- Only what the chain has done already may take an available balance below zero: a reorg that takes back what was spent, a fee above what was held, and what left by a
-- transaction that its caller broadcast.
CREATE OR REPLACE FUNCTION ledger_apply_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  after_entry numeric;
  event_kind text;
BEGIN
  UPDATE ledger_accounts SET balance = balance + NEW.amount, updated_at = now()
    WHERE wallet_id = NEW.wallet_id AND asset_id = NEW.asset_id AND kind = NEW.kind
    RETURNING balance INTO after_entry;
  IF after_entry < 0 AND NEW.amount < 0 AND NEW.kind <> 'outside' THEN
    SELECT kind INTO event_kind FROM ledger_events WHERE id = NEW.event_id;
    IF NEW.kind <> 'available' OR event_kind NOT IN ('deposit_reversed', 'withdrawal_settled', 'departure_booked') THEN
      RAISE EXCEPTION 'ledger account % of wallet % would be below zero', NEW.kind, NEW.wallet_id USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
