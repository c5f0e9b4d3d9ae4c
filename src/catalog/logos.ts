// Logos of the catalogue, served from memory under the very names that are there: no path of a request reaches the file
// system.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { errors } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

export const logoRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const logos = readLogos();

  app.route({
    method: 'GET',
    url: '/logos/:file',
    config: { public: true },
    schema: {
      tags: ['catalog'],
      operationId: 'readLogo',
      summary: 'Read a logo',
      description: 'Where `logo_url` of an asset or a network leads. Needs no key.',
      params: Type.Object({
        file: Type.String({ minLength: 1, maxLength: 100, description: 'File name.', examples: ['eth.svg'] }),
      }),
      response: {
        200: { description: 'The logo.', content: { 'image/svg+xml': { schema: Type.String() } } },
        ...errors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const logo = logos.get(request.params.file);
      if (logo === undefined) throw new ApiError('not_found', 'There is no logo of this name.');
      return reply
        .type('image/svg+xml')
        .header('cache-control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .send(logo);
    },
  });
};

/** Beside this file in the sources, and beside the bundle in dist/. */
function readLogos(): ReadonlyMap<string, string> {
  const folder = new URL('./logos/', import.meta.url);
  const files = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.svg'));
  return new Map(files.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}
