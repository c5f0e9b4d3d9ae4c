// (c) Signatures a second and latency from POST to `success`, with so many under way at once, against the cluster
// driven directly and against no-op workflows. All in closed loops of this process, in turn.
import type { Curve } from '../domain/statuses.ts';
import type { CpuMeter } from './support/cpu.ts';
import { type Comparison, interleave, type Round } from './support/rounds.ts';
import type { Settings } from './support/settings.ts';
import type { Signer } from './support/signers.ts';

export interface SigningComparison extends Comparison {
  curve: Curve;
  concurrency: number;
}

export async function measureSignToSuccess(
  { curve, signers }: { curve: Curve; signers: readonly Signer[] },
  { concurrencies, rounds, signingRoundMs }: Settings,
  cpu: CpuMeter,
  report: (line: string) => void,
): Promise<SigningComparison[]> {
  const measured: SigningComparison[] = [];
  for (const concurrency of concurrencies) {
    report(` ${curve}, ${concurrency} at once`);
    const sides = signers.map(({ name, once }) => ({ name, run: () => loop(once, concurrency, signingRoundMs) }));
    measured.push({ curve, concurrency, ...(await interleave(sides, rounds, cpu, report)) });
  }
  return measured;
}

/** Starts none after the time is up, and waits for those under way. */
export async function loop(once: () => Promise<void>, concurrency: number, forMs: number): Promise<Round> {
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  const runOneAfterAnother = async () => {
    do {
      const beganMs = performance.now();
      await once();
      latenciesMs.push(performance.now() - beganMs);
    } while (performance.now() - startedMs < forMs);
  };
  await Promise.all(Array.from({ length: concurrency }, runOneAfterAnother));
  return { operations: latenciesMs.length, seconds: (performance.now() - startedMs) / 1000, latenciesMs };
}
