// What one run of a command has: the profile that it was told, the client of that profile, and how it shows what came
// back: tables for people, with `--json` one record a line for scripts.
import { CountersignClient } from '../client/client.ts';
import { type Profile, readProfile } from './profiles/profiles.ts';
import { type Column, fields, table } from './tables.ts';
import type { Terminal } from './terminal.ts';
import { visible, visibleJson } from './visible-text.ts';

interface GlobalOptions {
  profile?: string;
  json?: boolean;
}

export interface ListOptions {
  limit: number;
  all?: boolean;
}

export class Session {
  readonly terminal: Terminal;
  readonly #globals: () => GlobalOptions;
  #client: CountersignClient | undefined;

  constructor(terminal: Terminal, globals: () => GlobalOptions) {
    this.terminal = terminal;
    this.#globals = globals;
  }

  get json(): boolean {
    return this.#globals().json === true;
  }

  get profile(): Profile {
    return readProfile(this.terminal, this.#globals().profile);
  }

  /** Read only when something is asked of the service. */
  get client(): CountersignClient {
    this.#client ??= new CountersignClient(this.profile);
    return this.#client;
  }

  async record(record: unknown): Promise<void> {
    await this.terminal.write(this.json ? `${visibleJson(record)}\n` : fields(record));
  }

  /** A file, or what else is text: as it is. */
  async text(text: string | Uint8Array): Promise<void> {
    await this.terminal.write(text);
  }

  /** For people alone, beside what a script reads. */
  note(sentence: string): void {
    this.terminal.writeError(`${visible(sentence)}\n`);
  }

  /** No more rows are asked for than are shown. */
  async list<Row>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly Column<Row>[],
    { limit, all = false }: ListOptions = { limit: Number.POSITIVE_INFINITY },
  ): Promise<void> {
    const most = all ? Number.POSITIVE_INFINITY : limit;
    const shown: Row[] = [];
    let count = 0;
    let isWhole = true;
    for await (const row of rows) {
      if (count === most) {
        isWhole = false;
        break;
      }
      count += 1;
      if (this.json) await this.terminal.write(`${visibleJson(row)}\n`);
      else shown.push(row);
    }
    if (!this.json) await this.terminal.write(shown.length === 0 ? '' : table(shown, columns));
    if (count === 0 && !this.json) this.note('There are none.');
    if (!isWhole) this.note(`There are more than ${most}: --limit or --all shows them.`);
  }
}
