// How the workers find the MPC nodes, so that the API can say it without speaking to them.
import { integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

export const nodeHealth = pgTable('node_health', {
  node: smallint('node').primaryKey(),
  status: text('status', { enum: ['up', 'down'] }).notNull(),
  /** Peers that this node refuses to sign with. */
  bans: integer('bans').notNull().default(0),
  error: text('error'),
  checkedAt: moment('checked_at').notNull(),
});
