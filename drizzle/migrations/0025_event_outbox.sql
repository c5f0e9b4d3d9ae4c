-- Expand: the outbox of events gets its name, and beside the form on the wire (`data`, from processes of the former version) the row as it was recorded (`resource`).
-- Contract, in a later release: drop the view told_events, the functions record_event and decimal_text, the column data and the check.
ALTER TABLE "told_events" RENAME TO "event_outbox";--> statement-breakpoint
ALTER TABLE "event_outbox" RENAME CONSTRAINT "told_events_pkey" TO "event_outbox_pkey";--> statement-breakpoint
ALTER SEQUENCE "told_events_position_seq" RENAME TO "event_outbox_position_seq";--> statement-breakpoint
ALTER TABLE "event_outbox" ALTER COLUMN "data" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "event_outbox" ADD COLUMN "resource" jsonb;--> statement-breakpoint
ALTER TABLE "event_outbox" ADD CONSTRAINT "event_outbox_one_form" CHECK (num_nonnulls("event_outbox"."resource", "event_outbox"."data") = 1);--> statement-breakpoint
-- What processes of the former version write and place. It ends before the first row that they cannot read, else they could place a later change of a resource before an earlier one.
CREATE VIEW "told_events" AS
  SELECT "position", "id", "workspace_id", "wallet_id", "type", "data", "created_at" FROM "event_outbox"
  WHERE "data" IS NOT NULL
    AND "position" < coalesce((SELECT min("first"."position") FROM "event_outbox" AS "first" WHERE "first"."resource" IS NOT NULL), 9223372036854775807);
--> statement-breakpoint
-- Called among the columns that a statement returns (drizzle/events/events.ts), so that the event is written with the change. In PL/pgSQL, which keeps its plan.
CREATE FUNCTION record_resource_event(workspace uuid, wallet uuid, event_type text, resource jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE event_id uuid := new_uuid_v7();
BEGIN
  INSERT INTO event_outbox (id, workspace_id, wallet_id, type, resource, created_at)
    VALUES (event_id, workspace, wallet, event_type, record_resource_event.resource, clock_timestamp());
  RETURN event_id;
END $$;
--> statement-breakpoint
-- What waits for its place is taken away by whoever gives it one, and never changed.
CREATE OR REPLACE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, set_back_rows, ledger_entries, ledger_events, approvals, events,
    signing_movements, unknown_movements, wallet_keys, wallet_addresses FROM countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE UPDATE ON event_outbox, told_events FROM countersign_app;
  REVOKE DELETE ON approval_rounds, authority_changes, ledger_accounts, service_keys, workspaces, api_keys, users, policies,
    wallets, signing_requests, withdrawals, chain_transactions FROM countersign_app;
  REVOKE INSERT, UPDATE, DELETE ON row_sealing FROM countersign_app;
END $$;
--> statement-breakpoint
-- In the same commit: a process of the former version goes on without a refusal.
SELECT grant_service_rights();
