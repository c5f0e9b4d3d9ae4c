// Knows which methods each path takes, to tell a wrong method (405) from a path that is none (404). Fastify answers 404 for both.
import type { FastifyInstance } from 'fastify';

interface Path {
  pattern: RegExp;
  methods: Set<string>;
}

export class AllowedMethods {
  readonly #paths = new Map<string, Path>();

  /** To be created before the first route. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const path = this.#paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const one of [method].flat()) path.methods.add(one);
      this.#paths.set(url, path);
    });
  }

  /** Sorted; empty when no route has this path. */
  of(url: string): string[] {
    const [path = ''] = url.split('?', 1);
    const matching = [...this.#paths.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
}
