// Headers that keep a browser from doing anything with an answer but show it. The reference page and the console alone
// may load scripts and styles of their own.
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const DOCUMENTATION = '/docs';
/** Where the console is. */
export const CONSOLE = '/console';

const isUnder = (url: string, folder: string) => url === folder || url.startsWith(`${folder}/`);

/** To be called before the routes that it shall hold for. */
export async function installSecurityHeaders(app: FastifyInstance): Promise<void> {
  // Before helmet's own hook, which reads what this one sets.
  app.addHook('onRoute', (route) => {
    if (isUnder(route.url, DOCUMENTATION)) route.helmet = documentationHelmet;
    if (isUnder(route.url, CONSOLE)) route.helmet = consoleHelmet;
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    // What follows is about pages, and an answer of the API is none.
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

const documentationHelmet = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

/** Nothing inline, nothing from elsewhere. The pictures of addresses are `data:` (the QR codes of the API). */
const consoleHelmet = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' as const },
  crossOriginResourcePolicy: { policy: 'same-origin' as const },
};
