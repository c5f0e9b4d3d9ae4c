// When the schedule of exports is due, and of which time an export of it is: both as clocks of its time zone show it.
// Knows no clock itself.

export const exportWindows = ['previous_day', 'previous_week', 'previous_month'] as const;
export type ExportWindow = (typeof exportWindows)[number];

/** Minute, hour, day of the month, month and day of the week, each as the values that it takes. */
export type Cron = readonly [Field, Field, Field, Field, Field];
interface Field {
  values: ReadonlySet<number>;
  isAny: boolean;
}

const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const SUNDAY = 7;

/** A sentence that says what is wrong with it; undefined when it may be used. */
export function findCronFault(text: string): string | undefined {
  const cron = parseCron(text);
  if (cron === undefined) return 'cron has five fields: minute, hour, day of the month, month and day of the week.';
  const [minute, , day, , weekday] = cron;
  if (minute.values.size !== 1) return 'cron names one minute, so that it is due once an hour at most.';
  // Some programs take days that are one of both, and others days that are both.
  if (!day.isAny && !weekday.isAny) return 'cron names days of the month or days of the week, and not both.';
  return undefined;
}

export function parseCron(text: string): Cron | undefined {
  const parts = text.split(' ');
  const fields = BOUNDS.map(([first, last], at) => parseField(parts[at] ?? '', first, last));
  if (parts.length !== BOUNDS.length || fields.some((field) => field === undefined)) return undefined;
  const [minute, hour, day, month, weekday] = fields as [Field, Field, Field, Field, Field];
  const values = new Set([...weekday.values].map((value) => value % SUNDAY));
  return [minute, hour, day, month, { ...weekday, values }];
}

/** Numbers, ranges and steps, with commas between them. */
function parseField(text: string, first: number, last: number): Field | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, star, low, high, step] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (star === undefined && low === undefined) return undefined;
    const from = star === undefined ? Number(low) : first;
    // As others have it, `5/15` goes on to the last.
    const alone = step === undefined ? from : last;
    const to = star !== undefined ? last : high === undefined ? alone : Number(high);
    const by = step === undefined ? 1 : Number(step);
    if (from < first || to > last || from > to || by === 0) return undefined;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return { values, isAny: text === '*' };
}

export function isTimeZone(name: string): boolean {
  // An offset is none: it has no summer time, and programs do not agree on its sign.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

interface Local {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** What clocks of the time zone show at a moment. */
function localOf(moment: Date, timeZone: string): Local {
  const parts = formatOf(timeZone).formatToParts(moment);
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as unknown as Local;
}

/** Costly to make; there are some hundreds of time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

const weekdayOf = ({ year, month, day }: Local) => new Date(Date.UTC(year, month - 1, day)).getUTCDay();

/** Whether the schedule is due at this very moment. */
export function isDue(cronText: string, timeZone: string, moment: Date): boolean {
  const cron = parseCron(cronText);
  if (cron === undefined || !isTimeZone(timeZone) || moment.getTime() % 60_000 !== 0) return false;
  const local = localOf(moment, timeZone);
  const shown = [local.minute, local.hour, local.day, local.month, weekdayOf(local)];
  return cron.every(({ values }, at) => values.has(shown[at] ?? -1));
}

/**
 * The whole day, week (from Monday on) or month before the one in which a moment is, by the calendar of the time zone:
 * from its first moment to the first one after it.
 */
export function windowBefore(moment: Date, window: ExportWindow, timeZone: string): { from: Date; to: Date } {
  const local = localOf(moment, timeZone);
  const { year, month, day } = local;
  const midnight = (ofMonth: number, ofDay: number) => startOfDay(new Date(Date.UTC(year, ofMonth, ofDay)), timeZone);
  if (window === 'previous_day') return { from: midnight(month - 1, day - 1), to: midnight(month - 1, day) };
  if (window === 'previous_month') return { from: midnight(month - 2, 1), to: midnight(month - 1, 1) };
  const monday = day - ((weekdayOf(local) + 6) % 7);
  return { from: midnight(month - 1, monday - 7), to: midnight(month - 1, monday) };
}

/** Of which time an export is that is due at a moment. Of what is of one moment: as it was then. */
export function scheduledRange(
  { timeWindow, timeZone }: { timeWindow: ExportWindow | null; timeZone: string },
  due: Date,
): { fromAt: Date | null; toAt: Date } {
  if (timeWindow === null) return { fromAt: null, toAt: due };
  const { from, to } = windowBefore(due, timeWindow, timeZone);
  return { fromAt: from, toAt: to };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Clocks are set by an hour at most where midnight is left out. */
const LEFT_OUT_MINUTES_MAX = 180;

/** The first moment of a day, which is named by its midnight in UTC. Some days begin at one o'clock. */
function startOfDay(utcMidnight: Date, timeZone: string): Date {
  const wanted = utcMidnight.getTime();
  const candidates = momentsOf(wanted, timeZone);
  const isWanted = (at: number) => {
    const { year, month, day } = localOf(new Date(at), timeZone);
    return Date.UTC(year, month - 1, day) === wanted;
  };
  const isFirst = (at: number) => isWanted(at) && !isWanted(at - MINUTE_MS);
  const start = Math.min(...candidates);
  for (let minutes = -LEFT_OUT_MINUTES_MAX; minutes <= LEFT_OUT_MINUTES_MAX; minutes += 15)
    if (isFirst(start + minutes * MINUTE_MS)) return new Date(start + minutes * MINUTE_MS);
  throw new Error(`no day of ${timeZone} begins at ${utcMidnight.toISOString()}`);
}

/** Of what clocks show, named by the same in UTC: a moment by the offset of the day before, and one by that after. */
function momentsOf(shownAsUtc: number, timeZone: string): [number, number] {
  const offsetAt = (at: number) => {
    const { year, month, day, hour, minute, second } = localOf(new Date(at), timeZone);
    return Date.UTC(year, month - 1, day, hour, minute, second) - at;
  };
  return [shownAsUtc - offsetAt(shownAsUtc - DAY_MS), shownAsUtc - offsetAt(shownAsUtc + DAY_MS)];
}

/** Years that are no leap years are seven in a row at most: a 29th of February is not further away. */
const SEARCHED_DAYS = 8 * 366;

/** The next moments at which a schedule is due; none for one that never is, such as on a 30th of February. */
export function nextTimesDue(
  { cron: cronText, timeZone }: { cron: string; timeZone: string },
  after: Date,
  count: number,
): Date[] {
  const cron = parseCron(cronText);
  if (cron === undefined || !isTimeZone(timeZone)) return [];
  const [minutes, hours, days, months, weekdays] = cron;
  const { year, month, day } = localOf(after, timeZone);
  const found = new Set<number>();
  for (let ahead = 0; ahead <= SEARCHED_DAYS && found.size < count; ahead += 1) {
    const midnight = new Date(Date.UTC(year, month - 1, day + ahead));
    const isOfDay = days.values.has(midnight.getUTCDate()) && months.values.has(midnight.getUTCMonth() + 1);
    if (!isOfDay || !weekdays.values.has(midnight.getUTCDay())) continue;
    for (const hour of hours.values)
      for (const minute of minutes.values)
        for (const at of momentsOf(midnight.getTime() + hour * HOUR_MS + minute * MINUTE_MS, timeZone))
          if (at > after.getTime() && isDue(cronText, timeZone, new Date(at))) found.add(at);
  }
  return [...found]
    .toSorted((one, other) => one - other)
    .slice(0, count)
    .map((at) => new Date(at));
}
