// The blocks of the sandbox's Bitcoin in a file of ours: btcd forgets a regression test network whenever it starts.
// Mines nothing.
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { Ask } from '../json-rpc.ts';

export class BitcoinBlocks {
  readonly #file: string;
  readonly #ask: Ask;
  readonly #known = new Set<string>();

  constructor(file: string, ask: Ask) {
    this.#file = file;
    this.#ask = ask;
  }

  /** Gives a node that has just started every block, in the order in which it had them. */
  async restore(): Promise<void> {
    this.#known.clear();
    this.#known.add((await this.#ask('getblockhash', 0)) as string);
    for (const line of this.#readLines()) {
      const [hash = '', block] = line.split(' ');
      const refusal = await this.#ask('submitblock', block);
      if (refusal !== null) throw new Error(`btcd refused block ${hash} of ${this.#file}: ${JSON.stringify(refusal)}`);
      this.#known.add(hash);
    }
  }

  /** Appends what the node has and the file has not, also of another branch. */
  async keepNew(): Promise<void> {
    const lines: [hash: string, line: string][] = [];
    let hash = (await this.#ask('getbestblockhash')) as string;
    while (!this.#known.has(hash)) {
      const block = (await this.#ask('getblock', hash, 0)) as string;
      lines.unshift([hash, `${hash} ${block}\n`]);
      hash = ((await this.#ask('getblockheader', hash, true)) as { previousblockhash: string }).previousblockhash;
    }
    if (lines.length === 0) return;
    appendFileSync(this.#file, lines.map(([, line]) => line).join(''), { mode: 0o600 });
    for (const [kept] of lines) this.#known.add(kept);
  }

  /** Without a line that a kill cut off. */
  #readLines(): string[] {
    if (!existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) truncateSync(this.#file, whole.length);
    return whole.split('\n').filter((line) => line !== '');
  }
}
