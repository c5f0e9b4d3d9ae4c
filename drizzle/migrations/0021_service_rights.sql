-- What the service's login may not do: change what is only added to (what signatures may move and the keys and addresses of wallets now among it), delete what decides, or call
-- its own rows sealed. Sealing anew is for the owner of the database.
CREATE OR REPLACE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, set_back_rows, ledger_entries, ledger_events, approvals, events,
    signing_movements, wallet_keys, wallet_addresses FROM countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE DELETE ON approval_rounds, authority_changes, ledger_accounts, service_keys, workspaces, api_keys, users, policies,
    wallets, signing_requests, withdrawals, chain_transactions FROM countersign_app;
  REVOKE INSERT, UPDATE, DELETE ON row_sealing FROM countersign_app;
END $$;
