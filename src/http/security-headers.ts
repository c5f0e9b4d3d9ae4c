// Headers that keep a browser from doing anything with an answer but show it. The reference page and the console alone
// may load scripts and styles of their own. All are written once, at the start: a library that builds them anew for
// each request took a tenth of a read.
import type { FastifyInstance } from 'fastify';

/** Where the reference page is. */
export const REFERENCE = '/docs';
/** Where the console is. */
export const CONSOLE = '/console';

type Headers = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that is a page. */
    securityHeaders?: Headers;
  }
}

const isUnder = (url: string, folder: string) => url === folder || url.startsWith(`${folder}/`);

/** To be called before the routes that it shall hold for. */
export async function installSecurityHeaders(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (isUnder(route.url, REFERENCE) || isUnder(route.url, CONSOLE))
      route.config = { ...route.config, securityHeaders: pages };
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.routeOptions.config.securityHeaders ?? answers);
    done();
  });
}

const policyOf = (directives: Readonly<Record<string, string>>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join(';');

const ofAll: Headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const answers: Headers = {
  ...ofAll,
  'content-security-policy': policyOf({ 'default-src': "'none'", 'frame-ancestors': "'none'" }),
};

/** Nothing inline, nothing from elsewhere. The pictures of addresses are `data:` (the QR codes of the API). */
const pages: Headers = {
  ...ofAll,
  'content-security-policy': policyOf({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
