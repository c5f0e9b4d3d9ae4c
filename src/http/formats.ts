// Narrows what Ajv takes for a date-time and a UUID to what a Date and PostgreSQL know: no leap second, no year 0 or
// 10000, no `urn:uuid:`.
import type { FastifyServerOptions } from 'fastify';

type Ajv = Parameters<NonNullable<NonNullable<FastifyServerOptions['ajv']>['onCreate']>>[0];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function narrowFormats(ajv: Ajv): void {
  const { validate: isRfc3339 } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.addFormat('date-time', (text) => isRfc3339(text) && isStorable(new Date(text)));
  ajv.addFormat('uuid', UUID);
}

/** False also for a Date that is none. */
export const isStorable = (moment: Date) => moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;
