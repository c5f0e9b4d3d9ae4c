CREATE TABLE "audit_findings" (
	"workspace_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"node" smallint NOT NULL,
	"expected" text NOT NULL,
	"found" text,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_findings_workspace_id_seq_node_pk" PRIMARY KEY("workspace_id","seq","node")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"workspace_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"public_key" text NOT NULL,
	"signature" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"kept_at" timestamp (3) with time zone,
	CONSTRAINT "audit_heads_workspace_id_seq_pk" PRIMARY KEY("workspace_id","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_logs_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"ip" text,
	"request_id" text,
	"action" text NOT NULL,
	"resource_id" text,
	"wallet_id" uuid,
	"outcome" text NOT NULL,
	"status_code" smallint,
	"code" text,
	"body_hash" text,
	"body" text,
	"before" text,
	"after" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "audit_logs_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"workspace_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"audit_id" uuid NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_seals_workspace_id_seq_pk" PRIMARY KEY("workspace_id","seq"),
	CONSTRAINT "audit_seals_audit_id_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"position" bigint PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_counters" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "told_events" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "told_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"wallet_id" uuid,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_health" (
	"node" smallint PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"bans" integer DEFAULT 0 NOT NULL,
	"version" text,
	"threshold" smallint NOT NULL,
	"error" text,
	"checked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unexplained_outflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"network_id" uuid NOT NULL,
	"tx_hash" text NOT NULL,
	"departure_index" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"asset_id" uuid,
	"kind" text NOT NULL,
	"from_address" text NOT NULL,
	"amount_base_units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reorged_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolution" text,
	CONSTRAINT "unexplained_outflows_departure" UNIQUE("network_id","tx_hash","departure_index")
);
--> statement-breakpoint
CREATE TABLE "service_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"public_key" text NOT NULL,
	"encrypted_private_key" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_keys_purpose_unique" UNIQUE("purpose")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"attempt" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" smallint,
	"error" text,
	CONSTRAINT "webhook_attempts_once" UNIQUE("delivery_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"event_seq" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"replayed" boolean DEFAULT false NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_reason" text,
	"encrypted_secret" "bytea" NOT NULL,
	"encrypted_former_secret" "bytea",
	"former_secret_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "trace_context" text;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD CONSTRAINT "audit_seals_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD CONSTRAINT "audit_seals_audit_id_audit_logs_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audit_logs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unexplained_outflows" ADD CONSTRAINT "unexplained_outflows_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unexplained_outflows" ADD CONSTRAINT "unexplained_outflows_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unexplained_outflows" ADD CONSTRAINT "unexplained_outflows_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_logs_workspace_created" ON "audit_logs" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_actor_created" ON "audit_logs" USING btree ("workspace_id","actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_action_created" ON "audit_logs" USING btree ("workspace_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_outcome_created" ON "audit_logs" USING btree ("workspace_id","outcome","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_resource_created" ON "audit_logs" USING btree ("workspace_id","resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_wallet_created" ON "audit_logs" USING btree ("workspace_id","wallet_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_feed" ON "events" USING btree ("workspace_id","seq");--> statement-breakpoint
CREATE INDEX "events_type" ON "events" USING btree ("workspace_id","type","seq");--> statement-breakpoint
CREATE INDEX "events_wallet" ON "events" USING btree ("wallet_id","seq");--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "unexplained_outflows_open" ON "unexplained_outflows" USING btree ("found_at") WHERE "unexplained_outflows"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "unexplained_outflows_block" ON "unexplained_outflows" USING btree ("network_id","block_number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at","event_seq") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("webhook_id","event_id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_created" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_updated" ON "webhook_deliveries" USING btree ("webhook_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_status_created" ON "webhook_deliveries" USING btree ("webhook_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_type_created" ON "webhook_deliveries" USING btree ("webhook_id","event_type","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_workspace_created" ON "webhooks" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_workspace_updated" ON "webhooks" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "signing_requests_signature" ON "signing_requests" USING hash ("signature");--> statement-breakpoint
CREATE INDEX "withdrawals_block" ON "withdrawals" USING btree ("network_id","block_number");