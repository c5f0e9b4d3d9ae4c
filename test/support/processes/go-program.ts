// Programs that a test builds with Go: once, without a word.
import { buildGoProgram as build, type GoProgram } from '../../../src/local/processes/go-program.ts';

/** Once, on a busy machine without what Go keeps of earlier builds; afterwards the program is there. */
export const BUILT_WITHIN_MS = 1_800_000;

/** `directory` is the project's .local. */
export const buildGoProgram = (directory: string, program: GoProgram): Promise<string> =>
  build(directory, program, { report: () => undefined, signal: new AbortController().signal });
