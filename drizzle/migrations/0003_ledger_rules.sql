-- An account's balance is the sum of its entries, kept with each entry. Only what the chain has done already may take an available balance below zero: a reorg that
-- takes back what was spent, a fee above what was held.
CREATE FUNCTION ledger_apply_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  after_entry numeric;
  event_kind text;
BEGIN
  UPDATE ledger_accounts SET balance = balance + NEW.amount, updated_at = now()
    WHERE wallet_id = NEW.wallet_id AND asset_id = NEW.asset_id AND kind = NEW.kind
    RETURNING balance INTO after_entry;
  IF after_entry < 0 AND NEW.amount < 0 AND NEW.kind <> 'outside' THEN
    SELECT kind INTO event_kind FROM ledger_events WHERE id = NEW.event_id;
    IF NEW.kind <> 'available' OR event_kind NOT IN ('deposit_reversed', 'withdrawal_settled') THEN
      RAISE EXCEPTION 'ledger account % of wallet % would be below zero', NEW.kind, NEW.wallet_id USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_apply_entry();
--> statement-breakpoint
-- At the commit the entries of an event sum to zero, for each asset.
CREATE FUNCTION ledger_assert_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM ledger_entries WHERE event_id = NEW.event_id GROUP BY asset_id HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'ledger event % does not balance', NEW.event_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_assert_balanced();
--> statement-breakpoint
-- What was written stays: an error is mended by a further event.
CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_kept BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_events_kept BEFORE UPDATE OR DELETE ON ledger_events FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
--> statement-breakpoint
-- A balance changes by entries alone.
CREATE FUNCTION ledger_refuse_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'INSERT' AND NEW.balance <> 0) OR (TG_OP = 'UPDATE' AND pg_trigger_depth() < 2) THEN
    RAISE EXCEPTION 'a ledger balance changes by entries alone' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_by_entries BEFORE INSERT OR UPDATE OR DELETE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_refuse_balance();
