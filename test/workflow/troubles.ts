// Counts the executions of steps by name, and has chosen ones fail before their effect or after it (a completion that
// is lost). Knows no step.

/**
 * Befalls one execution. What is `held` before its effect, or with its answer, goes on when the test says so, or never.
 */
export type Trouble = { before: Error } | { after: Error } | { held: Promise<void> } | { answerHeld: Promise<void> };

export class Troubles {
  readonly #executions = new Map<string, number>();
  readonly #awaiting = new Map<string, Trouble[]>();

  /** Each of the next executions under this name meets one of these, in this order; those after them go well. */
  meet(name: string, ...troubles: Trouble[]): void {
    this.#awaiting.set(name, [...(this.#awaiting.get(name) ?? []), ...troubles]);
  }

  executions(name: string): number {
    return this.#executions.get(name) ?? 0;
  }

  async execute<Answer>(name: string, effect: () => Answer): Promise<Answer> {
    this.#executions.set(name, this.executions(name) + 1);
    const trouble = this.#awaiting.get(name)?.shift();
    if (trouble !== undefined && 'held' in trouble) await trouble.held;
    if (trouble !== undefined && 'before' in trouble) throw trouble.before;
    const answer = effect();
    if (trouble !== undefined && 'after' in trouble) throw trouble.after;
    if (trouble !== undefined && 'answerHeld' in trouble) await trouble.answerHeld;
    return answer;
  }
}
