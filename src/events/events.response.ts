// How a row of the feed is shown.
import type { EventRow } from '../../drizzle/events/events.ts';
import type { Event } from './events.schema.ts';

export const toEvent = ({ seq, id, type, createdAt, data }: EventRow): Event => ({
  seq,
  id,
  type,
  timestamp: createdAt.toISOString(),
  data,
});
