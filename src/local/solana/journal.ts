// The sandbox chain's memory over restarts: every executed transaction, one line each, in order. Executing them again
// gives the same accounts. Understands none of them. Survives a killed process; a power cut may take the last lines.
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

export type Entry = { slot: number; wire: string };
type Genesis = { genesisMs: number };

export class Journal {
  readonly genesisMs: number;
  /** What was executed before this start. */
  readonly entries: readonly Entry[];
  readonly #file: string;

  constructor(file: string, nowMs: number) {
    this.#file = file;
    if (!existsSync(file)) writeFileSync(file, toLine({ genesisMs: nowMs }), { mode: 0o600 });
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1); // without a line that a kill cut off
    if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
    const [genesis, ...entries] = whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
    if (genesis === undefined) throw new Error(`${file} has no first line: remove it to begin a new chain.`);
    this.genesisMs = (genesis as Genesis).genesisMs;
    this.entries = entries as Entry[];
  }

  append(entry: Entry): void {
    appendFileSync(this.#file, toLine(entry));
  }
}

function toLine(value: Genesis | Entry): string {
  return `${JSON.stringify(value)}\n`;
}
