// From a row to what the wire shows of a schedule of exports.
import type { ExportScheduleRow } from '../../drizzle/exports/export-schedules.ts';

export const toExportSchedule = (row: ExportScheduleRow) => ({
  id: row.id,
  content: row.content,
  format: row.format,
  ...(row.walletIds === null ? {} : { wallet_ids: row.walletIds }),
  cron: row.cron,
  time_zone: row.timeZone,
  ...(row.timeWindow === null ? {} : { window: row.timeWindow }),
  status: row.status === 'active' ? ('active' as const) : ('paused' as const),
  ...(row.pausedReason === null ? {} : { paused_reason: row.pausedReason }),
  requested_by: row.requestedBy,
  ...(row.lastScheduledFor === null ? {} : { last_scheduled_for: row.lastScheduledFor.toISOString() }),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
