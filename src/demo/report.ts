// How the demo says what it does: a line with the time that a step took, and lines of a table while several things
// happen at once.

export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`\n${name} in ${Math.round(performance.now() - startedMs)} ms`);
  return result;
}

export function show(name: string, value: string): void {
  console.log(`  ${name.padEnd(12)} ${value}`);
}

export type TimelineReporter = (who: string, what: string) => void;

/** Lines since a common start: seconds, whose they are, and what happened. */
export function startTimeline(title: string): TimelineReporter {
  const startedMs = performance.now();
  console.log(`\n${title}`);
  return (who, what) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5);
    console.log(`  ${seconds} s  ${who.padEnd(14)} ${what}`);
  };
}
