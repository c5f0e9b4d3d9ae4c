// Whole days, as a field of a form has them (`2026-01-31`), in the time of who looks.

export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The first moment of the day. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The first moment that is not of the day any more. */
export function endOfDay(day: string): string {
  const moment = new Date(`${day}T00:00:00`);
  moment.setDate(moment.getDate() + 1);
  return moment.toISOString();
}
