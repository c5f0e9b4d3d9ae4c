// Headers that keep a browser from doing anything with an answer but show it. The reference page alone may load its own
// scripts and styles.
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const DOCUMENTATION = '/docs';

/** To be called before the routes that it shall hold for. */
export async function installSecurityHeaders(app: FastifyInstance): Promise<void> {
  // Before helmet's own hook, which reads what this one sets.
  app.addHook('onRoute', (route) => {
    if (route.url === DOCUMENTATION || route.url.startsWith(`${DOCUMENTATION}/`)) route.helmet = documentationHelmet;
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
