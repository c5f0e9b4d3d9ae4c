// What a case is, and the series that many cases have. Values are in promtool's notation: `5x90` stands at 5 for 90
// minutes, and `0+60x90` grows by 60 a minute.
export interface Case {
  alert: string;
  when: string;
  series: Record<string, string>;
  /** The labels of what fires; absent where nothing does. */
  fires?: Record<string, string>[];
  atMinutes?: number;
}

const minutes = 'x90';
export const stands = (value: number) => `${value}${minutes}`;
export const grows = (aMinute: number) => `0+${aMinute}${minutes}`;
/** At 0 for an hour, then at the value. */
const lately = (value: number) => `0x60 ${value}x30`;

/** Of a gauge that alerts by its value alone. */
export function gauge(alert: string, series: string, [bad, good]: readonly [number, number], labels = {}): Case[] {
  return [
    { alert, when: `it stands at ${bad}`, series: { [series]: lately(bad) }, fires: [labels] },
    { alert, when: `it stands at ${good}`, series: { [series]: stands(good) } },
  ];
}

/** Of a quantile: nearly all within one bucket. */
export function quantile(alert: string, selector: (le: string) => string, slow: string, labels = {}): Case[] {
  const buckets = (fast: number) => ({
    [selector('0.1')]: grows(fast),
    [selector(slow)]: grows(100),
    [selector('+Inf')]: grows(100),
  });
  return [
    { alert, when: 'a tenth is slow', series: buckets(90), fires: [labels] },
    { alert, when: 'all are fast', series: buckets(100) },
  ];
}
