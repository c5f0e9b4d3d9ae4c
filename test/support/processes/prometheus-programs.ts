// Finds Prometheus and its tool: on the PATH, else builds them with Go.
import { findOnPath } from '../../../src/local/processes/programs.ts';
import { buildGoProgram } from './go-program.ts';

const PROMETHEUS = 'github.com/prometheus/prometheus';

/** `directory` is the project's .local, where the program is kept. */
export async function findPrometheusProgram(directory: string, name: 'prometheus' | 'promtool'): Promise<string> {
  const found = findOnPath(name);
  if (found !== undefined) return found;
  return buildGoProgram(directory, {
    name,
    modules: { [PROMETHEUS]: 'v0.313.2' },
    package: { path: `${PROMETHEUS}/cmd/${name}` },
    // Without service discovery, which is most of its code: what is checked here has none.
    tags: ['remove_all_sd'],
  });
}
