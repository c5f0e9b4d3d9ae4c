// What the operator's commands (`npm run outflows`, `npm run workspace` …) need to know of what `npm start` has
// embedded, for a shell: `set -a; . .local/environment`.
import { writeAtomically } from './atomic-file.ts';

/** For its owner only: the database's address has a password in it. */
export function writeOperatorEnvironment(file: string, environment: Record<string, string>): void {
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`);
  writeAtomically(file, lines.join(''), 0o600);
}
