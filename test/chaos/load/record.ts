// What the callers of a run were told: what was accepted, and which refusals they met. Decides nothing.
import { CountersignError, UnreachableError } from '../../../src/client/client.ts';

export interface AcceptedWithdrawal {
  id: string;
  networkCode: string;
  to: string;
}

export class LoadRecord {
  readonly signatures = new Set<string>();
  readonly withdrawals = new Map<string, AcceptedWithdrawal>();
  readonly wallets = new Set<string>();
  /** Sentences: one key that stood for two operations, for example. */
  readonly surprises: string[] = [];
  /** How often each kind of call was answered, by its name. */
  readonly answered = new Map<string, number>();
  /** Writes that were accepted, each item of a batch for itself; and reads. */
  operations = 0;
  /** Those of them that are payments to wallets of the run. */
  deposits = 0;
  reads = 0;
  /** By code: what may happen while parts are away or a caller asks for what is not possible now. */
  readonly refusals = new Map<string, number>();

  count(name: string): void {
    this.answered.set(name, (this.answered.get(name) ?? 0) + 1);
  }

  /** What is no refusal that this kind of call may meet is a surprise. */
  refuse(name: string, error: unknown, expected: readonly string[]): void {
    const code = codeOf(error);
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    if (!isPassing(error) && !expected.includes(code)) this.surprises.push(`${name} was refused: ${describe(error)}`);
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof CountersignError ? error.code : error instanceof Error ? error.name : String(error);

const describe = (error: unknown) =>
  error instanceof CountersignError ? `${error.status} ${error.code}: ${error.message}` : String(error);

/** While parts are away an API may be unreachable, or have nothing behind it; the client has tried again by then. */
const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError ||
  (error instanceof Error &&
    ['OperationOpenError', 'OperationFailedError', 'AbortError', 'TimeoutError'].includes(error.name)) ||
  (error instanceof CountersignError && [429, 502, 503, 504].includes(error.status));
