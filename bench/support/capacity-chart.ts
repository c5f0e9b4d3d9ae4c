// A picture of lines over the rate that is asked for, both axes logarithmic, as SVG that reads on light and dark pages.

export interface Line {
  name: string;
  points: readonly { rate: number; p50Ms: number; made: number }[];
}

const [WIDTH, HEIGHT] = [720, 360];
const [LEFT, TOP, RIGHT, BOTTOM] = [60, 20, 20, 50];
const COLOURS = ['#2f6f9f', '#b5651d', '#3a7d44', '#8a4f9e'];
/** Beyond, a deployment does not keep up with what is asked of it. */
const LEAST_MADE = 0.93;

export function drawChart(
  lines: readonly Line[],
  {
    label,
    ticksX,
    ticksY,
  }: {
    label: string;
    ticksX: readonly number[];
    ticksY: readonly number[];
  },
): string {
  const x = scale(ticksX, LEFT, WIDTH - RIGHT);
  const y = scale(ticksY, HEIGHT - BOTTOM, TOP);
  const text = (at: { x: number; y: number; anchor?: string }, what: string) =>
    `<text x="${at.x.toFixed(0)}" y="${at.y.toFixed(0)}" text-anchor="${at.anchor ?? 'middle'}">${what}</text>`;
  const grid = (x1: number, y1: number, x2: number, y2: number) =>
    `<line x1="${x1.toFixed(0)}" y1="${y1.toFixed(0)}" x2="${x2.toFixed(0)}" y2="${y2.toFixed(0)}" stroke="#888" stroke-opacity=".3"/>`;
  const drawn = lines.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '';
    const kept = points.filter(({ rate, made }) => made >= LEAST_MADE * rate);
    const path = kept.map(({ rate, p50Ms }) => `${x(rate).toFixed(1)},${y(p50Ms).toFixed(1)}`).join(' ');
    const legendY = TOP + 14 + 18 * index;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
      `<line x1="${LEFT + 14}" y1="${legendY - 4}" x2="${LEFT + 38}" y2="${legendY - 4}" stroke="${colour}" stroke-width="2.5"/>`,
      text({ x: LEFT + 44, y: legendY, anchor: 'start' }, name),
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#888" role="img" aria-label="${label}">`,
    ...ticksX.flatMap((tick) => [
      grid(x(tick), TOP, x(tick), HEIGHT - BOTTOM),
      text({ x: x(tick), y: HEIGHT - BOTTOM + 18 }, String(tick)),
    ]),
    ...ticksY.flatMap((tick) => [
      grid(LEFT, y(tick), WIDTH - RIGHT, y(tick)),
      text({ x: LEFT - 8, y: y(tick) + 4, anchor: 'end' }, `${tick} ms`),
    ]),
    text({ x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 12 }, label),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** The least tick at `from`, the greatest at `to`. */
function scale(ticks: readonly number[], from: number, to: number): (value: number) => number {
  const [least, greatest] = [Math.log(Math.min(...ticks)), Math.log(Math.max(...ticks))];
  return (value) => from + ((Math.log(value) - least) / (greatest - least)) * (to - from);
}
