CREATE TABLE "unknown_movements" (
	"operation_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"asset_id" uuid,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unknown_movements_operation" UNIQUE NULLS NOT DISTINCT("operation_id","network_id","asset_id")
);
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "fee_bound_base_units" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "disputed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "unknown_movements" ADD CONSTRAINT "unknown_movements_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unknown_movements" ADD CONSTRAINT "unknown_movements_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unknown_movements_workspace" ON "unknown_movements" USING btree ("workspace_id","network_id","created_at");--> statement-breakpoint
CREATE INDEX "unknown_movements_wallet" ON "unknown_movements" USING btree ("wallet_id","network_id","created_at");--> statement-breakpoint
-- What nobody knows is only added to, like what is known.
CREATE OR REPLACE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, set_back_rows, ledger_entries, ledger_events, approvals, events,
    signing_movements, unknown_movements, wallet_keys, wallet_addresses FROM countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE DELETE ON approval_rounds, authority_changes, ledger_accounts, service_keys, workspaces, api_keys, users, policies,
    wallets, signing_requests, withdrawals, chain_transactions FROM countersign_app;
  REVOKE INSERT, UPDATE, DELETE ON row_sealing FROM countersign_app;
END $$;
