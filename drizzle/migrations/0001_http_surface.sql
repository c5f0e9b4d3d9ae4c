CREATE TABLE "assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"network_id" uuid NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"asset_type" text NOT NULL,
	"contract_address" text,
	"decimals" integer NOT NULL,
	"is_native" boolean NOT NULL,
	"is_whitelisted" boolean DEFAULT true NOT NULL,
	"logo_url" text,
	CONSTRAINT "assets_network_contract" UNIQUE NULLS NOT DISTINCT("network_id","contract_address")
);
--> statement-breakpoint
CREATE TABLE "signing_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"outcomes" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"method" text NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"decimals" smallint NOT NULL,
	"status" text NOT NULL,
	"tx_hash" text,
	"from_address" text,
	"to_address" text,
	"recipient_address" text,
	"block_number" bigint,
	"block_hash" text,
	"gas_used" numeric(78, 0),
	"effective_gas_price_wei" numeric(78, 0),
	"failed_reason" text,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"address_type" text NOT NULL,
	"address" text NOT NULL,
	"derivation_path" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wallet_assets_wallet_asset" UNIQUE("wallet_id","asset_id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "answer" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_secret_encrypted" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_secret_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "ip_allowlist" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_ip" text;--> statement-breakpoint
ALTER TABLE "networks" ADD COLUMN "logo_url" text;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "payload_kind" text DEFAULT 'raw_digest' NOT NULL;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD COLUMN "typed_data" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "withdrawals_frozen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_batches" ADD CONSTRAINT "signing_batches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_batches" ADD CONSTRAINT "signing_batches_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_assets" ADD CONSTRAINT "wallet_assets_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_assets" ADD CONSTRAINT "wallet_assets_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assets_symbol" ON "assets" USING btree ("symbol");--> statement-breakpoint
CREATE INDEX "transactions_workspace_created" ON "transactions" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_workspace_updated" ON "transactions" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_kind_created" ON "transactions" USING btree ("workspace_id","direction","method","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_kind_updated" ON "transactions" USING btree ("workspace_id","direction","method","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_wallet_created" ON "transactions" USING btree ("wallet_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_wallet_updated" ON "transactions" USING btree ("wallet_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_asset_created" ON "transactions" USING btree ("workspace_id","asset_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_asset_updated" ON "transactions" USING btree ("workspace_id","asset_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_network_created" ON "transactions" USING btree ("workspace_id","network_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_network_updated" ON "transactions" USING btree ("workspace_id","network_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "transactions_tx_hash" ON "transactions" USING btree (lower("tx_hash"));--> statement-breakpoint
CREATE INDEX "transactions_from" ON "transactions" USING btree ("workspace_id",lower("from_address"));--> statement-breakpoint
CREATE INDEX "transactions_to" ON "transactions" USING btree ("workspace_id",lower("to_address"));--> statement-breakpoint
CREATE INDEX "transactions_recipient" ON "transactions" USING btree ("workspace_id",lower("recipient_address"));--> statement-breakpoint
CREATE INDEX "transactions_transaction" ON "transactions" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "wallet_assets_wallet_created" ON "wallet_assets" USING btree ("wallet_id","created_at","id");--> statement-breakpoint
CREATE INDEX "wallet_assets_wallet_updated" ON "wallet_assets" USING btree ("wallet_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_workspace_updated" ON "api_keys" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_requests_external_id" ON "signing_requests" USING btree ("workspace_id","external_id");--> statement-breakpoint
CREATE INDEX "signing_requests_workspace_updated" ON "signing_requests" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_status_created" ON "signing_requests" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_status_updated" ON "signing_requests" USING btree ("workspace_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_wallet_updated" ON "signing_requests" USING btree ("wallet_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_open" ON "signing_requests" USING btree ("id") WHERE "signing_requests"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "wallets_workspace_updated" ON "wallets" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "wallets_status_created" ON "wallets" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "wallets_status_updated" ON "wallets" USING btree ("workspace_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "wallets_creating" ON "wallets" USING btree ("id") WHERE "wallets"."status" = 'creating';