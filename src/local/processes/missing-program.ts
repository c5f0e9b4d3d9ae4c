// A program of the sandbox that this machine lacks. What needs it is left out, in the one sentence of this error; the
// rest runs.
export class MissingProgram extends Error {
  override name = 'MissingProgram';
}
