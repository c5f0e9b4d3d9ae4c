// The catalogue of networks: which curve a network signs with and which coin type its default derivation path takes.
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { curves } from '../../domain/statuses.ts';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import type { Database } from '../database/connection.ts';
import { takeExcluded } from '../database/upsert.ts';

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

/** In the order of their ids: those of the first catalogue first. */
export async function listNetworks(db: Database): Promise<NetworkRow[]> {
  return db.select().from(networks).orderBy(networks.id);
}

/** Brings the catalogue up to the seed of this version. What an operator disabled or enabled stays so. */
export async function seedNetworks(db: Database): Promise<void> {
  await db
    .insert(networks)
    .values([...networkSeed])
    .onConflictDoUpdate({
      target: networks.id,
      set: takeExcluded(networks, [
        'internalCode',
        'name',
        'nativeCurrency',
        'curve',
        'coinType',
        'addressType',
        'chainId',
        'isEvm',
        'isTestnet',
        'logoUrl',
        'confirmationBlocks',
      ]),
    });
}
