-- What was asked for and what was said stays: without its round a withdrawal would seem to need no approval.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER approval_rounds_kept BEFORE DELETE ON approval_rounds FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER approvals_kept BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();
