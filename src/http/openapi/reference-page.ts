// The reference page: the document as one reads it, where a call can be tried. The page asks for a key's secret in the
// place of a signature, and signs each call with it. Nothing of it is kept or sent: it is gone with the page.
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

/** What Swagger UI hands out before it sends. */
export interface CallOfPage {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Runs in the browser, as text: it may use nothing of this file. What goes in as ACCESS-SIGN is the secret of the key.
 * Loading the document and calls without a key go out as they are.
 */
export async function signCall(call: CallOfPage): Promise<CallOfPage> {
  const secret = call.headers['ACCESS-SIGN'];
  if (secret === undefined) return call;
  const { pathname, search } = new URL(call.url, 'http://page');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const canonical = `method=${(call.method ?? 'GET').toUpperCase()}&path=${pathname}${search}&timestamp=${timestamp}&body=${call.body ?? ''}`;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret.trim()), algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(canonical)));
  call.headers['ACCESS-TIMESTAMP'] = timestamp;
  call.headers['ACCESS-SIGN'] = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return call;
}

const ofKey = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** As the page shows it: calls go to where the page is from, and the key is asked for as the page needs it. */
function forPage(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { components } = document as { components: object };
  const securitySchemes = {
    accessKey: ofKey('ACCESS-API-KEY', 'The identifier of a key.'),
    accessSign: ofKey(
      'ACCESS-SIGN',
      'The **secret** of the key, on this page alone: it signs each call in this browser, and neither keeps nor sends the secret.',
    ),
  };
  return {
    ...document,
    servers: [{ url: '/', description: 'The service that this page is from.' }],
    security: [{ accessKey: [], accessSign: [] }],
    components: { ...components, securitySchemes },
  };
}

export const referencePage: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  theme: { title: 'Countersign: the interface' },
  uiConfig: {
    // Without the bar that would load any other document.
    layout: 'BaseLayout',
    requestInterceptor: signCall as never,
    docExpansion: 'none',
    filter: true,
    displayRequestDuration: true,
    persistAuthorization: false,
  },
  transformSpecification: (document) => forPage(document),
};
