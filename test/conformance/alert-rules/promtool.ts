// Finds `promtool`: on the PATH, else builds it with Go.
import { findOnPath } from '../../../src/local/processes/programs.ts';
import { buildGoProgram } from '../../support/processes/go-program.ts';

const PROMETHEUS = 'github.com/prometheus/prometheus';

/** `directory` is the project's .local, where the program is kept. */
export async function findPromtool(directory: string): Promise<string> {
  const found = findOnPath('promtool');
  if (found !== undefined) return found;
  return buildGoProgram(directory, {
    name: 'promtool',
    modules: { [PROMETHEUS]: 'v0.313.2' },
    package: { path: `${PROMETHEUS}/cmd/promtool` },
    // Without service discovery, which is most of its code: what is checked here has none.
    tags: ['remove_all_sd'],
  });
}
