-- UUIDv7 (RFC 9562) of this moment; PostgreSQL has its own only from 18 on.
CREATE FUNCTION new_uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;
--> statement-breakpoint
-- Base units as decimal text, exactly and without trailing zeros.
CREATE FUNCTION decimal_text(base_units numeric, decimals integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim_scale(base_units * ('1e-' || decimals::text)::numeric)::text
$$;
--> statement-breakpoint
-- Called among the columns that a statement returns (drizzle/events.ts), so that the event is written with the change. In PL/pgSQL, which keeps its plan.
CREATE FUNCTION record_event(workspace uuid, wallet uuid, event_type text, event_data jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE event_id uuid := new_uuid_v7();
BEGIN
  INSERT INTO told_events (id, workspace_id, wallet_id, type, data, created_at)
    VALUES (event_id, workspace, wallet, event_type, event_data, clock_timestamp());
  RETURN event_id;
END $$;
--> statement-breakpoint
CREATE FUNCTION audit_await_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (position, workspace_id) VALUES (NEW.position, NEW.workspace_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_logs_await_seal AFTER INSERT ON audit_logs FOR EACH ROW EXECUTE FUNCTION audit_await_seal();
--> statement-breakpoint
CREATE TRIGGER audit_logs_kept BEFORE UPDATE OR DELETE ON audit_logs FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_kept BEFORE UPDATE OR DELETE ON audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_logs_whole BEFORE TRUNCATE ON audit_logs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_whole BEFORE TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_heads_kept BEFORE DELETE OR UPDATE OF workspace_id, seq, hash, public_key, signature, signed_at ON audit_heads FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_heads_whole BEFORE TRUNCATE ON audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The service runs as a member of this role. An owner who may make no roles has an administrator make it, and migrates once more.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN
    CREATE ROLE countersign_app NOLOGIN;
  END IF;
EXCEPTION
  WHEN insufficient_privilege THEN RAISE NOTICE 'the role countersign_app is missing, and this user may not make it';
  -- Another database of this server is migrated at the same time.
  WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
-- What the service may do: all that it needs, and nothing to what is only added to. Called after every migration, so that new tables are covered.
CREATE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, ledger_entries, ledger_events, approvals, events FROM countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE DELETE ON approval_rounds, ledger_accounts, service_keys, workspaces, api_keys FROM countersign_app;
END $$;
