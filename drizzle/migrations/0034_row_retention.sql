-- What is in the feed already counts as placed now: an upgrade removes no event before its time has run once more. The column takes no rewriting of the table.
ALTER TABLE "events" ADD COLUMN "placed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
-- The login of the service may delete no event. This removes for it, as the owner, the beginning of the feeds of these workspaces: what was placed so many days ago and has no delivery, up to the first event for which that is not so, at most so many of each. The least number of days is also in domain/time-limits.ts.
CREATE FUNCTION remove_events(workspaces uuid[], kept_days integer, at_most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ids uuid[];
  removed integer;
BEGIN
  IF kept_days IS NULL OR kept_days < 30 THEN
    RAISE EXCEPTION 'events are kept for at least 30 days' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT array_agg(looked_at.id) INTO ids FROM (
    SELECT oldest.id, oldest.seq, min(oldest.seq) FILTER (WHERE oldest.stays) OVER (PARTITION BY asked.workspace_id) AS first_kept
    FROM unnest(workspaces) AS asked (workspace_id) CROSS JOIN LATERAL (
      SELECT events.id, events.seq,
        events.placed_at >= now() - kept_days * interval '1 day'
          OR EXISTS (SELECT FROM webhook_deliveries WHERE webhook_deliveries.event_id = events.id) AS stays
      FROM events WHERE events.workspace_id = asked.workspace_id ORDER BY events.seq LIMIT at_most
    ) AS oldest
  ) AS looked_at
  WHERE looked_at.first_kept IS NULL OR looked_at.seq < looked_at.first_kept;
  DELETE FROM events WHERE events.id = ANY (ids);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION remove_events(uuid[], integer, integer) FROM PUBLIC;--> statement-breakpoint
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
  REVOKE INSERT, UPDATE, DELETE ON row_sealing FROM countersign_app;
END $$;
--> statement-breakpoint
SELECT grant_service_rights();
