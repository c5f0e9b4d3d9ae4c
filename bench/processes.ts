// `tsx bench/processes.ts [seconds]`: what each part of the running `npm start` takes of a core and of memory, over a
// minute unless told otherwise: idle with its three networks, or beside whatever the caller has going on. Asks the
// parts nothing. Run by hand, on Linux (it reads /proc).
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRecordedParts } from '../src/local/processes/running-parts.ts';
import { CpuMeter, subtractCpu } from './support/cpu.ts';

const seconds = Number(process.argv[2] ?? 60);
const LOOK_EVERY_MS = 1_000;
const parts = readRecordedParts(resolve(import.meta.dirname, '..', '.local', 'run.json'));
if (parts.length === 0) throw new Error('Nothing runs here: start it with `npm start`.');

/** As PostgreSQL shares its memory among processes, this is of its first one. */
const readMemoryMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const cpu = new CpuMeter();
const highest = new Map<string, number>();
for (const { name, pid } of parts) cpu.add(name, pid);
const startedMs = performance.now();
const before = cpu.read();
while (performance.now() - startedMs < seconds * 1000) {
  for (const { name, pid } of parts) highest.set(name, Math.max(highest.get(name) ?? 0, readMemoryMiB(pid)));
  await sleep(LOOK_EVERY_MS);
}
const used = subtractCpu(cpu.read(), before);
const elapsed = (performance.now() - startedMs) / 1000;
console.log('| part | of a core | memory, MiB |\n|---|---|---|');
for (const { name } of parts) {
  const share = ((used.get(name) ?? 0) / elapsed) * 100;
  console.log(`| ${name} | ${share.toFixed(1)} % | ${(highest.get(name) ?? 0).toFixed(0)} |`);
}
