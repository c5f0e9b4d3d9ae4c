// Gives every route under /api/v1 its scope, by the table of domain/access-rules.ts. A route that is not there does not
// start.
import type { FastifyInstance } from 'fastify';
import { access, signedOnly } from '../../domain/access-rules.ts';

const PREFIX = '/api/v1';

/** Gives every route its scope, and refuses to start with a route that has none. */
export function installAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(`${PREFIX}/`)) return;
    const path = route.url.slice(PREFIX.length).replaceAll(/:(\w+)/g, '{$1}');
    // A HEAD route is the shadow of its GET.
    const rule = `${route.method === 'HEAD' ? 'GET' : String(route.method)} ${path}`;
    const scope = access[rule];
    if (scope === undefined) throw new Error(`domain/access-rules.ts has no rule for ${rule}`);
    route.config = { ...route.config, scope, rule, ...(signedOnly.has(rule) ? { only: 'signed' } : {}) };
  });
}
