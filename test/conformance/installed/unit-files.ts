// Reads units of systemd and files of variables. Knows nothing of what they should say.
import { readFileSync } from 'node:fs';

/** The values of each directive of [Service], in their order; an empty one clears what came before, as in systemd. */
export function readService(...paths: readonly string[]): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const path of paths) {
    let section = '';
    for (const line of readFileSync(path, 'utf8')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')) {
      section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (section !== 'Service' || name === '') continue;
      directives.set(name, value === '' ? [''] : [...(directives.get(name) ?? []), value]);
    }
  }
  return directives;
}

/** Lines of `NAME=value`. */
export function readVariables(lines: readonly string[]): Record<string, string> {
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
