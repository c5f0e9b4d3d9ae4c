-- UUIDv7 (RFC 9562) of this moment; PostgreSQL has its own only from 18 on.
CREATE FUNCTION new_uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;
--> statement-breakpoint
-- Base units as decimal text, exactly and without trailing zeros.
CREATE FUNCTION decimal_text(base_units numeric, decimals integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim_scale(base_units * ('1e-' || decimals)::numeric)::text
$$;
--> statement-breakpoint
-- Called among the columns that a statement returns (drizzle/events.ts), so that the event is written with the change.
CREATE FUNCTION record_event(workspace uuid, wallet uuid, event_type text, event_data jsonb) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  INSERT INTO events (id, workspace_id, wallet_id, type, data, created_at)
    VALUES (new_uuid_v7(), workspace, wallet, event_type, event_data, clock_timestamp()) RETURNING position
$$;
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
