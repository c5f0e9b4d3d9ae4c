CREATE TABLE "set_back_rows" (
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"row_id" text NOT NULL,
	"expected_version" integer NOT NULL,
	"found_version" integer NOT NULL,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolution" text,
	"seal" text,
	CONSTRAINT "set_back_rows_workspace_id_kind_row_id_expected_version_found_version_pk" PRIMARY KEY("workspace_id","kind","row_id","expected_version","found_version")
);
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "seal_version" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What was found is taken back by an operator only.
CREATE OR REPLACE FUNCTION grant_service_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO countersign_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO countersign_app;
  REVOKE UPDATE, DELETE ON audit_logs, audit_seals, audit_heads, audit_findings, set_back_rows, ledger_entries, ledger_events, approvals, events FROM countersign_app;
  GRANT UPDATE (kept_at) ON audit_heads TO countersign_app;
  REVOKE DELETE ON approval_rounds, ledger_accounts, service_keys, workspaces, api_keys FROM countersign_app;
END $$;
