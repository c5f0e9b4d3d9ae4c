-- Programs of version 30 and later may run on these tables. A migration after which some cannot go on raises oldest_program, in a statement of its own.
CREATE TABLE "schema_version" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer NOT NULL,
	"oldest_program" integer NOT NULL
);--> statement-breakpoint
INSERT INTO "schema_version" ("version", "oldest_program") VALUES (35, 30);--> statement-breakpoint
CREATE OR REPLACE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, set_back_rows, ledger_entries, ledger_events, approvals, events,
    signing_movements, unknown_movements, wallet_keys, wallet_addresses FROM countersign_app;
  GRANT EXECUTE ON FUNCTION remove_events(uuid[], integer, integer) TO countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE UPDATE ON event_outbox, told_events FROM countersign_app;
  REVOKE DELETE ON approval_rounds, authority_changes, ledger_accounts, service_keys, workspaces, api_keys, users, policies,
    wallets, signing_requests, withdrawals, chain_transactions FROM countersign_app;
  REVOKE INSERT, UPDATE, DELETE ON row_sealing, schema_version FROM countersign_app;
END $$;
--> statement-breakpoint
SELECT grant_service_rights();
