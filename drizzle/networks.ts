// The catalogue of networks: which curve a network signs with and which coin type its default derivation path takes.
import { eq, sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';
import { networkSeed } from './networks.seed.ts';
import { curves } from './status.ts';
import { addressTypes } from './wallets.ts';

export const networks = pgTable('networks', {
  id: uuid('id').primaryKey(),
  internalCode: text('internal_code').notNull().unique(),
  name: text('name').notNull(),
  nativeCurrency: text('native_currency').notNull(),
  curve: text('curve', { enum: curves }).notNull(),
  coinType: integer('coin_type').notNull(),
  addressType: text('address_type', { enum: addressTypes }).notNull(),
  chainId: integer('chain_id'),
  isEvm: boolean('is_evm').notNull(),
  isTestnet: boolean('is_testnet').notNull(),
  disabled: boolean('disabled').notNull().default(false),
  logoUrl: text('logo_url'),
  confirmationBlocks: integer('confirmation_blocks').notNull(),
});

export type NetworkRow = typeof networks.$inferSelect;

export async function listNetworks(db: Database): Promise<NetworkRow[]> {
  return db.select().from(networks);
}

/** Brings the catalogue up to the seed of this version. What an operator disabled stays disabled. */
export async function seedNetworks(db: Database): Promise<void> {
  for (const network of networkSeed) {
    const { id: _id, internalCode: _internalCode, ...facts } = network;
    await db
      .insert(networks)
      .values(network)
      .onConflictDoUpdate({ target: networks.internalCode, set: facts, setWhere: eq(networks.id, sql`excluded.id`) });
  }
}
