// Reads Prometheus' text format as a scraper would.
export type Samples = Map<string, number>;

/** By name and labels, exactly as written: `name{label="value"}`. */
export function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** The sum of those of this name that have all of these labels. */
export function sumOf(samples: Samples, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const found = [...samples].filter(
    ([sample]) => sample.split('{', 1)[0] === name && wanted.every((label) => sample.includes(label)),
  );
  return found.reduce((sum, [, value]) => sum + value, 0);
}
