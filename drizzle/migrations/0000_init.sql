CREATE TABLE "accepted_signatures" (
	"api_key_id" uuid NOT NULL,
	"signature" "bytea" NOT NULL,
	"idempotency_key" text,
	"accepted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accepted_signatures_api_key_id_signature_pk" PRIMARY KEY("api_key_id","signature")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"workspace_id" uuid NOT NULL,
	"route" text NOT NULL,
	"target" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"operation_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_workspace_id_route_target_key_pk" PRIMARY KEY("workspace_id","route","target","key")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"api_key" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"secret_encrypted" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"wallet_ids" uuid[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"created_by" text NOT NULL,
	"legacy_path_signing" boolean DEFAULT false NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_api_key_unique" UNIQUE("api_key")
);
--> statement-breakpoint
CREATE TABLE "networks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"internal_code" text NOT NULL,
	"name" text NOT NULL,
	"native_currency" text NOT NULL,
	"curve" text NOT NULL,
	"coin_type" integer NOT NULL,
	"address_type" text NOT NULL,
	"chain_id" integer,
	"is_evm" boolean NOT NULL,
	"is_testnet" boolean NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"confirmation_blocks" integer NOT NULL,
	CONSTRAINT "networks_internal_code_unique" UNIQUE("internal_code")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workflow" text NOT NULL,
	"workflow_id" uuid NOT NULL,
	"input" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"operation_type" text NOT NULL,
	"withdrawal_id" uuid,
	"network_internal_code" text NOT NULL,
	"key_type" text NOT NULL,
	"signing_hash" text NOT NULL,
	"unsigned_tx" text NOT NULL,
	"derivation_path" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"status_reason" text,
	"mpc_correlation_id" text,
	"error_code" text,
	"error_reason" text,
	"signature" text,
	"public_key" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "wallet_addresses" (
	"wallet_id" uuid NOT NULL,
	"address_type" text NOT NULL,
	"address" text NOT NULL,
	"derivation_path" text NOT NULL,
	CONSTRAINT "wallet_addresses_wallet_id_address_type_pk" PRIMARY KEY("wallet_id","address_type")
);
--> statement-breakpoint
CREATE TABLE "wallet_keys" (
	"wallet_id" uuid NOT NULL,
	"curve" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"chain_code" "bytea" NOT NULL,
	CONSTRAINT "wallet_keys_wallet_id_curve_pk" PRIMARY KEY("wallet_id","curve")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"wallet_type" text NOT NULL,
	"wallet_purpose" text,
	"status" text DEFAULT 'creating' NOT NULL,
	"status_reason" text,
	"error_code" text,
	"error_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD CONSTRAINT "signing_requests_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_requests" ADD CONSTRAINT "signing_requests_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_addresses" ADD CONSTRAINT "wallet_addresses_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_keys" ADD CONSTRAINT "wallet_keys_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accepted_signatures_accepted_at" ON "accepted_signatures" USING btree ("accepted_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outbox_created" ON "outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "signing_requests_workspace_created" ON "signing_requests" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_wallet_created" ON "signing_requests" USING btree ("wallet_id","created_at","id");--> statement-breakpoint
CREATE INDEX "wallet_addresses_address" ON "wallet_addresses" USING btree ("address");--> statement-breakpoint
CREATE INDEX "wallets_workspace_created" ON "wallets" USING btree ("workspace_id","created_at","id");