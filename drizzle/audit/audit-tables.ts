// The audit log: who asked for which write, and what came of it. Entries are inserted freely in the transaction of the
// change; a schedule seals them into one hash chain a workspace, and signs its head. Rows are only added: triggers
// refuse everything else, and the service's role has no right to it.
import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const auditActors = ['api_key', 'operator', 'system'] as const;
export const auditOutcomes = ['accepted', 'refused'] as const;

export const auditLogs = pgTable(
  'audit_logs',
  {
    position: bigint('position', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: uuid('id').notNull().unique(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    actor: text('actor', { enum: auditActors }).notNull(),
    /** The API key, for an `api_key`. */
    actorId: uuid('actor_id'),
    ip: text('ip'),
    requestId: text('request_id'),
    /** As in domain/access-rules.ts: `POST /wallets/{wallet_id}/freeze`; or the name of an operator's command. */
    action: text('action').notNull(),
    /** The resource that it is about, where there is one. */
    resourceId: text('resource_id'),
    walletId: uuid('wallet_id'),
    outcome: text('outcome', { enum: auditOutcomes }).notNull(),
    statusCode: smallint('status_code'),
    /** Why it was refused. */
    code: text('code'),
    /** SHA-256 of the raw body, hex. */
    bodyHash: text('body_hash'),
    /**
     * Canonical JSON (RFC 8785) as text, so that no two stored values read alike. The body as it was read, null when it
     * is large; never a secret.
     */
    body: text('body'),
    before: text('before'),
    after: text('after'),
    /**
     * Of a change of rows that are sealed: which, and the version that each has now (sealed-versions.ts). Canonical
     * JSON.
     */
    sealed: text('sealed'),
    createdAt: moment('created_at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    index('audit_logs_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('audit_logs_actor_created').on(table.workspaceId, table.actorId, table.createdAt, table.id),
    index('audit_logs_action_created').on(table.workspaceId, table.action, table.createdAt, table.id),
    index('audit_logs_outcome_created').on(table.workspaceId, table.outcome, table.createdAt, table.id),
    index('audit_logs_resource_created').on(table.workspaceId, table.resourceId, table.createdAt, table.id),
    index('audit_logs_sealed').on(table.position).where(sql`${table.sealed} is not null`),
    // The sealed records of one row (inactive-rows.ts): few entries are in it, and it is looked into for each
    // signature.
    index('audit_logs_told').on(table.resourceId).where(sql`${table.sealed} is not null`),
    index('audit_logs_wallet_created').on(table.workspaceId, table.walletId, table.createdAt, table.id),
  ],
);

/** Entries that have no place in the chain yet. A trigger fills it. */
export const auditUnsealed = pgTable('audit_unsealed', {
  position: bigint('position', { mode: 'number' }).primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
});

export const auditSeals = pgTable(
  'audit_seals',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** 1, 2, 3 … in each workspace. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    auditId: uuid('audit_id')
      .notNull()
      .unique()
      .references(() => auditLogs.id),
    /** SHA-256, hex; 64 zeros before the first. */
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
    sealedAt: moment('sealed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.seq] })],
);

/** Signed heads: what the chain was at a moment. Kept at the MPC nodes too. */
export const auditHeads = pgTable(
  'audit_heads',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
    publicKey: text('public_key').notNull(),
    signature: text('signature').notNull(),
    signedAt: moment('signed_at').notNull(),
    /** When the nodes confirmed that they keep it. */
    keptAt: moment('kept_at'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.seq] })],
);

export type AuditHeadRow = typeof auditHeads.$inferSelect;
