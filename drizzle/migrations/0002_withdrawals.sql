CREATE TABLE "approval_rounds" (
	"subject_id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid,
	"requested_by" uuid NOT NULL,
	"required" smallint NOT NULL,
	"approvers" uuid[] DEFAULT '{}' NOT NULL,
	"digest" text NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approvals_once" UNIQUE("subject_id","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'built' NOT NULL,
	"network_id" uuid NOT NULL,
	"from_address" text NOT NULL,
	"nonce" bigint,
	"fee" jsonb NOT NULL,
	"max_fee_base_units" numeric(78, 0) NOT NULL,
	"unsigned" text NOT NULL,
	"payloads" jsonb NOT NULL,
	"signing_ids" uuid[] NOT NULL,
	"valid_until" bigint,
	"signed" text,
	"tx_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_transactions_ordinal" UNIQUE("withdrawal_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "nonces" (
	"network_id" uuid NOT NULL,
	"address" text NOT NULL,
	"nonce" bigint NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nonces_network_id_address_nonce_pk" PRIMARY KEY("network_id","address","nonce")
);
--> statement-breakpoint
CREATE TABLE "reserved_coins" (
	"network_id" uuid NOT NULL,
	"tx_hash" text NOT NULL,
	"index" integer NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	CONSTRAINT "reserved_coins_network_id_tx_hash_index_pk" PRIMARY KEY("network_id","tx_hash","index")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"tx_hash" text NOT NULL,
	"arrival_index" text NOT NULL,
	"from_address" text,
	"to_address" text NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"status" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"occurrence" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deposits_arrival" UNIQUE("network_id","tx_hash","arrival_index")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"balance" numeric(78, 0) DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_wallet_id_asset_id_kind_pk" PRIMARY KEY("wallet_id","asset_id","kind")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" bigint NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"occurrence" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_events_once" UNIQUE("subject_id","kind","occurrence")
);
--> statement-breakpoint
CREATE TABLE "network_blocks" (
	"network_id" uuid NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"parent_hash" text NOT NULL,
	CONSTRAINT "network_blocks_network_id_number_pk" PRIMARY KEY("network_id","number")
);
--> statement-breakpoint
CREATE TABLE "network_states" (
	"network_id" uuid PRIMARY KEY NOT NULL,
	"next_block" bigint NOT NULL,
	"head_block" bigint NOT NULL,
	"fees" jsonb,
	"halted_reason" text,
	"head_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "address_book" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"address" text NOT NULL,
	"label" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "address_book_address" UNIQUE("workspace_id","network_id","address")
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"document" jsonb NOT NULL,
	"status" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "policies_version" UNIQUE("workspace_id","version")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "withdrawal_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"withdrawal_id" uuid NOT NULL,
	"status" text NOT NULL,
	"sub_status" text,
	"tx_hash" text,
	"details" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"fee_asset_id" uuid NOT NULL,
	"method" text DEFAULT 'transfer' NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"decimals" smallint NOT NULL,
	"from_address" text NOT NULL,
	"derivation_path" text NOT NULL,
	"recipient_address" text NOT NULL,
	"call" jsonb,
	"notes" text,
	"fee_level" text DEFAULT 'medium' NOT NULL,
	"max_fee_base_units" numeric(78, 0),
	"external_id" text,
	"requested_by" uuid NOT NULL,
	"policy_reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"sub_status" text,
	"error_code" text,
	"error_reason" text,
	"wish" text,
	"wished_fee_level" text,
	"tx_hash" text,
	"block_number" bigint,
	"confirmations" integer,
	"fee_paid_base_units" numeric(78, 0),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "signal" text;--> statement-breakpoint
ALTER TABLE "approval_rounds" ADD CONSTRAINT "approval_rounds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_rounds" ADD CONSTRAINT "approval_rounds_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_subject_id_approval_rounds_subject_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."approval_rounds"("subject_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD CONSTRAINT "chain_transactions_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD CONSTRAINT "chain_transactions_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nonces" ADD CONSTRAINT "nonces_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nonces" ADD CONSTRAINT "nonces_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_coins" ADD CONSTRAINT "reserved_coins_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_coins" ADD CONSTRAINT "reserved_coins_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_event_id_ledger_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."ledger_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_fk" FOREIGN KEY ("wallet_id","asset_id","kind") REFERENCES "public"."ledger_accounts"("wallet_id","asset_id","kind") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_blocks" ADD CONSTRAINT "network_blocks_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_states" ADD CONSTRAINT "network_states_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_book" ADD CONSTRAINT "address_book_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_book" ADD CONSTRAINT "address_book_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_events" ADD CONSTRAINT "withdrawal_events_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_fee_asset_id_assets_id_fk" FOREIGN KEY ("fee_asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_rounds_workspace" ON "approval_rounds" USING btree ("workspace_id","status","created_at");--> statement-breakpoint
CREATE INDEX "chain_transactions_hash" ON "chain_transactions" USING btree ("network_id","tx_hash");--> statement-breakpoint
CREATE INDEX "chain_transactions_nonce" ON "chain_transactions" USING btree ("network_id","from_address","nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "nonces_withdrawal" ON "nonces" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "reserved_coins_withdrawal" ON "reserved_coins" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "deposits_block" ON "deposits" USING btree ("network_id","status","block_number");--> statement-breakpoint
CREATE INDEX "ledger_entries_event" ON "ledger_entries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("wallet_id","asset_id","kind");--> statement-breakpoint
CREATE INDEX "address_book_workspace_created" ON "address_book" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "address_book_workspace_updated" ON "address_book" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "policies_active" ON "policies" USING btree ("workspace_id") WHERE "policies"."status" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "policies_pending" ON "policies" USING btree ("workspace_id") WHERE "policies"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "withdrawal_events_withdrawal" ON "withdrawal_events" USING btree ("withdrawal_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_external_id" ON "withdrawals" USING btree ("workspace_id","external_id");--> statement-breakpoint
CREATE INDEX "withdrawals_workspace_created" ON "withdrawals" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_workspace_updated" ON "withdrawals" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_status_created" ON "withdrawals" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_status_updated" ON "withdrawals" USING btree ("workspace_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_wallet_created" ON "withdrawals" USING btree ("wallet_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_wallet_updated" ON "withdrawals" USING btree ("wallet_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_asset_created" ON "withdrawals" USING btree ("workspace_id","asset_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_asset_updated" ON "withdrawals" USING btree ("workspace_id","asset_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_network_created" ON "withdrawals" USING btree ("workspace_id","network_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_network_updated" ON "withdrawals" USING btree ("workspace_id","network_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_open" ON "withdrawals" USING btree ("id") WHERE "withdrawals"."status" in ('pending', 'pending_approval', 'approved', 'processing');