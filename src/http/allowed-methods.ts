// Knows which methods each path takes, to tell a wrong method (405) from a path that is none (404). Fastify answers 404
// for both.
import type { FastifyInstance } from 'fastify';

interface Path {
  pattern: RegExp;
  methods: Set<string>;
  /** Paths that this one matches too, and that say more: `/keys/self` for `/keys/:id`. The router prefers them. */
  narrower: Path[];
}

export class AllowedMethods {
  readonly #paths = new Map<string, Path>();

  /** To be created before the first route. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const path = this.#paths.get(url) ?? { pattern: patternOf(url), methods: new Set(), narrower: [] };
      for (const one of [method].flat()) path.methods.add(one);
      this.#paths.set(url, path);
    });
    app.addHook('onReady', async () => {
      for (const path of this.#paths.values())
        path.narrower = [...this.#paths].flatMap(([url, other]) =>
          other !== path && path.pattern.test(url) ? [other] : [],
        );
    });
  }

  /** Sorted; empty when no route has this path. */
  of(url: string): string[] {
    const matching = [...this.#paths.values()].find((path) => matches(path, url) && !isShadowed(path, url));
    return [...(matching?.methods ?? [])].sort();
  }

  /** Whether the router came to `route` only because the path that `url` names does not take the method. */
  isFallback(route: string | undefined, url: string): boolean {
    const path = this.#paths.get(route ?? '');
    return path !== undefined && isShadowed(path, url);
  }
}

const matches = ({ pattern }: Path, url: string) => pattern.test(url.split('?', 1)[0] ?? '');
const isShadowed = ({ narrower }: Path, url: string) => narrower.some((other) => matches(other, url));

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
}
