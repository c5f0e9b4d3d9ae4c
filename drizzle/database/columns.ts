// Column shapes that every table writes the same way. No table and no query lives here.
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';

/** A moment in UTC with milliseconds, as the wire shows it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** A whole number of base units; 2^256 − 1 fits. */
export const baseUnits = (name: string) => numeric(name, { precision: 78, scale: 0, mode: 'bigint' });

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => Uint8Array.from(value),
});
